// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lockstep {

// Names of files and labels are bytes, and what keeps them is often text. Thread-safe.

/// Whether bytes are UTF-8: no overlong form, no surrogate, nothing beyond U+10FFFF.
[[nodiscard]] bool isUtf8(std::string_view bytes);

/// Bytes as UTF-8 that fromUtf8() gives back: each that is none becomes one of U+F780 to U+F7FF, of
/// the private use area; so do the three bytes of such a character that is there already. What is
/// UTF-8 without them stays as it is.
[[nodiscard]] std::string toUtf8(std::string_view bytes);
[[nodiscard]] std::string fromUtf8(std::string_view text);

/// What is seen of a name, for comparing: without case, ways of writing accents (NFKC, Unicode
/// Standard Annex 15), characters that show nothing and blanks at its ends. Bytes that are no UTF-8
/// stay as they are.
[[nodiscard]] std::string seenOf(std::string_view name);

/// For a line that a person reads: control characters, and what is no UTF-8, become \x1B, so that
/// neither a message ends within them nor a terminal obeys. Line ends stay.
[[nodiscard]] std::string printable(std::string_view bytes);

} // namespace lockstep
