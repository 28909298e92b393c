// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace lockstep {

/// As RFC 4180 wants it where a text has commas or quotes: "tench, Tinca tinca".
std::string csvField(const std::string& text);

/// Writes a file that appears complete or not at all. Error(Io) names it.
void writeWholeFile(const std::string& text, const std::filesystem::path& file);

} // namespace lockstep
