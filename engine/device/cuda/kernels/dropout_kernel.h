// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/runtime/cuda_layout.h"
#include "device/step_state.h"

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

/// Values of rows, one row after the other, in the order in which they are drawn.
struct DropoutTask
{
    DataType type = DataType::Float32;
    std::int64_t rows = 0;
    std::int64_t rowValues = 0;
    std::int64_t firstRow = 0;        ///< in the batch of all towers
    std::uint64_t seed = 0;           ///< of the layer: dropoutSeed()
    float keptBelow = 1.0F;           ///< see keptBelow()
    float factor = 1.0F;              ///< of a kept value
    const StepState* state = nullptr; ///< on the device; null: step 0
};

/// dst = factor * src where the row's stream of dropoutStream() has a number below keptBelow, else
/// 0. The same for values and for their gradients. Enqueues and returns; errors as checkCuda.
/// Arrays begin at multiples of 16 bytes.
void dropOut(cudaStream_t stream, const DropoutTask& task, const std::byte* src, std::byte* dst);

} // namespace lockstep::cuda
