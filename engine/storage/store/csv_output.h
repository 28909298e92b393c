// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string_view>

namespace lockstep {

/// Takes lines of a CSV text, one after the other.
using WriteLines = std::function<void(std::string_view)>;
/// Hands out all lines of a CSV text.
using CsvText = std::function<void(const WriteLines&)>;

/// Error(Io) if the stream refuses.
void writeCsv(const CsvText& text, std::ostream& out);
/// As a file that appears complete or not at all (AtomicFile). Error(Io) names it.
void writeCsv(const CsvText& text, const std::filesystem::path& file);

} // namespace lockstep
