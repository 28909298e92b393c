// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/image_codec.h"

namespace lockstep {

// BMP alone, by stb; see the functions of the same kind in dataset/codecs/image_codec.h.

/// A BMP says at its start how long it is; the library makes up what is missing. Throws Error(Data)
/// for one that is shorter.
void checkBmpLength(std::span<const std::byte> file, const std::string& name);
ImageSize readBmpSize(std::span<const std::byte> file, const std::string& name);
void decodeBmp(
    std::span<const std::byte> file, const std::string& name, int channels, DecodedImage& into);
WideValues decodeWideBmp(std::span<const std::byte> file, const std::string& name);

} // namespace lockstep
