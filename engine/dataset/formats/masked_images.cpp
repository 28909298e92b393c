// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/masked_images.h"

#include <algorithm>
#include <utility>

namespace lockstep {

MaskedImages::MaskedImages(
    std::string name, Split split, std::vector<MaskedImage> images, std::string layout,
    DataAccount account)
    : m_images(std::move(images))
{
    m_info.name = std::move(name);
    m_info.split = toString(split);
    m_info.classNames = {"clean", "defective"};
    m_info.hasMasks = true;
    m_info.layout = std::move(layout);
    m_info.account = std::move(account);
    for (const MaskedImage& masked : m_images) {
        m_info.sizes.take({masked.image.height, masked.image.width});
    }
    m_info.imageShape.height = m_info.sizes.most.height;
    m_info.imageShape.width = m_info.sizes.most.width;
}

std::int64_t MaskedImages::size() const
{
    return std::ssize(m_images);
}

ExampleView MaskedImages::example(std::int64_t index) const
{
    const MaskedImage& masked = at(index);
    const std::int32_t label = masked.mask.empty() ? kClean : kDefective;
    return {
        masked.image.pixels, label, Shape{masked.image.height, masked.image.width, 1}, masked.mask};
}

std::string MaskedImages::exampleName(std::int64_t index) const
{
    return at(index).name;
}

} // namespace lockstep
