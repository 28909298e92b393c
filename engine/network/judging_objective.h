// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <cstddef>

namespace lockstep {

/// The objective whose word counts on which examples are classified correctly: of those that are
/// trained the first that answers for the image as a whole (one cell), else the first.
std::size_t judgingObjective(const NetworkSpec& network);

} // namespace lockstep
