// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/json_format.h"

#include <string>

namespace lockstep::train {

/// One object: what was measured, the fit, and a line for each number of towers. What the device
/// does not tell is null.
Json toJson(const ScalingReport& report);

/// A table of all numbers of towers, then what it means.
std::string scalingText(const ScalingReport& report);

} // namespace lockstep::train
