// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"
#include "storage/rows/run_phase.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// One [[phase]] of a run configuration.
struct PhaseSettings
{
    /// What is trained: "segmentation", several joined with "+", "joint" for all; empty: as the
    /// network has it.
    std::string objective;
    std::int64_t steps = 0;
    std::optional<double> learningRate; ///< constant over the phase; none: by the run's schedule
    std::vector<std::string> frozen;    ///< parameter groups that stay as they are

    bool operator==(const PhaseSettings&) const = default;
};

/// What a model is usually trained in; empty: in one phase. For SegDecNet the segmentation, then,
/// with that frozen, the decision: 6,600 steps each, as its authors do.
std::vector<PhaseSettings> usualPhases(const std::string& model);
/// Steps of all phases.
std::int64_t stepsOf(const std::vector<PhaseSettings>& phases);

/// The phases of a run of so many steps: those of the configuration, of which the last is extended
/// or the ones beyond the end are cut; without any the usual ones, each in its share; else one.
std::vector<PhaseSettings> fittedPhases(
    const std::vector<PhaseSettings>& phases, const std::string& model, std::int64_t steps);
/// Where each begins and ends. Phases without a step are left out, unless it is the last.
std::vector<RunPhase> phasePlan(const std::vector<PhaseSettings>& phases);

/// The number of the phase of a step; of steps behind the end that of the last phase.
std::size_t phaseAt(const std::vector<RunPhase>& plan, std::int64_t step);
/// Another constant rate from `step` on, in its phase, which is split there.
std::vector<PhaseSettings> withRateFrom(
    const std::vector<PhaseSettings>& phases, std::int64_t step, double rate);

/// The network that a phase trains. Error(BadInput) for objectives or groups that it does not have.
NetworkSpec networkOf(const NetworkSpec& network, const RunPhase& phase);

/// "steps 0 to 6599: segmentation, learning rate 0.1; frozen: decision".
std::string phaseText(const RunPhase& phase);

/// Checks what can be checked without the network. Error(BadInput) names phase and key.
void checkPhases(const std::vector<PhaseSettings>& phases);

} // namespace lockstep
