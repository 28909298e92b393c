// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/png_codec.h"

#include "base/error.h"

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>

namespace lockstep {
namespace {

using namespace std::string_view_literals;

/// One file on its way through libpng, which tells an error by a jump.
class PngReader
{
public:
    PngReader(std::span<const std::byte> file, const std::string& name)
        : m_name(name), m_rest(file), m_png(png_create_read_struct(
                                          PNG_LIBPNG_VER_STRING, this, &PngReader::onError,
                                          [](png_structp, png_const_charp) {})),
          m_info(m_png == nullptr ? nullptr : png_create_info_struct(m_png))
    {
        if (m_info == nullptr) {
            png_destroy_read_struct(&m_png, nullptr, nullptr);
            refuseForMemory(name);
        }
    }
    ~PngReader() { png_destroy_read_struct(&m_png, &m_info, nullptr); }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    /// Up to the pixels. Then `prepare(png, info)` says what they become.
    template<class Prepare>
    void start(Prepare prepare)
    {
        guarded([&] {
            png_set_read_fn(m_png, this, &PngReader::onRead);
            png_set_user_limits(m_png, kMostSide, kMostSide);
            png_set_crc_action(m_png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
            png_read_info(m_png, m_info);
            prepare(m_png, m_info);
            m_passes = png_set_interlace_handling(m_png);
            png_read_update_info(m_png, m_info);
        });
    }

    /// Rows of rowBytes() each, one behind the other, and what stands behind them in the file.
    void readRows(png_byte* rows)
    {
        const std::size_t bytes = rowBytes();
        const png_uint_32 height = png_get_image_height(m_png, m_info);
        guarded([&] {
            for (int pass = 0; pass < m_passes; ++pass) {
                for (png_uint_32 row = 0; row < height; ++row) {
                    png_read_row(m_png, rows + row * bytes, nullptr);
                }
            }
            png_read_end(m_png, nullptr);
        });
    }

    [[nodiscard]] std::size_t rowBytes() const { return png_get_rowbytes(m_png, m_info); }
    [[nodiscard]] int channels() const { return png_get_channels(m_png, m_info); }

private:
    /// No call may hold anything that has to be destroyed: an error jumps over it.
    template<class Call>
    void guarded(Call call)
    {
        if (setjmp(m_landing) == 0) {
            call();
            return;
        }
        if (std::string_view(m_reason.data()).find("memory"sv) != std::string_view::npos) {
            refuseForMemory(m_name);
        }
        refuseImage(m_name, m_reason.data());
    }

    static void onError(png_structp png, png_const_charp reason)
    {
        auto& self = *static_cast<PngReader*>(png_get_error_ptr(png));
        std::snprintf(self.m_reason.data(), self.m_reason.size(), "%s", reason);
        std::longjmp(self.m_landing, 1);
    }

    static void onRead(png_structp png, png_bytep bytes, std::size_t count)
    {
        auto& self = *static_cast<PngReader*>(png_get_io_ptr(png));
        if (count > self.m_rest.size()) {
            png_error(png, "it is cut short");
        }
        std::memcpy(bytes, self.m_rest.data(), count);
        self.m_rest = self.m_rest.subspan(count);
    }

    const std::string& m_name;
    std::span<const std::byte> m_rest;
    std::jmp_buf m_landing{};
    std::array<char, 128> m_reason{};
    int m_passes = 1;
    png_structp m_png;
    png_infop m_info;
};

constexpr int kAllBits = 16;

void makeWide(std::size_t values, const std::string& name, std::vector<std::uint16_t>& room)
{
    try {
        room.resize(values);
    } catch (const std::bad_alloc&) {
        refuseForMemory(name);
    }
}

/// To bytes, or to 16 bits, without transparency.
void expand(png_structp png, int channels)
{
    png_set_expand(png);
    png_set_strip_alpha(png);
    if (channels == 3) {
        png_set_gray_to_rgb(png);
    }
}

/// Whether its values have 16 bits. Needs the header.
bool isDeep(std::span<const std::byte> file)
{
    constexpr std::size_t kDepth = 24;
    return std::to_integer<int>(file[kDepth]) == kAllBits;
}

/// Values of 16 bits.
struct DeepValues
{
    std::vector<std::uint16_t> values;
    int channels = 0;
    int significant = kAllBits; ///< of the bits, as the file says

    [[nodiscard]] std::uint16_t most() const { return *std::ranges::max_element(values); }

