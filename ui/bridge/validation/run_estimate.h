// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/device.h"

#include <cstddef>
#include <optional>

namespace lockstep::ui {

/// What a run is expected to take on this machine.
struct RunEstimate
{
    double seconds = 0.0;  ///< of its steps
    std::size_t bytes = 0; ///< of its towers' memory
};

/// By the arithmetic of its phases and what the processors reach, within about a factor of two.
/// Plans a tower's memory, which takes up to some tenths of a second: any thread. Nothing where the
/// network can't be made, or where the towers are on GPUs.
std::optional<RunEstimate> estimateRun(const RunConfig& config, const HostCeilings& ceilings);

} // namespace lockstep::ui
