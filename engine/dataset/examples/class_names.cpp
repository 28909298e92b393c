// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/class_names.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <sstream>

namespace lockstep {
namespace {

constexpr const char* kClassNames = "data_class_names";
constexpr std::size_t kMostBytes = std::size_t{4} << 20U;

} // namespace

std::vector<std::string> filledClassNames(
    std::vector<std::string> names, const std::vector<std::string>& others)
{
    for (std::size_t label = 0; label < others.size(); ++label) {
        if (label == names.size()) {
            names.push_back(others[label]);
        } else if (names[label] == std::to_string(label)) {
            names[label] = others[label];
        }
    }
    return names;
}

std::string someOf(std::vector<std::string> names)
{
    constexpr std::size_t kMost = 8;
    const std::size_t count = names.size();
    if (count <= kMost) {
        return fmt::format("{}", fmt::join(names, ", "));
    }
    names.resize(kMost);
    return fmt::format("{} and {} more", fmt::join(names, ", "), count - kMost);
}

std::map<std::string, std::string> notesOfClassNames(const std::vector<std::string>& names)
{
    std::string lines;
    for (const std::string& name : names) {
        lines += name + '\n';
    }
    const bool isALineEach = std::ranges::count(lines, '\n') == std::ssize(names);
    if (names.empty() || !isALineEach || lines.size() > kMostBytes) {
        return {};
    }
    return {{kClassNames, lines}};
}

std::vector<std::string> classNamesFrom(const std::map<std::string, std::string>& notes)
{
    std::vector<std::string> names;
    if (const auto found = notes.find(kClassNames); found != notes.end()) {
        std::istringstream lines(found->second);
        for (std::string name; std::getline(lines, name);) {
            names.push_back(name);
        }
    }
    return names;
}

} // namespace lockstep
