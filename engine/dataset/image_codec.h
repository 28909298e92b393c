// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

// What the decoders of grey images, of masks and of colours have in common. `name` is what errors
// call the file. All functions are thread-safe.

enum class ImageFormat { Jpeg, Png, Bmp };

/// Told by the first bytes. Throws Error(Data) for an empty file and for any other format.
ImageFormat imageFormatOf(std::span<const std::byte> file, const std::string& name);

/// Throws Error(Data): the image is damaged, for this reason.
[[noreturn]] void refuseImage(const std::string& name, const char* reason);

/// What a JPEG becomes, in bytes a pixel.
enum class JpegColours { Grey = 1, Rgb = 3 };

/// Values of an image, row by row, all channels of a pixel side by side.
struct DecodedValues
{
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<std::uint8_t> values;
};

struct JpegHeader
{
    std::int64_t height = 0;
    std::int64_t width = 0;
    bool hasInks = false; ///< CMYK or YCCK, as printers want it
};

/// Throws Error(Data) for a damaged header and sides of more than 16,384 pixels.
JpegHeader readJpegHeader(std::span<const std::byte> file, const std::string& name);

/// Decodes with sides divided by `divisor` (1, 2, 4 or 8, rounded up), by libjpeg-turbo's exact
/// transform; inks become colours, those of Adobe's programs, which are stored inverted, too. What
/// is there already of `into` is room. Throws Error(Data) for damaged and truncated files; what the
/// library only warns of and that changes no pixel is let pass.
void decodeJpeg(
    std::span<const std::byte> file, const std::string& name, JpegColours colours, int divisor,
    DecodedValues& into);

/// The size that a PNG or BMP tells. Throws as decodeOther.
DecodedValues readOtherHeader(std::span<const std::byte> file, const std::string& name);

/// Decodes a PNG or BMP to 1 or 3 bytes a pixel. Throws Error(Data) for damaged and truncated files
/// and sides of more than 16,384 pixels.
void decodeOther(
    std::span<const std::byte> file, const std::string& name, int channels, DecodedValues& into);

/// Values of 16 bits with all channels of the file.
struct WideValues
{
    std::int64_t height = 0;
    std::int64_t width = 0;
    int channels = 0; ///< the last one of an even number is transparency
    std::vector<std::uint16_t> values;
};

/// Decodes a PNG or BMP such that nothing small becomes zero. Throws as decodeOther.
WideValues decodeWide(std::span<const std::byte> file, const std::string& name);

} // namespace lockstep
