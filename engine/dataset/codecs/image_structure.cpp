// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/image_structure.h"

#include "dataset/codecs/bmp_codec.h"
#include "dataset/codecs/image_codec.h"
#include "dataset/codecs/jpeg_codec.h"
#include "dataset/codecs/png_codec.h"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace lockstep {
namespace {

using namespace std::string_view_literals;

constexpr const char* kCutShort = "it is cut short";

/// The segments and scans of a JPEG, one after the other.
class JpegWalk
{
public:
    JpegWalk(std::string_view file, const std::string& name) : m_file(file), m_name(name) {}

    void toEnd()
    {
        constexpr std::size_t kStart = 2;
        m_place = kStart;
        bool hasFrame = false;
        int scans = 0;
        for (unsigned mark = next(); mark != kEnd; mark = next()) {
            if (standsAlone(mark)) {
                continue;
            }
            skipSegment();
            hasFrame = hasFrame || isFrame(mark);
            if (mark == kScan && ++scans > kMostScans) {
                refuseImage(m_name, fmt::format("more than {} scans", kMostScans).c_str());
            }
        }
        if (!hasFrame || scans == 0) {
            refuseImage(m_name, "it holds no pixels");
        }
    }

private:
    static constexpr unsigned kEnd = 0xD9;
    static constexpr unsigned kScan = 0xDA;

    /// A byte of pixels that looks like a mark, the marks within a scan, and the start.
    static bool standsAlone(unsigned mark)
    {
        return mark <= 0x01 || (mark >= 0xD0 && mark <= 0xD8);
    }

    /// Of the marks from C0 to CF three are none of a frame: tables of two kinds, and a reserve.
    static bool isFrame(unsigned mark)
    {
        return mark >= 0xC0 && mark <= 0xCF && mark != 0xC4 && mark != 0xC8 && mark != 0xCC;
    }

    /// The next mark. What stands before it are the pixels of a scan, or bytes that the library
    /// skips as well.
    unsigned next()
    {
        m_place = m_file.find('\xFF', m_place);
        m_place = m_file.find_first_not_of('\xFF', m_place); // any number of them may come first
        if (m_place == std::string_view::npos) {
            refuseImage(m_name, kCutShort);
        }
        return byteAt(m_place++);
    }

    void skipSegment()
    {
        if (m_place + 2 > m_file.size()) {
            refuseImage(m_name, kCutShort);
        }
        // The library lets a length pass that is less than its own two bytes.
        m_place += std::max<std::size_t>(2, byteAt(m_place) << 8U | byteAt(m_place + 1));
    }

    [[nodiscard]] unsigned byteAt(std::size_t place) const
    {
        return static_cast<unsigned char>(m_file[place]);
    }

    std::string_view m_file;
    const std::string& m_name;
    std::size_t m_place = 0;
};

std::size_t numberAt(std::string_view bytes, std::size_t place)
{
    std::size_t number = 0;
    for (std::size_t i = place; i < place + 4; ++i) {
        number = number << 8U | static_cast<unsigned char>(bytes[i]);
    }
    return number;
}

void checkChunks(std::string_view rest, const std::string& name)
{
    constexpr std::size_t kSignature = 8;
    constexpr std::size_t kType = 4; // behind the length, and as long
    constexpr std::size_t kAround = 12;
    rest.remove_prefix(kSignature);
    bool hasPixels = false;
    for (std::string_view type; type != "IEND"sv;) {
        const std::size_t length = rest.size() < kAround ? rest.size() : numberAt(rest, 0);
        if (rest.size() < kAround || length > rest.size() - kAround) {
            refuseImage(name, kCutShort);
        }
        type = rest.substr(kType, 4);
        const auto* const checked = reinterpret_cast<const Bytef*>(type.data());
        if (crc32(0, checked, static_cast<uInt>(4 + length)) != numberAt(rest, 8 + length)) {
            refuseImage(name, "CRC error");
        }
        hasPixels = hasPixels || type == "IDAT"sv;
        rest.remove_prefix(kAround + length);
    }
    if (!hasPixels) {
        refuseImage(name, "it holds no pixels");
    }
}

} // namespace

void checkStructure(std::span<const std::byte> file, const std::string& name)
{
    const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
    switch (imageFormatOf(file, name)) {
    case ImageFormat::Jpeg:
        JpegWalk(bytes, name).toEnd();
        break;
    case ImageFormat::Png:
        readPngSize(file, name); // its first chunk
        checkChunks(bytes, name);
        break;
    case ImageFormat::Bmp:
        checkBmpLength(file, name);
        break;
    }
}

} // namespace lockstep
