// SPDX-License-Identifier: Apache-2.0
#include "dataset/files/csv_fields.h"

#include <algorithm>

namespace lockstep {
namespace {

bool isEnd(char letter, char separator)
{
    return letter == separator || letter == '\n' || letter == '\r';
}

/// Takes a field off a text, up to a separator or the end of the line, which stays. Its value.
std::string takeField(std::string_view& text, char separator)
{
    const auto placeOf = [&](std::size_t found) { return std::min(found, text.size()); };
    const std::size_t start = placeOf(text.find_first_not_of(' '));
    std::string value;
    for (std::size_t i = start; i < text.size() && text[start] == '"';) {
        const std::size_t quote = text.find('"', i + 1);
        if (quote == std::string_view::npos) {
            break;
        }
        value += text.substr(i + 1, quote - i - 1);
        if (quote + 1 < text.size() && text[quote + 1] == '"') {
            value += '"';
            i = quote + 1;
            continue;
        }
        const std::size_t end = placeOf(text.find_first_not_of(' ', quote + 1));
        if (end < text.size() && !isEnd(text[end], separator)) {
            break;
        }
        text.remove_prefix(end);
        return value;
    }
    const auto end = std::ranges::find_if(text, [&](char each) { return isEnd(each, separator); });
    value = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(value.size());
    return value;
}

} // namespace

std::vector<std::string> csvFields(std::string_view line, char separator)
{
    std::vector<std::string> fields;
    for (bool hasMore = true; hasMore;) {
        std::string& field = fields.emplace_back(takeField(line, separator));
        field.erase(0, field.find_first_not_of(' ')); // as people leave them about separators
        field.erase(field.find_last_not_of(' ') + 1);
        hasMore = line.starts_with(separator);
        line.remove_prefix(hasMore ? 1 : 0);
    }
    return fields;
}

std::string_view takeCsvLine(std::string_view& text, char separator)
{
    std::string_view rest = text;
    takeField(rest, separator);
    while (rest.starts_with(separator)) {
        rest.remove_prefix(1);
        takeField(rest, separator);
    }
    const std::string_view line = text.substr(0, text.size() - rest.size());
    rest.remove_prefix(rest.starts_with("\r\n") ? 2 : rest.empty() ? 0 : 1);
    text = rest;
    return line;
}

} // namespace lockstep
