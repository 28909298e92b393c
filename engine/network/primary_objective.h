// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <cstddef>

namespace lockstep {

/// The objective whose word counts on which examples are classified correctly: of those that any
/// phase may train the first that answers for the image as a whole (one cell), whether or not it is
/// trained at the time, so that accuracy means the same in all phases; else the first of them.
std::size_t primaryObjective(const NetworkSpec& network);

} // namespace lockstep
