// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/image_codec.h"

#include <optional>

namespace lockstep {

// JPEG, by libjpeg-turbo. `name` is what errors call the file. All functions are thread-safe.

/// What a JPEG becomes, in bytes a pixel.
enum class JpegColours { Grey = 1, Rgb = 3 };

/// What is wanted of a JPEG.
struct JpegRequest
{
    JpegColours colours = JpegColours::Rgb;
    int divisor = 1;                  ///< of the sides: 1, 2, 4 or 8; rounded up
    std::optional<CropBox> crop = {}; ///< of the whole image as it is turned; all of it without
    int orientation = 1;              ///< by which it is turned, see exif_orientation.h
};

/// The size that it tells; `file` may end anywhere behind its header. Throws Error(Data) for a
/// damaged header and sizes that checkSize refuses.
ImageSize readJpegSize(std::span<const std::byte> file, const std::string& name);

/// Decodes what is wanted, by libjpeg-turbo's exact transform: the pixels of a crop
/// (scaledCrop of what is asked for) are bit for bit those that the whole image decoded with this
/// divisor has there. Inks become colours, those of Adobe's programs, which are stored inverted,
/// too. What is there already of `into` is room.
///
/// Throws Error(Data) for files that are cut short, for damage in what has to be read for the crop
/// (of what lies below it only the end is looked for), and for more than 100 scans; what the
/// library only warns of and that changes no pixel is let pass.
void decodeJpeg(
    std::span<const std::byte> file, const std::string& name, const JpegRequest& request,
    DecodedImage& into);

} // namespace lockstep
