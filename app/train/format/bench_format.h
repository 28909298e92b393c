// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine.h"
#include "format/json_format.h"

#include <string>

namespace lockstep::train {

Json toJson(const BenchResult& result);
/// As a result, or what was tried and "error".
Json toJson(const SweepLine& line);

/// A few lines for people.
std::string benchText(const BenchResult& result);

/// The table of a sweep.
std::string sweepHeader();
std::string sweepRow(const SweepLine& line);

} // namespace lockstep::train
