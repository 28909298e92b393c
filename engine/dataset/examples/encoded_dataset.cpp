// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/encoded_dataset.h"

#include "base/error.h"

#include <algorithm>
#include <utility>

namespace lockstep {

EncodedDataset::EncodedDataset(std::string name, Split split)
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

void EncodedDataset::leaveOut(std::string reason, const std::string& name)
{
    m_leftOut.push_back(std::move(reason));
    account().leaveOut("damaged", name);
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
        ErrorCode::Data, "{}: all {} images are damaged, the first: {}", where, m_leftOut.size(),
        m_leftOut.front());
}

std::vector<std::int64_t> examplesPerClass(const Dataset& dataset)
{
    std::vector<std::int64_t> counts(dataset.info().classNames.size());
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        ++counts.at(static_cast<std::size_t>(dataset.example(i).label));
    }
    return counts;
}

} // namespace lockstep
