// SPDX-License-Identifier: Apache-2.0
#include "input/photo/photo_input.h"

#include "base/error.h"
#include "base/philox.h"

namespace lockstep {

PhotoSettings PhotoSettings::forEvaluation() const
{
    PhotoSettings settings = *this;
    settings.crop = settings.flip = false;
    settings.brightness = settings.saturation = settings.hue = settings.contrast = false;
    return settings;
}

PhotoDistortion drawPhotoDistortion(
    const PhotoSettings& settings, const ImageSize& size, std::span<const ObjectBox> boxes,
    std::uint64_t seed, const Visit& visit)
{
    constexpr float kBrightness = 32.0F / 255.0F;
    constexpr float kLeastFactor = 0.5F;
    constexpr float kMostFactor = 1.5F;
    constexpr float kHue = 0.2F;
    PhiloxStream stream(seed, RandomPurpose::Distortion, visit.epoch, visit.example);
    const bool isFlipped = (stream.next() & 1U) != 0;
    const auto method = static_cast<ResizeMethod>(stream.next() & 3U);
    ColourChange drawn;
    drawn.order =
        (stream.next() & 1U) != 0 ? ColourOrder::ContrastFirst : ColourOrder::ContrastLast;
    drawn.brightness = stream.uniform(-kBrightness, kBrightness);
    drawn.saturation = stream.uniform(kLeastFactor, kMostFactor);
    drawn.hue = stream.uniform(-kHue, kHue);
    drawn.contrast = stream.uniform(kLeastFactor, kMostFactor);
    ColourChange colours;
    colours.order = drawn.order;
    colours.brightness = settings.brightness ? drawn.brightness : colours.brightness;
    colours.saturation = settings.saturation ? drawn.saturation : colours.saturation;
    colours.hue = settings.hue ? drawn.hue : colours.hue;
    colours.contrast = settings.contrast ? drawn.contrast : colours.contrast;
    return {
        settings.crop ? sampleCrop(size, boxes, {}, stream) : centralCrop(size),
        settings.crop ? method : ResizeMethod::Bilinear, settings.flip && isFlipped, colours};
}

PhotoInput::PhotoInput(
    const PhotoSettings& settings, const Shape& input, const EncodedDataset& dataset)
    : m_settings(settings), m_input(input), m_dataset(dataset), m_resizer(input.height, input.width)
{
    if (input.channels != dataset.info().imageShape.channels) {
        fail(
            ErrorCode::BadInput,
            "data set '{}' has images of {} channels, but the network reads {}",
            dataset.info().name, dataset.info().imageShape.channels, input.channels);
    }
}

std::int64_t PhotoInput::bytes(const Shape& input, const EncodedDataset& dataset)
{
    constexpr std::int64_t kBesideRow = 4; // bytes a pixel of a decoded row before it is cut off
    const LargestImage& largest = dataset.largest();
    return largest.fileBytes + largest.boxes * static_cast<std::int64_t>(sizeof(ObjectBox))
           + largest.pixels * dataset.info().imageShape.channels + largest.longestSide * kBesideRow
           + PhotoResizer::bytes(input.height, input.width, largest.longestSide);
}

ImageSize PhotoInput::read(const Visit& visit)
{
    m_dataset.read(visit.example, m_encoded);
    return readImageSize(m_encoded.file, m_dataset.fullName(visit.example), m_dataset.pixelRules());
}

PhotoDistortion PhotoInput::draw(std::uint64_t seed, const Visit& visit)
{
    const ImageSize size = read(visit);
    return drawPhotoDistortion(m_settings, size, m_encoded.boxes, seed, visit);
}

void PhotoInput::apply(std::uint64_t seed, const Visit& visit, std::span<float> row)
{
    const ImageSize size = read(visit);
    const std::string name = m_dataset.fullName(visit.example);
    const PhotoDistortion distortion =
        drawPhotoDistortion(m_settings, size, m_encoded.boxes, seed, visit);
    const CropBox& crop = distortion.crop;
    const int divisor = m_settings.isDecodedScaled
                            ? divisorFor({crop.height, crop.width}, {m_input.height, m_input.width})
                            : 1;
    decodeColours(m_encoded.file, name, {divisor, crop, m_dataset.pixelRules()}, m_image);
    m_resizer.apply(m_image, distortion.method, distortion.isFlipped, row);
    changeAndMapColours(distortion.colours, m_settings.pixels, row);
}

} // namespace lockstep
