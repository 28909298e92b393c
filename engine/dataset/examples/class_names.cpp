// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/class_names.h"

#include "base/error.h"

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

std::string checkClassNames(
    const std::vector<std::string>& training, const std::vector<std::string>& test)
{
    std::string first;
    std::int64_t others = 0;
    for (std::size_t label = 0; label < std::min(training.size(), test.size()); ++label) {
        const std::string number = std::to_string(label);
        const std::string& trained = training[label];
        const std::string& tested = test[label];
        if (trained == tested || trained == number || tested == number) {
            continue;
        }
        if (std::ranges::find(training, tested) != training.end()) {
            fail(
                ErrorCode::Data,
                "label {} is '{}' in the training set, but '{}' in the test set, whose labels mean "
                "other classes: make one of the two anew",
                label, trained, tested);
        }
        if (++others == 1) {
            first = fmt::format(
                "label {} is '{}' in the training set, but '{}' in the test set", label, trained,
                tested);
        }
    }
    return others > 1 ? fmt::format("{}, and {} more have other names", first, others - 1) : first;
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
