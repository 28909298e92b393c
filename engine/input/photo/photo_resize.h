// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/colour_image.h"
#include "input/photo/photo_resize_kernels.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// How a crop is brought to the size that the network reads, as TensorFlow 1 does it (align_corners
/// off: pixel i of n lies at i * size / n). All but Area make an image smaller without a filter.
enum class ResizeMethod {
    Bilinear, ///< between the two nearest pixels in each direction
    Nearest,  ///< the pixel at or before the place
    Bicubic,  ///< between four (Keys, "Cubic convolution interpolation", 1981, with a = -0.75)
    Area,     ///< the mean of what the new pixel covers
};

/// Resizes colour images. The same bits on every processor. Holds the working memory: one
/// per thread.
class PhotoResizer
{
public:
    /// Makes images of height x width.
    PhotoResizer(std::int64_t height, std::int64_t width);

    /// `destination` gets height x width x 3 values of 0 to 1 (Bicubic may go beyond), left and
    /// right exchanged if wanted.
    void apply(
        const ColourImage& image, ResizeMethod method, bool isFlipped,
        std::span<float> destination);

    /// Bytes of working memory for images of at most this width.
    [[nodiscard]] static std::int64_t bytes(
        std::int64_t height, std::int64_t width, std::int64_t widest);

private:
    /// The pixels that each new one of an axis is made of, and their shares.
    struct Axis
    {
        std::vector<std::int32_t> ends; ///< of the taps of each new pixel
        std::vector<std::int32_t> places;
        std::vector<float> shares;

        void add(std::int64_t place, double share);
        void plan(std::int64_t count, std::int64_t size, ResizeMethod method, bool isFlipped);
    };

    std::int64_t m_height;
    std::int64_t m_width;
    Axis m_rows;
    Axis m_columns;
    std::vector<SharedRow> m_shared; ///< of the new row that is being made
    std::vector<float> m_line;       ///< a new row, of the image's columns
};

} // namespace lockstep
