// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// What separates the fields of the tables that people have.
inline constexpr std::string_view kCsvSeparators = ",;\t";

/// The fields of a line; within double quotes that begin a field a separator is none, and two
/// quotes are one (RFC 4180). Spaces about a field are none of it. Elsewhere a quote is a letter.
std::vector<std::string> csvFields(std::string_view line, char separator);

/// Whether a quoted field of the line does not end in it: it goes on in the next one.
bool isOpenLine(std::string_view line, char separator);

} // namespace lockstep
