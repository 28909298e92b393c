// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/class_names.h"

#include "base/error.h"
#include "base/text_bytes.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <map>
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

std::string lookAlikes(const std::vector<std::string>& names)
{
    std::map<std::string, std::string> known;
    for (const std::string& name : names) {
        std::string seen = seenOf(name);
        if (!seen.empty() && seen.find_first_not_of("0123456789") == std::string::npos) {
            seen.erase(0, std::min(seen.find_first_not_of('0'), seen.size() - 1));
        }
        const auto [other, isNew] = known.emplace(seen, name);
        if (!isNew && other->second != name) { // ImageNet has two of one name
            return fmt::format(
                "{} and {} are two classes, which differ only by case, accents, blanks or zeros "
                "before a number; if they are one, call both the same",
                other->second, name);
        }
    }
    return "";
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
    if (others > 1) {
        first += fmt::format(", and {} more have other names", others - 1);
    }
    if (test.size() > training.size()) {
        const std::vector<std::string> alone(
            test.begin() + static_cast<std::ptrdiff_t>(training.size()), test.end());
        first += fmt::format(
            "{}the training set has no example of the labels from {} on, {}, which the test set "
            "has: a network can't tell them",
            first.empty() ? "" : "; ", training.size(), someOf(alone));
    }
    return first;
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
