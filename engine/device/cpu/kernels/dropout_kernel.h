// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/runtime/channel_layout.h"
#include "network/layer_spec.h"

#include <cstddef>
#include <cstdint>

// Dropout of arrays, compiled for several instruction sets; single-threaded.
namespace lockstep::cpu {

/// The random numbers of one row of a pass: those of dropoutStream().
struct DropoutRow
{
    std::uint64_t seed = 0; ///< of the layer: dropoutSeed()
    std::uint32_t step = 0;
    std::uint32_t row = 0; ///< in the batch of all towers
};

/// Values [first, first + count) of a row; `first` is a multiple of 4.
struct DropoutValues
{
    std::int64_t first = 0;
    std::int64_t count = 0;
    const std::byte* src = nullptr; ///< value `first`
    std::byte* dst = nullptr;
};

/// dst = src / keep where a value is kept, else 0, whatever it was. The same for values and for
/// their gradients.
void dropOut(
    const Dropout& dropout, const DropoutRow& row, Element element, const DropoutValues& values);

} // namespace lockstep::cpu
