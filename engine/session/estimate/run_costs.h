// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/algorithm_store.h"
#include "session/config/run_config.h"
#include "storage/rows/run_phase.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// What a training costs on this machine, whatever the number of its steps.
struct RunCosts
{
    std::vector<double> stepSeconds; ///< of a step, median, of each of costPhases()
    double startSeconds = 0.0;       ///< until the first step: data, planning
    /// Of one evaluation, raw weights and moving averages together; negative: nobody knows, as the
    /// test examples were not counted.
    double evaluationSeconds = -1.0;
    std::size_t bytes = 0; ///< the most memory that its process holds, all of it; of the host
    std::int64_t epochExamples = 0; ///< see lockstep::epochExamples(); 0: not known
    /// See OtherPrograms: they were in the way, so this is of now, and not kept.
    bool isDisturbed = false;

    bool operator==(const RunCosts&) const = default;
};

/// Where they are from.
enum class CostSource {
    Measured, ///< a few steps that were made for this
    Run,      ///< a run that was trained: that knows better
};

/// The phases of a configuration of which steps cost differently: one for each set of objectives
/// and frozen groups, in the order of the run.
std::vector<RunPhase> costPhases(const RunConfig& config);

/// The updates of a run: those that are asked for, or of its epochs. Error(BadInput) where nobody
/// knows how many examples an epoch has.
std::int64_t stepsOf(const RunConfig& config, const RunCosts& costs);

/// How often a run of so many updates is evaluated.
std::int64_t evaluationsOf(const RunConfig& config, std::int64_t steps);

/// What a run of this configuration takes: start, steps, evaluations; checkpoints are not counted.
/// Needs the costs of its phases. Errors as of stepsOf().
double secondsOf(const RunConfig& config, const RunCosts& costs);

/// Costs by what decides them: processor or GPU, processors, version; the keys of the
/// configuration but those that only say how long or how well it learns; what the model's file
/// holds. Kept for all later processes; a file that can't be read or written, or is damaged, costs
/// another measurement. One thread at a time.
class RunCostStore
{
public:
    /// `$XDG_CACHE_HOME/lockstep/costs.txt`, or in `~/.cache`; empty where neither is set.
    static std::filesystem::path defaultFile();

    /// Of the device of this configuration. Error(BadInput) if that, the model or another key can't
    /// be used.
    explicit RunCostStore(const RunConfig& config, std::filesystem::path file = defaultFile());

    [[nodiscard]] std::optional<RunCosts> find(CostSource source);
    /// Not what is disturbed.
    void keep(CostSource source, const RunCosts& costs);

private:
    [[nodiscard]] std::string workOf(CostSource source) const;

    AlgorithmStore m_store;
    std::string m_key;
    std::size_t m_phases;
};

} // namespace lockstep
