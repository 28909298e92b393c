// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// Where the pixels of an image stand when it is resized, that is, which place of the old image
/// pixel i of the new one is made of (scale = old size / new size):
enum class PixelGrid {
    Corners, ///< i * scale: resize_bilinear of TensorFlow 1 by default (align_corners and
             ///< half_pixel_centers off), which SegDecNet's authors train with
    Centers, ///< (i + 1/2) * scale - 1/2: OpenCV's, which the third-party SegDecNet trains with
};

/// Exchanges of an image's sides.
struct Mirror
{
    bool isHorizontal = false; ///< left and right
    bool isVertical = false;   ///< top and bottom
};

/// The bytes of an image of one channel, row by row.
struct ByteImage
{
    std::span<const std::uint8_t> pixels; ///< height x width
    std::int64_t height = 0;
    std::int64_t width = 0;
};

/// Resizes images by bilinear interpolation between the two nearest pixels in each direction, as
/// the frameworks do it: without a filter when made smaller. Places beyond the last pixel take its
/// value. Mirroring comes first: the result is that of a mirrored file. The same bits on every
/// processor. Holds the working memory: one per thread, and no allocation for images whose width is
/// at most the widest.
class BilinearResizer
{
public:
    /// Makes images of height x width.
    BilinearResizer(std::int64_t height, std::int64_t width, PixelGrid grid);

    /// Gives images of this width their room.
    void reserve(std::int64_t widest);

    /// `destination` gets height x width values: the interpolated bytes times `scale`.
    void apply(const ByteImage& image, Mirror mirror, float scale, std::span<float> destination);

    /// Bytes of working memory.
    [[nodiscard]] static std::int64_t bytes(
        std::int64_t height, std::int64_t width, std::int64_t widest);

private:
    /// The two pixels that a new one lies between, and its distance from the first.
    struct Tap
    {
        std::int32_t first = 0;
        std::int32_t second = 0;
        float share = 0.0F;
    };

    void plan(std::int64_t size, bool isMirrored, std::vector<Tap>& taps) const;

    PixelGrid m_grid;
    std::vector<Tap> m_rows;
    std::vector<Tap> m_columns;
    std::vector<float> m_line; ///< a row between two of the image's
};

} // namespace lockstep
