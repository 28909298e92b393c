// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/image_codec.h"

namespace lockstep {

// PNG alone, by libpng; see the functions of the same kind in dataset/codecs/image_codec.h. Gamma
// and profiles of colours are left out, as TensorFlow does.

ImageSize readPngSize(std::span<const std::byte> file, const std::string& name);
/// Of values of 16 bits the upper 8 are taken.
void decodePng(
    std::span<const std::byte> file, const std::string& name, int channels, DecodedImage& into);
WideValues decodeWidePng(std::span<const std::byte> file, const std::string& name);

} // namespace lockstep
