// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/jpeg_codec.h"

#include "dataset/codecs/exif_orientation.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <string_view>

// They need what <cstdio> declares.
#include <jpeglib.h>

#include <jerror.h>

namespace lockstep {
namespace {

using namespace std::string_view_literals;

constexpr int kInks = 4;
/// Neighbours that a column of thinned out colours is interpolated from.
constexpr JDIMENSION kNeighbours = 2;

/// Whether the library need not guess any pixel for what it warns of. Such files are not rare.
bool isHarmless(int warning)
{
    return warning == JWRN_EXTRANEOUS_DATA || warning == JWRN_NOT_SEQUENTIAL
           || warning == JWRN_JFIF_MAJOR;
}

/// The light that is left by four inks, red, green and blue.
std::array<std::uint8_t, 3> lightOf(const std::uint8_t* inks, bool isInverted)
{
    constexpr unsigned kFull = 255;
    const auto light = [&](int ink) -> unsigned {
        return isInverted ? inks[ink] : kFull - inks[ink];
    };
    std::array<std::uint8_t, 3> colour{};
    for (int c = 0; c < 3; ++c) {
        colour[static_cast<std::size_t>(c)] =
            static_cast<std::uint8_t>((light(c) * light(3) + kFull / 2) / kFull);
    }
    return colour;
}

/// One file on its way through libjpeg, of which errors, and warnings that are none to let pass,
/// are told by a jump.
class JpegReader
{
public:
    JpegReader(std::span<const std::byte> file, const std::string& name)
        : m_file(file), m_name(name)
    {
        m_info.err = jpeg_std_error(&m_errors);
        m_info.client_data = this;
        m_errors.error_exit = [](j_common_ptr info) { readerOf(info).jump(); };
        m_errors.emit_message = [](j_common_ptr info, int level) {
            if (level < 0 && !isHarmless(info->err->msg_code)) {
                readerOf(info).jump();
            }
        };
        m_progress.progress_monitor = [](j_common_ptr info) {
            JpegReader& reader = readerOf(info);
            if (reader.m_info.input_scan_number > kMostScans) {
                reader.m_hasTooManyScans = true;
                reader.jump();
            }
        };
        guarded([&] {
            jpeg_create_decompress(&m_info);
            m_info.progress = &m_progress;
        });
    }
    ~JpegReader() { jpeg_destroy_decompress(&m_info); }
    JpegReader(const JpegReader&) = delete;
    JpegReader& operator=(const JpegReader&) = delete;

    ImageSize readHeader()
    {
        guarded([&] {
            jpeg_mem_src(
                &m_info, reinterpret_cast<const unsigned char*>(m_file.data()), m_file.size());
            jpeg_read_header(&m_info, TRUE);
        });
        const ImageSize size{m_info.image_height, m_info.image_width};
        checkSize(size, m_name);
        return size;
    }

    void decode(const ImageSize& whole, const JpegRequest& request, DecodedImage& into)
    {
        checkEnd();
        const bool isInks =
            m_info.jpeg_color_space == JCS_CMYK || m_info.jpeg_color_space == JCS_YCCK;
        const bool isGrey = request.colours == JpegColours::Grey;
        guarded([&] {
            m_info.scale_num = 1;
            m_info.scale_denom = static_cast<unsigned>(request.divisor);
            m_info.out_color_space = isInks ? JCS_CMYK : isGrey ? JCS_GRAYSCALE : JCS_RGB;
            m_info.dct_method = JDCT_ISLOW;
            jpeg_start_decompress(&m_info);
        });
        const ImageSize scaled{m_info.output_height, m_info.output_width};
        const CropBox all{0, 0, scaled.height, scaled.width};
        const CropBox crop = request.crop ? storedCrop(
                                 scaledCrop(
                                     *request.crop, turnedSize(whole, request.orientation),
                                     turnedSize(scaled, request.orientation)),
                                 scaled, request.orientation)
                                          : all;
        const JDIMENSION left = narrow(crop, scaled);
        into.height = crop.height;
        into.width = crop.width;
        const auto channels = static_cast<std::size_t>(request.colours);
        const std::size_t rowValues = static_cast<std::size_t>(crop.width) * channels;
        const std::size_t values = static_cast<std::size_t>(crop.height) * rowValues;
        const std::size_t readValues =
            m_info.output_width * static_cast<std::size_t>(m_info.output_components);
        // Each row is read to where it will stand, with what is beside it, which the next
        // overwrites.
        makeRoom(values - rowValues + std::max(readValues, rowValues), m_name, into.pixels);
        guarded([&] {
            jpeg_skip_scanlines(&m_info, static_cast<JDIMENSION>(crop.row));
            for (std::uint8_t* row = into.pixels.data(); row != into.pixels.data() + values;
                 row += rowValues) {
                std::uint8_t* line = row;
                jpeg_read_scanlines(&m_info, &line, 1);
                const std::uint8_t* wanted =
                    row + left * static_cast<std::size_t>(m_info.output_components);
                if (isInks) {
                    mixInks(wanted, channels, {row, rowValues});
                } else if (left > 0) {
                    std::memmove(row, wanted, rowValues);
                }
            }
            if (m_info.output_scanline == m_info.output_height) {
                jpeg_finish_decompress(&m_info);
            }
        });
        into.pixels.resize(values);
    }

private:
    static JpegReader& readerOf(j_common_ptr info)
    {
        return *static_cast<JpegReader*>(info->client_data);
    }

