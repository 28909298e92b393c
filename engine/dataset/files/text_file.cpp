// SPDX-License-Identifier: Apache-2.0
#include "dataset/files/text_file.h"

#include "base/error.h"
#include "base/text_bytes.h"

#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace lockstep {
namespace {

using namespace std::string_view_literals;

constexpr const char* kUtf8 = "UTF-8";
constexpr const char* kWestern = "WINDOWS-1252";

/// None where a byte means nothing there, or the system does not know the encoding.
std::optional<std::string> converted(std::string_view bytes, const char* from, const char* to)
{
    const iconv_t converter = iconv_open(to, from);
    if (converter == reinterpret_cast<iconv_t>(-1)) { // NOLINT: as it tells a failure
        return std::nullopt;
    }
    std::string source(bytes);
    std::string result(4 * bytes.size() + 4, '\0');
    char* in = source.data();
    char* out = result.data();
    std::size_t left = source.size();
    std::size_t room = result.size();
    const bool isDone = iconv(converter, &in, &left, &out, &room) != static_cast<std::size_t>(-1);
    iconv_close(converter);
    result.resize(result.size() - room);
    return isDone ? std::optional(std::move(result)) : std::nullopt;
}

/// By its mark, or by where its zeros are: letters of ours have one in each pair of bytes.
const char* wideEncodingOf(std::string_view bytes)
{
    if (bytes.starts_with("\xFF\xFE"sv)) {
        return "UTF-16LE";
    }
    if (bytes.starts_with("\xFE\xFF"sv)) {
        return "UTF-16BE";
    }
    constexpr std::size_t kLooked = 256;
    std::size_t even = 0;
    std::size_t odd = 0;
    for (std::size_t i = 0; i < std::min(bytes.size(), kLooked); ++i) {
        (i % 2 == 0 ? even : odd) += bytes[i] == '\0' ? 1 : 0;
    }
    const std::size_t most = std::min(bytes.size(), kLooked) / 4;
    return odd > most && even == 0 ? "UTF-16LE" : even > most && odd == 0 ? "UTF-16BE" : nullptr;
}

/// Lines of Windows and of old Macintoshes as ours.
std::string withPlainLines(std::string_view text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\r') {
            plain += text[i];
        } else if (i + 1 == text.size() || text[i + 1] != '\n') {
            plain += '\n';
        }
    }
    return plain;
}

} // namespace

TextFile readTextFile(const std::filesystem::path& path)
{
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) {
        fail(ErrorCode::Io, "{}: can't be read{}", path.string(), errnoText());
    }
    TextFile file;
    const char* const wide = wideEncodingOf(bytes);
    if (wide != nullptr || !isUtf8(bytes)) {
        file.encoding = wide != nullptr ? wide : kWestern;
        file.text = converted(bytes, file.encoding.c_str(), kUtf8).value_or("");
    } else {
        file.text = bytes;
    }
    const bool isText =
        file.text.empty() ? bytes.empty() : file.text.find('\0') == std::string::npos;
    if (!isText) {
        fail(
            ErrorCode::Data,
            "{}: is neither UTF-8 nor UTF-16 nor Windows-1252; save it as a text in UTF-8",
            path.string());
    }
    constexpr auto kMark = "\xEF\xBB\xBF"sv;
    file.text =
        withPlainLines(std::string_view(file.text).substr(file.text.starts_with(kMark) ? 3 : 0));
    return file;
}

std::string encoded(const std::string& text, const std::string& encoding)
{
    return converted(text, kUtf8, encoding.c_str()).value_or("");
}

} // namespace lockstep
