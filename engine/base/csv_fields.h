// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// What separates the fields of the tables that people have.
inline constexpr std::string_view kCsvSeparators = ",;\t";

/// The fields of a line; within double quotes a separator is none, and two quotes are one. Spaces
/// about a field are none of it.
std::vector<std::string> csvFields(std::string_view line, char separator);

} // namespace lockstep
