// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/rows/run_branch.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep {

/// The branches that lead to one: which state of which branch is a part of its past. Plain values;
/// any thread.
class RunAncestry
{
public:
    /// Of branch `tip`; empty if there is no such branch.
    RunAncestry(const std::vector<RunBranchInfo>& branches, std::int64_t tip);

    /// Whether the state of `branch` after `step` updates lies on the way to the tip.
    [[nodiscard]] bool holds(std::int64_t branch, std::int64_t step) const;
    /// The number of updates up to which both are the same; 0 if they have nothing in common.
    [[nodiscard]] std::int64_t commonWith(const RunAncestry& other) const;

private:
    /// States of a branch from its beginning up to `lastStep` updates.
    struct Stretch
    {
        std::int64_t branch = 0;
        std::int64_t lastStep = 0;
    };
    [[nodiscard]] std::optional<std::int64_t> lastStepOf(std::int64_t branch) const;

    std::vector<Stretch> m_stretches; ///< the tip first
};

} // namespace lockstep
