// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/ranks.h"

#include <string>

namespace lockstep {

/// Compares what each rank has, a line for each thing, "program = 9c1f…": Error(BadInput) on all
/// ranks names the first rank that differs from rank 0, and in which line. Collective.
void checkAlike(Ranks& ranks, const std::string& own);

/// "rank 1 on node7".
std::string nameOf(const Ranks& ranks, int rank);

} // namespace lockstep
