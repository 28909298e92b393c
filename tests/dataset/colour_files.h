// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/colour_image.h"

#include <turbojpeg.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockstep::test {

/// An image of one colour.
inline ColourImage flatImage(
    std::int64_t height, std::int64_t width, const std::array<std::uint8_t, 3>& colour)
{
    ColourImage image{height, width, {}};
    for (std::int64_t i = 0; i < height * width; ++i) {
        image.pixels.insert(image.pixels.end(), colour.begin(), colour.end());
    }
    return image;
}

/// As libjpeg-turbo writes values of this pixel format, without thinning out colours.
inline std::string jpegOfValues(
    const std::vector<std::uint8_t>& values, std::int64_t height, std::int64_t width, int format,
    int sampling = TJSAMP_444)
{
    tjhandle encoder = tjInitCompress();
    unsigned char* data = nullptr;
    unsigned long size = 0;
    constexpr int kQuality = 98;
    tjCompress2(
        encoder, values.data(), static_cast<int>(width), 0, static_cast<int>(height), format, &data,
        &size, sampling, kQuality, 0);
    std::string bytes(reinterpret_cast<char*>(data), size);
    tjFree(data);
    tjDestroy(encoder);
    return bytes;
}

inline std::string jpegOf(const ColourImage& image)
{
    return jpegOfValues(image.pixels, image.height, image.width, TJPF_RGB);
}

inline std::span<const std::byte> asBytes(const std::string& text)
{
    return std::as_bytes(std::span(text));
}

} // namespace lockstep::test
