// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

/// Height and width of the images of a tensor, in cells.
struct ImageExtent
{
    std::int64_t height = 0;
    std::int64_t width = 0;
};

/// Copies a window of images: cell (y, x) of dst is cell (y + top, x + left) of src, or zeros where
/// src has no such cell. Negative top and left pad, positive ones crop.
struct WindowCopy
{
    std::int64_t examples = 0;
    ImageExtent src;
    ImageExtent dst;
    std::int64_t top = 0;
    std::int64_t left = 0;
    std::size_t cellBytes = 0; ///< all channels of a cell; an even number
};

/// Src and dst are 16-byte aligned and don't overlap.
void copyWindow(cudaStream_t stream, const WindowCopy& window, const void* src, void* dst);

} // namespace lockstep::cuda
