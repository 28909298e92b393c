// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/shape.h"
#include "input/resize.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// How the marks of an image become labels for the cells of a segmentation net, of which one stands
/// for 8 x 8 pixels of its input.
enum class MaskLabel {
    Pooled,  ///< SegDecNet's authors: the marks, resized as the image is, averaged over 17 x 17
             ///< pixels in steps of 8 (padding SAME, padded cells not counted): 0 to 1
    Reduced, ///< the third-party net: the marks resized to the cells at once, 1 where more than
             ///< 1/255 of a mark is left, else 0
};

/// Names as in a configuration: "pooled", "reduced".
inline constexpr std::array<const char*, 2> kMaskLabelNames{"pooled", "reduced"};

/// Pixels of the input, in each direction, that a cell stands for.
inline constexpr std::int64_t kPixelsPerCell = 8;

/// Makes the labels of one mask after another. Holds the working memory: one per thread.
class MaskLabeller
{
public:
    /// For inputs of height x width. Throws Error(BadInput) unless both are multiples of 8.
    MaskLabeller(std::int64_t height, std::int64_t width, MaskLabel kind, PixelGrid grid);

    /// Gives masks of this width their room.
    void reserve(std::int64_t widest);

    /// Height / 8 x width / 8 cells, one channel.
    [[nodiscard]] Shape shape() const noexcept { return m_shape; }

    /// `mask` as ExampleView::mask, with pixels. `labels` gets shape().elements() values.
    void apply(const ByteImage& mask, Mirror mirror, std::span<float> labels);

    /// Bytes of working memory.
    [[nodiscard]] static std::int64_t bytes(
        std::int64_t height, std::int64_t width, MaskLabel kind, std::int64_t widest);

private:
    void pool(std::span<float> labels);

    Shape m_shape;
    Shape m_resized; ///< of the mask before it is pooled
    MaskLabel m_kind;
    BilinearResizer m_resizer;
    std::vector<float> m_marks;      ///< m_resized
    std::vector<float> m_columnSums; ///< over the rows of a window
};

} // namespace lockstep
