// SPDX-License-Identifier: Apache-2.0
#include "session/config/name_list.h"

#include "base/error.h"

#include <fmt/core.h>

#include <sstream>

namespace lockstep {
namespace {

constexpr const char* kBlank = " \t";

[[noreturn]] void refuse(const std::string& key)
{
    fail(ErrorCode::BadInput, "{} must be a list of names, or one name", key);
}

/// "conv1, logits" without the blanks; what is empty is no name.
std::vector<std::string> splitAtCommas(const std::string& text)
{
    std::vector<std::string> names;
    std::istringstream stream(text);
    for (std::string each; std::getline(stream, each, ',');) {
        const std::size_t begin = each.find_first_not_of(kBlank);
        if (begin != std::string::npos) {
            names.push_back(each.substr(begin, each.find_last_not_of(kBlank) + 1 - begin));
        }
    }
    return names;
}

} // namespace

std::string namesText(const std::vector<std::string>& names)
{
    std::ostringstream text;
    for (const std::string& name : names) {
        text << (text.tellp() == 0 ? "" : ", ") << toml::value<std::string>(name);
    }
    return fmt::format("[{}]", text.str());
}

std::vector<std::string> readNames(const std::string& key, const toml::node& node)
{
    if (const auto one = node.value_exact<std::string>()) {
        return {*one};
    }
    const toml::array* const list = node.as_array();
    if (list == nullptr) {
        refuse(key);
    }
    std::vector<std::string> names;
    for (const toml::node& each : *list) {
        const auto name = each.value_exact<std::string>();
        if (!name) {
            refuse(key);
        }
        names.push_back(*name);
    }
    return names;
}

std::vector<std::string> readNames(const std::string& key, const std::string& text)
{
    if (!text.starts_with('[')) {
        return splitAtCommas(text);
    }
    try {
        return readNames(key, *toml::parse("value = " + text).get("value"));
    } catch (const toml::parse_error&) {
        refuse(key);
    }
}

} // namespace lockstep
