// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/gray_image.h"
#include "dataset/examples/dataset.h"

#include <string>
#include <vector>

namespace lockstep {

/// Names of the labels of data sets that tell defective images from clean ones.
inline constexpr std::int32_t kClean = 0;
inline constexpr std::int32_t kDefective = 1;

/// A grey image and what is marked of it.
struct MaskedImage
{
    std::string name;
    GrayImage image;
    std::vector<std::uint8_t> mask; ///< as ExampleView::mask
};

/// Grey images of any sizes with masks, in memory; labelled kDefective where anything is marked.
class MaskedImages final : public Dataset
{
public:
    /// Needs at least one image.
    MaskedImages(
        std::string name, Split split, std::vector<MaskedImage> images, std::string layout = {},
        DataAccount account = {});

    /// See DatasetInfo; until the data set is used.
    void setDrawn(bool isDrawn) { m_info.isDrawn = isDrawn; }
    [[nodiscard]] const DatasetInfo& info() const override { return m_info; }
    [[nodiscard]] std::int64_t size() const override;
    [[nodiscard]] ExampleView example(std::int64_t index) const override;
    [[nodiscard]] std::string exampleName(std::int64_t index) const override;

private:
    [[nodiscard]] const MaskedImage& at(std::int64_t index) const
    {
        return m_images[static_cast<std::size_t>(index)];
    }

    DatasetInfo m_info;
    std::vector<MaskedImage> m_images;
};

} // namespace lockstep
