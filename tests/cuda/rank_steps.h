// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/accelerator_run.h"
#include "support/thread_ranks.h"
#include "tower/placement.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::test {

/// What each rank made of a case that all share, whose GPUs are shared out among them.
inline std::vector<StepsTaken> takeStepsAsRanks(
    const AcceleratorCase& all, int ranks, std::int64_t steps)
{
    resetFakeLibraries();
    emulation::reset(all.machine);
    const auto places = placeTowers(all.towers, ranks);
    std::vector<StepsTaken> taken(static_cast<std::size_t>(ranks));
    runRanks(ranks, [&](Ranks& own) {
        const auto number = static_cast<std::size_t>(own.rank());
        AcceleratorCase settings = all;
        settings.share = {&own, places[number]};
        settings.machine.devices = all.machine.devices / ranks;
        settings.firstDevice = own.rank() * settings.machine.devices;
        taken[number] = takeSteps(settings, steps);
    });
    return taken;
}

} // namespace lockstep::test
