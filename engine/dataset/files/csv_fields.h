// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// As RFC 4180 has it: a field within double quotes may hold separators and line ends, and two
// quotes for one. A quote is a letter where it does not begin a field (5" pipe), and where none
// ends the field before a separator or the end of the line.

/// What separates the fields of the tables that people have.
inline constexpr std::string_view kCsvSeparators = ",;\t";

/// The fields of a line. Spaces about a field are none of it.
std::vector<std::string> csvFields(std::string_view line, char separator);

/// Takes the first line, whose quoted fields may have lines of their own, off a text whose lines
/// end in \n. In time that grows with the line, whatever quotes it has.
std::string_view takeCsvLine(std::string_view& text, char separator);

} // namespace lockstep
