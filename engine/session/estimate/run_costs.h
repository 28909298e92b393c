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

class Throughput;

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

/// The configuration with its steps in place of its epochs, which are not counted yet: as many as
/// all of its phases need.
RunConfig withAllPhases(RunConfig config);

/// The phases of a configuration of which steps cost differently: one for each set of objectives
/// and frozen groups, in the order of the run; of epochs those that may be reached.
std::vector<RunPhase> costPhases(const RunConfig& config);

/// The updates of a run: those that are asked for, or of its epochs. Error(BadInput) where nobody
/// knows how many examples an epoch has.
std::int64_t stepsOf(const RunConfig& config, const RunCosts& costs);

/// How often a run that has made `done` updates is evaluated until `end` of them; at the end only
/// where that is all of its steps, which are to be known.
std::int64_t evaluationsOf(const RunConfig& config, std::int64_t done, std::int64_t end);

/// What a run of this configuration takes that goes on after `done` updates: start, steps,
/// evaluations; checkpoints are not counted. Needs the costs of its phases. Errors as of stepsOf().
double secondsOf(const RunConfig& config, const RunCosts& costs, std::int64_t done = 0);

/// What a run that is trained still takes until `end` updates: steps at the pace of the latest
/// ones, and evaluations of both kinds of weights, each as long as the latest; 0: none was made.
/// Empty as Throughput::secondsFor().
std::optional<double> secondsUntil(
    const RunConfig& config, std::int64_t done, std::int64_t end, const Throughput& throughput,
    double evaluationSeconds);

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
    /// Not what is disturbed, or was measured without the data. What a run that was not evaluated
    /// can't tell stays as it was known, and so does the most memory.
    void keep(CostSource source, RunCosts costs);

private:
    [[nodiscard]] std::string workOf(CostSource source) const;

    AlgorithmStore m_store;
    std::string m_key;
    std::size_t m_phases;
};

} // namespace lockstep
