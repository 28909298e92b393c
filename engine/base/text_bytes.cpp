// SPDX-License-Identifier: Apache-2.0
#include "base/text_bytes.h"

#include <fmt/core.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace lockstep {
namespace {

/// U+F780 + (byte - 0x80) stands for a byte; ASCII is always UTF-8.
constexpr std::uint32_t kFirst = 0xF780;
constexpr std::uint32_t kLast = 0xF7FF;
constexpr std::size_t kEscapeBytes = 3;

unsigned byteAt(std::string_view bytes, std::size_t place)
{
    return static_cast<unsigned char>(bytes[place]);
}

/// The character that begins at a place.
struct Character
{
    std::size_t bytes = 0; ///< 0: it is no UTF-8
    std::uint32_t code = 0;
};

Character characterAt(std::string_view text, std::size_t place)
{
    const unsigned first = byteAt(text, place);
    if (first < 0x80U) {
        return {1, first};
    }
    const std::size_t count = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
    if (first < 0xC2U || first > 0xF4U || place + count > text.size()) {
        return {};
    }
    std::uint32_t code = first & (0x7FU >> count);
    for (std::size_t i = 1; i < count; ++i) {
        const unsigned next = byteAt(text, place + i);
        if ((next & 0xC0U) != 0x80U) {
            return {};
        }
        code = code << 6U | (next & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
    const bool isWrong =
        code < kLeast[count] || code > 0x10FFFFU || (code >= 0xD800U && code <= 0xDFFFU);
    return isWrong ? Character() : Character{count, code};
}

/// Calls take(piece, character) for each character, and for each byte that is none.
template<class Take>
void forEachCharacter(std::string_view text, Take take)
{
    for (std::size_t place = 0; place < text.size();) {
        const Character character = characterAt(text, place);
        const std::size_t bytes = std::max<std::size_t>(character.bytes, 1);
        take(text.substr(place, bytes), character);
        place += bytes;
    }
}

void appendEscape(std::string& text, unsigned byte)
{
    const std::uint32_t code = kFirst + (byte - 0x80U);
    text += static_cast<char>(0xE0U | code >> 12U);
    text += static_cast<char>(0x80U | (code >> 6U & 0x3FU));
    text += static_cast<char>(0x80U | (code & 0x3FU));
}

bool isEscape(const Character& character)
{
    return character.bytes == kEscapeBytes && character.code >= kFirst && character.code <= kLast;
}

} // namespace

bool isUtf8(std::string_view bytes)
{
    bool isText = true;
    forEachCharacter(bytes, [&](std::string_view, const Character& character) {
        isText = isText && character.bytes > 0;
    });
    return isText;
}

std::string toUtf8(std::string_view bytes)
{
    std::string text;
    forEachCharacter(bytes, [&](std::string_view piece, const Character& character) {
        if (character.bytes > 0 && !isEscape(character)) {
            text += piece;
            return;
        }
        for (const char byte : piece) {
            appendEscape(text, static_cast<unsigned char>(byte));
        }
    });
    return text;
}

std::string fromUtf8(std::string_view text)
{
    std::string bytes;
    forEachCharacter(text, [&](std::string_view piece, const Character& character) {
        if (isEscape(character)) {
            bytes += static_cast<char>(character.code - kFirst + 0x80U);
        } else {
            bytes += piece;
        }
    });
    return bytes;
}

std::string seenOf(std::string_view name)
{
    constexpr auto kOptions = static_cast<utf8proc_option_t>(
        UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE
        | UTF8PROC_LUMP);
    utf8proc_uint8_t* mapped = nullptr;
    const utf8proc_ssize_t length = utf8proc_map(
        reinterpret_cast<const utf8proc_uint8_t*>(name.data()),
        static_cast<utf8proc_ssize_t>(name.size()), &mapped, kOptions);
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(mapped, &std::free);
    if (length < 0) {
        return std::string(name);
    }
    std::string_view seen(
        reinterpret_cast<const char*>(owned.get()), static_cast<std::size_t>(length));
    seen.remove_prefix(std::min(seen.find_first_not_of(" \t\r\n"), seen.size()));
    seen = seen.substr(0, seen.find_last_not_of(" \t\r\n") + 1);
    return std::string(seen);
}

std::string printable(std::string_view bytes)
{
    std::string line;
    forEachCharacter(bytes, [&](std::string_view piece, const Character& character) {
        const bool isControl = character.code < 0x20U || character.code == 0x7FU
                               || (character.code >= 0x80U && character.code < 0xA0U);
        if (character.bytes > 0 && (!isControl || character.code == '\n')) {
            line += piece;
            return;
        }
        for (const char byte : piece) {
            line += fmt::format("\\x{:02X}", static_cast<unsigned char>(byte));
        }
    });
    return line;
}

} // namespace lockstep