    [[noreturn]] void jump() { std::longjmp(m_landing, 1); }

    /// No call may hold anything that has to be destroyed: an error jumps over it.
    template<class Call>
    void guarded(Call call)
    {
        if (setjmp(m_landing) == 0) {
            call();
            return;
        }
        if (m_errors.msg_code == JERR_OUT_OF_MEMORY) {
            refuseForMemory(m_name);
        }
        std::array<char, JMSG_LENGTH_MAX> reason{};
        if (m_hasTooManyScans) {
            std::snprintf(reason.data(), reason.size(), "more than %d scans", kMostScans);
        } else {
            m_errors.format_message(reinterpret_cast<j_common_ptr>(&m_info), reason.data());
        }
        if (const char* const kind = unsupportedKind()) {
            refuseUnsupported(m_name, kind);
        }
        refuseImage(m_name, reason.data());
    }

    /// What the library says it can't do, of files that others can read; none for a damaged one.
    [[nodiscard]] const char* unsupportedKind() const
    {
        const int value = m_errors.msg_parm.i[0];
        switch (m_hasTooManyScans ? JMSG_NOMESSAGE : m_errors.msg_code) {
        case JERR_BAD_PRECISION:
            return value == 12   ? "12 bits a sample are"
                   : value == 16 ? "16 bits a sample are"
                                 : nullptr;
        case JERR_SOF_UNSUPPORTED:
            return value == 0xC3 || value == 0xCB ? "lossless JPEG is" : "hierarchical JPEG is";
        case JERR_UNKNOWN_MARKER: // 0xF7 begins the frame of JPEG-LS
            return value == 0xF7 ? "JPEG-LS is" : nullptr;
        case JERR_EMPTY_IMAGE:
            return hasLateHeight() ? "a JPEG whose height stands behind its pixels is" : nullptr;
        case JERR_ARITH_NOTIMPL:
            return "arithmetic-coded JPEG is";
        case JERR_CONVERSION_NOTIMPL:
            return "this JPEG's kind of colours is";
        default:
            return nullptr;
        }
    }

    /// It has the mark that says so (DNL).
    [[nodiscard]] bool hasLateHeight() const
    {
        const std::string_view bytes(reinterpret_cast<const char*>(m_file.data()), m_file.size());
        return bytes.find("\xFF\xDC\0\4"sv) != std::string_view::npos;
    }

    /// The end has to stand somewhere behind the header: within the pixels its bytes can't.
    void checkEnd()
    {
        const std::string_view rest(
            reinterpret_cast<const char*>(m_info.src->next_input_byte),
            m_info.src->bytes_in_buffer);
        if (rest.rfind("\xFF\xD9"sv) == std::string_view::npos) {
            refuseImage(m_name, "it is cut short");
        }
    }

    /// The library miscounts the columns of colours that were thinned out by more than it makes up
    /// for as it decodes them at a fraction of the size (4:1:1 at a half): they would end too
    /// early.
    [[nodiscard]] bool canNarrow() const
    {
        return std::all_of(
            m_info.comp_info, m_info.comp_info + m_info.num_components,
            [&](const jpeg_component_info& colour) {
                const bool isWhole = colour.h_samp_factor * colour.DCT_scaled_size
                                     == m_info.max_h_samp_factor * m_info.min_DCT_scaled_size;
                return isWhole || colour.DCT_scaled_size == m_info.min_DCT_scaled_size;
            });
    }

    /// Has the columns of a crop decoded alone, and those that they are interpolated from. Where
    /// the crop begins among them.
    JDIMENSION narrow(const CropBox& crop, const ImageSize& scaled)
    {
        const auto column = static_cast<JDIMENSION>(crop.column);
        if (!canNarrow()) {
            return column;
        }
        JDIMENSION first = column > kNeighbours ? column - kNeighbours : 0;
        const auto end = std::min(
            static_cast<JDIMENSION>(crop.column + crop.width) + kNeighbours,
            static_cast<JDIMENSION>(scaled.width));
        JDIMENSION count = end - first;
        if (count < m_info.output_width) {
            guarded([&] { jpeg_crop_scanline(&m_info, &first, &count); });
        }
        return column - first;
    }

    void mixInks(const std::uint8_t* inks, std::size_t channels, std::span<std::uint8_t> row) const
    {
        for (std::size_t i = 0; i < row.size(); i += channels, inks += kInks) {
            const auto colour = lightOf(inks, m_info.saw_Adobe_marker != 0);
            if (channels == 1) {
                row[i] = luminance(colour);
            } else {
                std::memcpy(row.data() + i, colour.data(), colour.size());
            }
        }
    }

    std::span<const std::byte> m_file;
    const std::string& m_name;
    jpeg_decompress_struct m_info{};
    jpeg_error_mgr m_errors{};
    jpeg_progress_mgr m_progress{};
    std::jmp_buf m_landing{};
    bool m_hasTooManyScans = false;
};

} // namespace

ImageSize readJpegSize(std::span<const std::byte> file, const std::string& name)
{
    return JpegReader(file, name).readHeader();
}

void decodeJpeg(
    std::span<const std::byte> file, const std::string& name, const JpegRequest& request,
    DecodedImage& into)
{
    JpegReader reader(file, name);
    reader.decode(reader.readHeader(), request, into);
    turnImage(into, static_cast<int>(request.colours), request.orientation, name);
}

} // namespace lockstep
