// SPDX-License-Identifier: Apache-2.0
#include "session/run/run_ancestry.h"

#include <algorithm>
#include <limits>

namespace lockstep {

RunAncestry::RunAncestry(const std::vector<RunBranchInfo>& branches, std::int64_t tip)
{
    std::int64_t lastStep = std::numeric_limits<std::int64_t>::max();
    std::optional<std::int64_t> wanted = tip;
    while (wanted) {
        const auto branch = std::ranges::find(branches, *wanted, &RunBranchInfo::id);
        if (branch == branches.end()) {
            return;
        }
        m_stretches.push_back({branch->id, lastStep});
        lastStep = std::min(lastStep, branch->fromStep);
        // A parent is older than its child: a damaged store can't send this round in circles.
        wanted = branch->parent && *branch->parent < branch->id ? branch->parent : std::nullopt;
    }
}

std::optional<std::int64_t> RunAncestry::lastStepOf(std::int64_t branch) const
{
    const auto found = std::ranges::find(m_stretches, branch, &Stretch::branch);
    return found == m_stretches.end() ? std::nullopt : std::optional(found->lastStep);
}

bool RunAncestry::holds(std::int64_t branch, std::int64_t step) const
{
    return step <= lastStepOf(branch).value_or(-1);
}

std::int64_t RunAncestry::commonWith(const RunAncestry& other) const
{
    std::int64_t common = 0;
    for (const Stretch& stretch : m_stretches) {
        const std::int64_t last = other.lastStepOf(stretch.branch).value_or(0);
        common = std::max(common, std::min(stretch.lastStep, last));
    }
    return common;
}

} // namespace lockstep