    /// Where fewer bits are significant the format wants values scaled up to 16 by repeating their
    /// upper bits below, or at least shifted. Programs that store a camera's values as they are
    /// don't: none then needs more bits, and some are odd.
    [[nodiscard]] int usedBits() const
    {
        const unsigned below = (1U << static_cast<unsigned>(kAllBits - significant)) - 1U;
        const bool isPlain = (most() >> static_cast<unsigned>(significant)) == 0
                             && std::ranges::any_of(values, [below](std::uint16_t value) {
                                    return (value & below) != 0;
                                });
        return isPlain ? significant : kAllBits;
    }
};

DeepValues decodeDeep(std::span<const std::byte> file, const std::string& name, int channels)
{
    const ImageSize size = readPngSize(file, name);
    PngReader reader(file, name);
    DeepValues deep;
    reader.start([&](png_structp png, png_infop info) {
        png_color_8p bits = nullptr;
        if (png_get_sBIT(png, info, &bits) != 0) {
            const bool isGrey = (png_get_color_type(png, info) & PNG_COLOR_MASK_COLOR) == 0;
            deep.significant = isGrey ? bits->gray : std::max({bits->red, bits->green, bits->blue});
        }
        expand(png, channels);
        png_set_swap(png); // they are kept with the upper byte first
    });
    deep.channels = reader.channels();
    makeWide(
        static_cast<std::size_t>(size.height * size.width)
            * static_cast<std::size_t>(deep.channels),
        name, deep.values);
    reader.readRows(reinterpret_cast<png_byte*>(deep.values.data()));
    return deep;
}

/// To the upper 8 of `bits`.
void narrow(
    const DeepValues& deep, int bits, const std::string& name, std::vector<std::uint8_t>& into)
{
    if ((deep.most() >> static_cast<unsigned>(bits)) != 0) {
        fail(
            ErrorCode::Data,
            "{}: has a value of {}, which are more than the {} bits that dataset.bits says", name,
            deep.most(), bits);
    }
    makeRoom(deep.values.size(), name, into);
    std::ranges::transform(deep.values, into.begin(), [bits](std::uint16_t value) {
        constexpr int kByteBits = 8;
        return bits < kByteBits ? static_cast<std::uint8_t>(value << (kByteBits - bits))
                                : static_cast<std::uint8_t>(value >> (bits - kByteBits));
    });
}

} // namespace

ImageSize readPngSize(std::span<const std::byte> file, const std::string& name)
{
    constexpr std::size_t kType = 12; // behind the signature and the length of the first chunk
    constexpr std::size_t kSize = 16;
    constexpr std::size_t kChecksum = 29;
    constexpr std::size_t kEnd = 33;
    const auto* const bytes = reinterpret_cast<const png_byte*>(file.data());
    if (file.size() < kEnd) {
        refuseImage(name, "it is cut short");
    }
    if (std::memcmp(bytes + kType, "CgBI", 4) == 0) {
        refuseUnsupported(name, "PNG as Apple packs it (CgBI) is");
    }
    if (std::memcmp(bytes + kType, "IHDR", 4) != 0
        || crc32(0, bytes + kType, kChecksum - kType) != png_get_uint_32(bytes + kChecksum)) {
        refuseImage(name, "its header does not match its checksum");
    }
    const ImageSize size{
        static_cast<std::int64_t>(png_get_uint_32(bytes + kSize + 4)),
        static_cast<std::int64_t>(png_get_uint_32(bytes + kSize))};
    checkSize(size, name);
    return size;
}

void decodePng(
    std::span<const std::byte> file, const std::string& name, int channels, int bits,
    DecodedImage& into)
{
    const ImageSize size = readPngSize(file, name);
    const auto pixels = static_cast<std::size_t>(size.height * size.width);
    int found = 0;
    if (isDeep(file)) {
        const DeepValues deep = decodeDeep(file, name, channels);
        found = deep.channels;
        narrow(deep, bits == 0 ? deep.usedBits() : bits, name, into.pixels);
    } else {
        PngReader reader(file, name);
        reader.start([&](png_structp png, png_infop) { expand(png, channels); });
        found = reader.channels();
        makeRoom(pixels * static_cast<std::size_t>(found), name, into.pixels);
        reader.readRows(into.pixels.data());
    }
    into.height = size.height;
    into.width = size.width;
    if (found != channels) {
        for (std::size_t i = 0; i < pixels; ++i) {
            into.pixels[i] =
                luminance({into.pixels[3 * i], into.pixels[3 * i + 1], into.pixels[3 * i + 2]});
        }
        into.pixels.resize(pixels);
    }
}

int unsaidPngBits(std::span<const std::byte> file, const std::string& name)
{
    readPngSize(file, name);
    if (!isDeep(file)) {
        return 0;
    }
    const DeepValues deep = decodeDeep(file, name, 1);
    return deep.usedBits() < kAllBits ? 0 : static_cast<int>(std::bit_width(deep.most()));
}

WideValues decodeWidePng(std::span<const std::byte> file, const std::string& name)
{
    const ImageSize size = readPngSize(file, name);
    PngReader reader(file, name);
    png_colorp colours = nullptr;
    int entries = 0;
    reader.start([&](png_structp png, png_infop info) {
        if (png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE) {
            png_get_PLTE(png, info, &colours, &entries);
            png_set_packing(png);
        } else {
            png_set_expand_16(png);
            png_set_swap(png); // they are kept with the upper byte first
        }
    });
    WideValues wide{size.height, size.width, reader.channels(), {}, {}};
    const std::size_t values = static_cast<std::size_t>(size.height * size.width)
                               * static_cast<std::size_t>(wide.channels);
    makeWide(values, name, wide.values);
    if (colours == nullptr) {
        reader.readRows(reinterpret_cast<png_byte*>(wide.values.data()));
        return wide;
    }
    std::vector<std::uint8_t> indices;
    makeRoom(values, name, indices);
    reader.readRows(indices.data());
    std::ranges::copy(indices, wide.values.begin());
    for (int i = 0; i < entries; ++i) {
        wide.palette.push_back({colours[i].red, colours[i].green, colours[i].blue});
    }
    return wide;
}

} // namespace lockstep
