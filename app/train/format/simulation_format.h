// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/json_format.h"

#include <string>

namespace lockstep {
struct SimulationReport;
}

namespace lockstep::train {

/// One object: what was measured, the link, and a line for each number of towers. Times are in
/// milliseconds.
Json toJson(const SimulationReport& report);

/// What was measured, a table of all numbers of towers, then what it means in a sentence.
std::string simulationText(const SimulationReport& report);

} // namespace lockstep::train
