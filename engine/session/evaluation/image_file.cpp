// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation/image_file.h"

#include "base/error.h"
#include "dataset/codecs/colour_image.h"
#include "dataset/examples/encoded_dataset.h"
#include "dataset/files/file_bytes.h"
#include "dataset/formats/masked_images.h"
#include "input/masked_input.h"
#include "input/photo/photo_resize.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

constexpr float kByteRange = 255.0F;

std::vector<std::byte> readWhole(const std::filesystem::path& file)
{
    std::error_code problem;
    if (std::filesystem::is_directory(file, problem)) {
        fail(ErrorCode::Io, "{}: is a folder; give an image", file.string());
    }
    std::vector<std::byte> content;
    readWholeFile(file, content);
    return content;
}

GrayImage readImage(const std::filesystem::path& file, const PixelRules& rules)
{
    GrayImage image = decodeGray(readWhole(file), file.string(), rules);
    if (std::min(image.height, image.width) < kPixelsPerCell) {
        fail(
            ErrorCode::Data,
            "{}: the image has {} × {} pixels, but each side must have at least {}; give a larger "
            "one",
            file.string(), image.height, image.width, kPixelsPerCell);
    }
    return image;
}

class Photograph final : public EncodedDataset
{
public:
    Photograph(const std::filesystem::path& file, const PixelRules& rules)
        : EncodedDataset("photograph", Split::Test, rules), m_file(file), m_content(readWhole(file))
    {
        checkWhole(m_content, file.string());
        const ImageSize size = readImageSize(m_content, file.string(), rules);
        setClassNames({"unknown"});
        add(0, {size, std::ssize(m_content)});
    }

    void read(std::int64_t /*index*/, EncodedImage& image) const override
    {
        image.file = m_content;
        image.boxes.clear();
    }
    [[nodiscard]] std::string fullName(std::int64_t /*index*/) const override
    {
        return m_file.string();
    }

private:
    std::filesystem::path m_file;
    std::vector<std::byte> m_content;
};

/// Pixels in memory.
class LoneImage final : public Dataset
{
public:
    LoneImage(std::string name, DatasetInfo info, std::vector<std::uint8_t> pixels)
        : m_name(std::move(name)), m_info(std::move(info)), m_pixels(std::move(pixels))
    {
    }

    [[nodiscard]] const DatasetInfo& info() const override { return m_info; }
    [[nodiscard]] std::int64_t size() const override { return 1; }
    [[nodiscard]] ExampleView example(std::int64_t /*index*/) const override { return {m_pixels}; }
    [[nodiscard]] std::string exampleName(std::int64_t /*index*/) const override { return m_name; }

private:
    std::string m_name;
    DatasetInfo m_info;
    std::vector<std::uint8_t> m_pixels;
};

/// The largest part around the centre whose sides are as those of `wanted`.
CropBox centralPart(const ImageSize& image, const Shape& wanted)
{
    CropBox part;
    part.height =
        std::clamp(image.width * wanted.height / wanted.width, std::int64_t{1}, image.height);
    part.width =
        std::clamp(image.height * wanted.width / wanted.height, std::int64_t{1}, image.width);
    part.row = (image.height - part.height) / 2;
    part.column = (image.width - part.width) / 2;
    return part;
}

/// Row by row, the channels side by side.
std::vector<std::uint8_t> resized(const ColourImage& image, const Shape& wanted)
{
    const bool isShrunk = image.height >= wanted.height && image.width >= wanted.width;
    std::vector<float> values(static_cast<std::size_t>(wanted.elements()));
    PhotoResizer(wanted.height, wanted.width)
        .apply(image, isShrunk ? ResizeMethod::Area : ResizeMethod::Bilinear, false, values);
    std::vector<std::uint8_t> pixels(values.size());
    std::ranges::transform(values, pixels.begin(), [](float value) {
        return static_cast<std::uint8_t>(std::lround(value * kByteRange));
    });
    return pixels;
}

} // namespace

std::unique_ptr<Dataset> maskedImageFile(const std::filesystem::path& file, const PixelRules& rules)
{
    std::vector<MaskedImage> images;
    images.push_back({file.filename().string(), readImage(file, rules), {}});
    return std::make_unique<MaskedImages>("image", Split::Test, std::move(images));
}

std::unique_ptr<Dataset> photographFile(const std::filesystem::path& file, const PixelRules& rules)
{
    return std::make_unique<Photograph>(file, rules);
}

std::unique_ptr<Dataset> resizedImageFile(
    const std::filesystem::path& file, const DatasetInfo& info, const PixelRules& rules)
{
    constexpr std::int64_t kColours = 3;
    if (info.imageShape.channels != kColours) {
        fail(
            ErrorCode::BadInput,
            "{}: can't be tried: the images of data set '{}' have {} channels, not red, green and "
            "blue; choose one of the test set",
            file.string(), info.name, info.imageShape.channels);
    }
    const std::vector<std::byte> content = readWhole(file);
    const CropBox part = centralPart(readImageSize(content, file.string(), rules), info.imageShape);
    ColourImage image;
    decodeColours(content, file.string(), {1, part, rules}, image);
    DatasetInfo alone = info;
    alone.pixelOrder = PixelOrder::Interleaved;
    return std::make_unique<LoneImage>(
        file.filename().string(), std::move(alone), resized(image, info.imageShape));
}

} // namespace lockstep
