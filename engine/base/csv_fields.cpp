// SPDX-License-Identifier: Apache-2.0
#include "base/csv_fields.h"

namespace lockstep {

std::vector<std::string> csvFields(std::string_view line, char separator)
{
    std::vector<std::string> fields(1);
    bool isQuoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') {
            const bool isTwice = isQuoted && i + 1 < line.size() && line[i + 1] == '"';
            fields.back() += isTwice ? "\"" : "";
            i += isTwice ? 1 : 0;
            isQuoted = isTwice || !isQuoted;
        } else if (line[i] == separator && !isQuoted) {
            fields.emplace_back();
        } else {
            fields.back() += line[i];
        }
    }
    for (std::string& field : fields) { // as people leave them about separators
        field.erase(0, field.find_first_not_of(' '));
        field.erase(field.find_last_not_of(' ') + 1);
    }
    return fields;
}

} // namespace lockstep
