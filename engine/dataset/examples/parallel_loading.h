// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/load_progress.h"

#include <cstddef>
#include <functional>
#include <string>

namespace lockstep {

/// Calls load(number) for each number from 0 to count - 1, in any order, on all processors (at most
/// eight). `progress` is told, on one of these threads, the share that is done. Throws what `load`
/// throws, and Error(Cancelled) that names `what` if `progress` says no; the other threads then
/// stop after the number that they are at.
void loadInParallel(
    const std::string& what, std::size_t count, const std::function<void(std::size_t)>& load,
    const LoadProgress& progress);

} // namespace lockstep
