// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/step/stepper.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// A number of threads per tower that was tried.
struct ThreadTrial
{
    int threads = 0;
    double milliseconds = 0.0; ///< of a step, median
};

/// The numbers of threads per tower worth trying: processors / towers, then the powers of two below
/// it, down to 1. Only 1 where towers take turns.
std::vector<int> threadCandidates(int towers, int processors);

/// Makes a few steps of the training that `settings` describe, a host device's, with each
/// candidate in turn: on its data, with parameters of their own, which stay as `seed` made them.
/// Ends early where fewer threads can't win any more (a step takes 1.5 times the best one), and
/// tries none after 3 seconds. Errors as makeStepper().
std::vector<ThreadTrial> measureThreads(const StepperSettings& settings, std::uint64_t seed);

/// The number of threads with the shortest step; of those within 3 % of it the largest, which is
/// what a tower gets unmeasured: noise shall not take processors from it.
int fastestThreads(const std::vector<ThreadTrial>& trials);

/// "1: 61.2 ms, 2: 33.0 ms", by ascending threads.
std::string toString(const std::vector<ThreadTrial>& trials);

} // namespace lockstep
