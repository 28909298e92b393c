// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/encoded_dataset.h"

#include "base/error.h"
#include "dataset/codecs/exif_orientation.h"
#include "dataset/examples/class_names.h"

#include <algorithm>
#include <utility>

namespace lockstep {

ObjectBox turnedBox(const ObjectBox& stored, int orientation)
{
    const ExifTurn turn(orientation);
    ObjectBox box = stored;
    if (turn.isUpsideDown) {
        box.top = 1.0F - stored.bottom;
        box.bottom = 1.0F - stored.top;
    }
    if (turn.isMirrored) {
        box.left = 1.0F - stored.right;
        box.right = 1.0F - stored.left;
    }
    if (turn.isTransposed) {
        std::swap(box.top, box.left);
        std::swap(box.bottom, box.right);
    }
    return box;
}

EncodedDataset::EncodedDataset(std::string name, Split split, const PixelRules& rules)
    : m_pixelRules(rules)
{
    m_info.name = std::move(name);
    m_info.split = toString(split);
    m_info.imageShape = {0, 0, 3};
    m_info.pixelOrder = PixelOrder::Interleaved;
    m_info.isEncoded = true;
}

const EncodedDataset& EncodedDataset::of(const Dataset& dataset)
{
    require(dataset.encoded() != nullptr, "photographs are read from a data set that has none");
    return *dataset.encoded();
}

ExampleView EncodedDataset::example(std::int64_t index) const
{
    return {{}, m_labels[static_cast<std::size_t>(index)]};
}

void EncodedDataset::add(std::int32_t label, const ImageExtent& image)
{
    m_labels.push_back(label);
    m_imageBytes.push_back(image.ownBytes > 0 ? image.ownBytes : image.fileBytes);
    m_info.sizes.take(image.size);
    m_largest.fileBytes = std::max(m_largest.fileBytes, image.fileBytes);
    m_largest.pixels = std::max(m_largest.pixels, image.size.height * image.size.width);
    m_largest.longestSide = std::max({m_largest.longestSide, image.size.height, image.size.width});
    m_largest.boxes = std::max(m_largest.boxes, image.boxes);
}

void EncodedDataset::addAll(const EncodedDataset& other, const std::vector<std::int32_t>& labels)
{
    for (const std::int32_t label : other.m_labels) {
        m_labels.push_back(labels[static_cast<std::size_t>(label)]);
    }
    m_imageBytes.insert(m_imageBytes.end(), other.m_imageBytes.begin(), other.m_imageBytes.end());
    m_leftOut.insert(m_leftOut.end(), other.m_leftOut.begin(), other.m_leftOut.end());
    m_info.layout = other.m_info.layout;
    if (!other.m_labels.empty()) {
        m_info.sizes.take(other.m_info.sizes.least);
        m_info.sizes.take(other.m_info.sizes.most);
    }
    const LargestImage& largest = other.m_largest;
    m_largest.fileBytes = std::max(m_largest.fileBytes, largest.fileBytes);
    m_largest.pixels = std::max(m_largest.pixels, largest.pixels);
    m_largest.longestSide = std::max(m_largest.longestSide, largest.longestSide);
    m_largest.boxes = std::max(m_largest.boxes, largest.boxes);
}

void EncodedDataset::leaveOut(std::string reason, const std::string& name)
{
    m_leftOut.push_back(std::move(reason));
    account().leaveOut("that can't be used", name);
}

void EncodedDataset::checkDamage(DamagedImages rule, const std::string& where)
{
    m_damage.open(rule, where, std::ssize(m_labels) + std::ssize(m_leftOut), m_leftOut);
}

void EncodedDataset::checkNotEmpty(const std::string& where) const
{
    if (!m_labels.empty()) {
        return;
    }
    if (m_leftOut.empty()) {
        fail(
            ErrorCode::Data,
            "{}: holds no images; give the folder with the data set (dataset.path)", where);
    }
    fail(
        ErrorCode::Data, "{}: all {} images can't be used, the first: {}", where, m_leftOut.size(),
        m_leftOut.front());
}

void EncodedDataset::tellBits()
{
    constexpr std::int64_t kSample = 16;
    const std::int64_t count = std::min(kSample, size());
    EncodedImage image;
    int most = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t index = i * size() / count;
        try {
            read(index, image);
            most = std::max(most, unsaidBits(image.file, fullName(index), m_pixelRules));
        } catch (const Error& error) {
            // What becomes of a damaged one is not for a sample to say.
            if (error.code() != ErrorCode::Data) {
                throw;
            }
        }
    }
    if (std::string warning = bitsWarning(most); !warning.empty()) {
        account().warn(std::move(warning));
    }
}

std::vector<std::int64_t> examplesPerClass(const Dataset& dataset)
{
    std::vector<std::int64_t> counts(dataset.info().classNames.size());
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        ++counts.at(static_cast<std::size_t>(dataset.example(i).label));
    }
    return counts;
}

void EncodedDataset::setClassNames(std::vector<std::string> names)
{
    m_info.classNames = std::move(names);
    if (std::string told = lookAlikes(m_info.classNames); !told.empty()) {
        account().warn(std::move(told));
    }
}

} // namespace lockstep
