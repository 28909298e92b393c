// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace lockstep {

/// Most objectives of a network: what is recorded of every tower and step has room for so many.
inline constexpr std::size_t kMostObjectives = 4;

} // namespace lockstep
