// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace lockstep {

/// Told the share of the loading that is done, 0 to 1; returns whether to go on.
using LoadProgress = std::function<bool(double)>;

} // namespace lockstep
