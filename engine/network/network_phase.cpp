// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "network/network_spec.h"
#include "network/objective_names.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace lockstep {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name)
{
    return std::ranges::find(names, name) != names.end();
}

void checkKnown(
    const NetworkSpec& network, const char* what, const std::string& name,
    const std::vector<std::string>& known)
{
    if (!contains(known, name)) {
        fail(
            ErrorCode::BadInput, "model '{}' has no {} '{}'; it has: {}", network.name, what, name,
            fmt::join(known, ", "));
    }
}

/// The groups that any of the named objectives trains, in the network's order.
std::vector<std::string> groupsOf(const NetworkSpec& network, const std::vector<std::string>& names)
{
    std::vector<std::string> groups;
    for (const std::string& group : network.groups()) {
        const bool isTrained = std::ranges::any_of(network.objectives, [&](const auto& objective) {
            return contains(names, objective.name)
                   && (objective.groups.empty() || contains(objective.groups, group));
        });
        if (isTrained) {
            groups.push_back(group);
        }
    }
    return groups;
}

} // namespace

std::vector<std::string> objectivesNamed(const NetworkSpec& network, const std::string& text)
{
    auto known = objectiveNames(network);
    if (text == "joint" && !contains(known, text)) {
        return known;
    }
    std::vector<std::string> names;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find('+', begin), text.size());
        names.push_back(text.substr(begin, end - begin));
        checkKnown(network, "objective", names.back(), known);
        begin = end + 1;
    }
    return names;
}

NetworkSpec NetworkSpec::withObjectives(
    const std::vector<std::string>& names, const std::vector<std::string>& frozenGroups) const
{
    for (const std::string& objective : names) {
        checkKnown(*this, "objective", objective, objectiveNames(*this));
    }
    for (const std::string& group : frozenGroups) {
        checkKnown(*this, "parameter group", group, groups());
    }
    auto trainedGroups = groupsOf(*this, names);
    std::erase_if(
        trainedGroups, [&](const std::string& group) { return contains(frozenGroups, group); });
    NetworkSpec network = *this;
    for (Objective& objective : network.objectives) {
        const bool isNamed = contains(names, objective.name);
        objective.weight = isNamed ? objective.weight : 0.0;
        objective.groups = trainedGroups;
    }
    const auto trained = network.trainedParameters();
    // Without groups an objective would train all.
    if (trainedGroups.empty() || std::ranges::find(trained, true) == trained.end()) {
        fail(
            ErrorCode::BadInput,
            "model '{}': with the groups {} frozen, {} train nothing; freeze fewer groups", name,
            fmt::join(frozenGroups, ", "), fmt::join(names, " and "));
    }
    return network;
}

void checkTrainedTogether(const NetworkSpec& network)
{
    const Objective* first = nullptr;
    for (const Objective& objective : network.objectives) {
        if (!objective.isActive()) {
            continue;
        }
        if (first == nullptr) {
            first = &objective;
        }
        const auto before = groupsOf(network, {first->name});
        const auto groups = groupsOf(network, {objective.name});
        if (before != groups) {
            fail(
                ErrorCode::BadInput,
                "model '{}': '{}' trains the groups {}, '{}' trains {}; objectives that are "
                "trained together must train the same groups. Train them in phases, one after the "
                "other, or joined with \"+\"",
                network.name, first->name, fmt::join(before, ", "), objective.name,
                fmt::join(groups, ", "));
        }
    }
}

} // namespace lockstep
