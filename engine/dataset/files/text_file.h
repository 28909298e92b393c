// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace lockstep {

/// A text that a person brings, in whatever encoding.
struct TextFile
{
    std::string text;     ///< UTF-8, without a mark at its beginning, lines end in \n
    std::string encoding; ///< as iconv calls it; empty: it was UTF-8
};

/// Reads a file as text: UTF-16 with its mark or by its zeros, UTF-8, and what is no UTF-8 as
/// Windows-1252, of which Latin-1 is a part. Error(Io) that names the file where the system
/// refuses, Error(Data) for one that is no text.
TextFile readTextFile(const std::filesystem::path& path);

/// UTF-8 in another encoding, as iconv calls it; empty if it can't be said there.
[[nodiscard]] std::string encoded(const std::string& text, const std::string& encoding);

} // namespace lockstep
