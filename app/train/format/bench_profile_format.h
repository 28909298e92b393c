// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine.h"
#include "format/json_format.h"

#include <optional>
#include <string>

namespace lockstep::train {

/// Rates in GFLOP/s and GB/s; null where there is none.
Json toJson(const std::optional<HostCeilings>& ceilings);
/// Adds the table, an object for each line, and what belongs to it.
void addProfile(Json& result, const StepProfile& profile);

/// "machine, 2 threads: FMA 234 GFLOP/s, bfloat16 469 GFLOP/s, copy 32.1 GB/s".
std::string ceilingsText(const HostCeilings& ceilings);
/// The table, and below it the ceilings of the run.
std::string profileText(const StepProfile& profile, const HostCeilings& ceilings);

} // namespace lockstep::train
