// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/image_codec.h"

namespace lockstep {

// PNG alone, by libpng; see the functions of the same kind in dataset/codecs/image_codec.h. Gamma
// and profiles of colours are left out, as TensorFlow does.

ImageSize readPngSize(std::span<const std::byte> file, const std::string& name);
/// Of 16 bits the upper 8 that are used are taken: of `bits`; with 0 of all, or, where the file
/// says that fewer are significant (sBIT), of these, if its values were not scaled up to 16 as the
/// format wants it. Throws Error(Data), too, for a value that has more than `bits`.
void decodePng(
    std::span<const std::byte> file, const std::string& name, int channels, int bits,
    DecodedImage& into);
/// As unsaidBits in colour_image.h, of a PNG.
int unsaidPngBits(std::span<const std::byte> file, const std::string& name);
WideValues decodeWidePng(std::span<const std::byte> file, const std::string& name);

} // namespace lockstep
