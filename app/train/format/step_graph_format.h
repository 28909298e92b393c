// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/json_format.h"

#include <string>

namespace lockstep {
struct StepGraphReport;
} // namespace lockstep

namespace lockstep::train {

Json toJson(const StepGraphReport& report);
/// A table of the parts of the step, and their sum.
std::string stepGraphText(const StepGraphReport& report);

} // namespace lockstep::train
