// SPDX-License-Identifier: Apache-2.0
#include "storage/events/png_image.h"

#include "base/error.h"

#include <png.h>

#include <utility>

namespace lockstep {

PngImage encodePng(const Shape& shape, std::span<const std::uint8_t> pixels)
{
    require(shape.channels == 1 || shape.channels == 3, "a PNG is grey or red, green, blue");
    require(std::ssize(pixels) == shape.elements(), "a PNG of another size than its pixels");
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.height = static_cast<png_uint_32>(shape.height);
    image.width = static_cast<png_uint_32>(shape.width);
    image.format = shape.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string bytes(size, '\0');
    const int isDone =
        png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr);
    if (isDone == 0) {
        fail(ErrorCode::OutOfMemory, "a picture can't be encoded as PNG: {}", image.message);
    }
    bytes.resize(size);
    return {shape.height, shape.width, shape.channels, std::move(bytes)};
}

} // namespace lockstep
