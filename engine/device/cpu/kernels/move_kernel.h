// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/runtime/channel_layout.h"

#include <cstddef>
#include <cstdint>

namespace lockstep::cpu {

/// Values that lie side by side in two tensors, again and again at equal distances.
struct ValueRuns
{
    const std::byte* from = nullptr;
    std::byte* to = nullptr;
    std::int64_t run = 0;        ///< values side by side
    std::int64_t runs = 0;       ///< as many of these
    std::int64_t fromStride = 0; ///< values from one run to the next
    std::int64_t toStride = 0;
};

/// Copies them from one number format to another: to bfloat16 as roundRange().
void moveRuns(Element from, Element to, const ValueRuns& runs);

} // namespace lockstep::cpu
