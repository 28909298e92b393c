// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/registry/host_ceilings.h"
#include "metrics/step_record.h"
#include "session/bench/bench_floor.h"
#include "tower/replica.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// One line of the cost table of a step: a pass of a layer or objective, or a phase outside of
/// them.
struct ProfileLine
{
    std::string name;          ///< layer, objective or phase
    std::string direction;     ///< "forward", "backward"; empty: a phase
    double milliseconds = 0.0; ///< mean
    double fastest = 0.0;      ///< milliseconds of the step in which it was least
    double share = 0.0;        ///< of the step
    // Achieved: of what has matrix work the first one, of what else has work the second one.
    std::optional<double> gigaflopsPerSecond;
    std::optional<double> gigabytesPerSecond;
    std::optional<double> ceilingShare;      ///< of that ceiling
    std::optional<double> floorMilliseconds; ///< its part of floorSeconds()
    std::string algorithm;                   ///< of a layer or objective
};

/// Where the time of a step on a host device goes.
struct StepProfile
{
    std::int64_t steps = 0;    ///< that were counted
    double milliseconds = 0.0; ///< of a step, mean; the sum of all lines
    double slowestTower = 0.0; ///< milliseconds, mean over the steps
    HostCeilings oneThread;    ///< for comparison; those of all threads are the result's
    /// Layers and objectives in the order of the network, forward and backward, mean over the
    /// threads; then the phases.
    std::vector<ProfileLine> lines;
};

/// One step during which the nodes were timed.
struct ProfiledStep
{
    StepRecord record;
    std::vector<NodeSeconds> nodes; ///< see TowerTeam::nodeSeconds()
};

/// What a profile is measured against.
struct ProfileBasis
{
    const NetworkSpec& network;
    const std::vector<OpReport>& ops;
    const StepWork& work; ///< of one step
    const DeviceCeilings& ceilings;
};

/// The table of at least one step. Steps that a busy machine slowed down are left out: only the
/// faster half counts.
StepProfile profileOf(std::vector<ProfiledStep> steps, const ProfileBasis& basis);

} // namespace lockstep
