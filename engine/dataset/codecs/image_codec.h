// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/image_size.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

// What the decoders of JPEG, PNG and BMP, and those of grey images, of masks and of colours have in
// common. `name` is what errors call the file. All functions are thread-safe.

enum class ImageFormat { Jpeg, Png, Bmp };

/// Told by the first bytes. Throws Error(Data) for an empty file and for any other format, which it
/// names if it is one that people have: WebP, GIF, TIFF, HEIC, a web page.
ImageFormat imageFormatOf(std::span<const std::byte> file, const std::string& name);

/// Throws Error(Data): the image is damaged, for this reason.
[[noreturn]] void refuseImage(const std::string& name, const char* reason);

/// Throws Error(Data): a whole image, of a kind that `what` names with its verb: "RLE is".
[[noreturn]] void refuseUnsupported(const std::string& name, const char* what);

/// Throws Error(OutOfMemory): there is no memory to decode this image.
[[noreturn]] void refuseForMemory(const std::string& name);

/// A header may claim anything: more than this is not believed, and no memory taken for it. The
/// largest photograph of ImageNet has 61 million pixels.
inline constexpr std::int64_t kMostSide = 16'384;
inline constexpr std::int64_t kMostPixels = std::int64_t{1} << 26U;

/// Throws Error(Data) for a size of no pixels and for one beyond kMostSide or kMostPixels.
void checkSize(const ImageSize& size, const std::string& name);

/// Values of 16 bits with all channels of the file.
struct WideValues
{
    std::int64_t height = 0;
    std::int64_t width = 0;
    int channels = 0; ///< the last one of an even number is transparency
    std::vector<std::uint16_t> values;
    /// The colours that values stand for, where they are indices.
    std::vector<std::array<std::uint8_t, 3>> palette = {};
};

/// Makes room for so many values of an image and no more; what was there is lost. Throws
/// Error(OutOfMemory) if there is none.
void makeRoom(std::size_t values, const std::string& name, std::vector<std::uint8_t>& room);

/// Of red, green and blue.
[[nodiscard]] inline std::uint8_t luminance(const std::array<std::uint8_t, 3>& colour)
{
    // Rec. 601 in 256ths.
    return static_cast<std::uint8_t>((77U * colour[0] + 150U * colour[1] + 29U * colour[2]) >> 8U);
}

/// Decodes a PNG or BMP to 1 or 3 bytes a pixel; `bits` as in PixelRules. Throws Error(Data) for
/// damaged and truncated files, PNGs with a wrong checksum anywhere, and sizes that checkSize
/// refuses.
void decodeOther(
    std::span<const std::byte> file, const std::string& name, int channels, int bits,
    DecodedImage& into);

/// Decodes a PNG or BMP such that nothing small becomes zero; values of an indexed image, of one
/// channel, are its indices. Throws as decodeOther.
WideValues decodeWide(std::span<const std::byte> file, const std::string& name);

} // namespace lockstep
