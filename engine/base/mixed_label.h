// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lockstep {

/// What a row that was mixed of two examples is labelled with beside its own label.
struct MixedLabel
{
    std::int32_t other = 0;
    float share = 1.0F; ///< of the row's own label; the rest is the other's
};

} // namespace lockstep
