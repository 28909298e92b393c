// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// Steps [firstStep, endStep) of a run, in which the same objectives are trained.
struct RunPhase
{
    std::int64_t firstStep = 0;
    std::int64_t endStep = 0;
    std::string objective; ///< "segmentation", "segmentation+decision"; empty: all there are
    std::optional<double> learningRate; ///< none: by the run's schedule
    std::vector<std::string> frozen;    ///< parameter groups that stay as they are

    bool operator==(const RunPhase&) const = default;
};

/// All phases of the current branch as they are planned now, by ascending step.
struct RunPhases
{
    std::vector<RunPhase> phases;
};

/// Names of the objectives of the run's network, in their order.
struct RunObjectives
{
    std::vector<std::string> names;
};

/// Names of the classes that the run's network tells apart, label by label; a data set may name
/// fewer than the network has logits.
struct RunClasses
{
    std::vector<std::string> names;
};

} // namespace lockstep
