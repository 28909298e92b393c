// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace lockstep {

/// A stretch of training without a break: the records from here on belong to it. What is the same
/// for all its steps stands here.
struct RunBranch
{
    static constexpr int kMostTowers = 1024; ///< as RunConfig allows

    std::int64_t fromStep = 0;
    /// The branch whose steps below fromStep are its past; none: the current one.
    std::optional<std::int64_t> parent;
    int towers = 0;
    std::int64_t batchPerTower = 0;    ///< 0: not known, of a recorded run
    std::int64_t trainingExamples = 0; ///< of one epoch (TrainingPlan::epochExamples); 0 likewise
};

/// A branch of a run as it is stored: it begins at `fromStep` of its parent.
struct RunBranchInfo
{
    std::int64_t id = 0;                ///< counted from 1
    std::optional<std::int64_t> parent; ///< none: the first branch
    std::int64_t fromStep = 0;
    double created = 0.0; ///< seconds since 1970
    int towers = 0;
    std::int64_t batchPerTower = 0;
    std::int64_t trainingExamples = 0;
};

} // namespace lockstep
