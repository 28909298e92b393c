// SPDX-License-Identifier: Apache-2.0
#include "base/csv_fields.h"

namespace lockstep {
namespace {

/// What a line is made of, and whether its last field is still open.
struct Split
{
    std::vector<std::string> fields{1};
    bool isOpen = false;
};

/// As people leave blanks about separators.
void trim(std::string& field)
{
    field.erase(0, field.find_first_not_of(' '));
    field.erase(field.find_last_not_of(' ') + 1);
}

/// A quote that does not begin a field is a letter: 5" pipe.
Split split(std::string_view line, char separator)
{
    Split made;
    for (std::size_t i = 0; i < line.size(); ++i) {
        std::string& field = made.fields.back();
        if (made.isOpen && line[i] == '"') {
            made.isOpen = i + 1 < line.size() && line[i + 1] == '"';
            field += made.isOpen ? "\"" : "";
            i += made.isOpen ? 1 : 0;
        } else if (!made.isOpen && line[i] == separator) {
            made.fields.emplace_back();
        } else if (line[i] == '"' && field.find_first_not_of(' ') == std::string::npos) {
            made.isOpen = true;
        } else {
            field += line[i];
        }
    }
    for (std::string& field : made.fields) {
        trim(field);
    }
    return made;
}

} // namespace

std::vector<std::string> csvFields(std::string_view line, char separator)
{
    return split(line, separator).fields;
}

bool isOpenLine(std::string_view line, char separator)
{
    return split(line, separator).isOpen;
}

} // namespace lockstep
