// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/runtime/cuda_layout.h"

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

struct Bfloat16;

/// Values of all positions of a tensor, channel by channel, without gaps; 16-byte aligned.
struct ChannelValues
{
    void* data = nullptr;
    DataType type = DataType::Float32;
    std::int64_t positions = 0;
    std::int64_t channels = 0;
};

/// values[p, c] += bias[c], and with `hasRelu` then max(value, 0); a NaN stays one. Where `bias` is
/// null, only the latter. Bias is 16-byte aligned.
void addBias(cudaStream_t stream, const ChannelValues& values, const float* bias, bool hasRelu);

/// The way back through bias and ReLU.
struct BiasBackwardTask
{
    ChannelValues diffDst;
    /// Of diffDst's type: diffDst becomes 0 where dst is not greater than 0; a NaN stays where dst
    /// is one. Null: there is no ReLU.
    const void* dst = nullptr;
    /// Takes diffDst, which must be float32, rounded; null: not wanted. 16-byte aligned.
    Bfloat16* rounded = nullptr;
    /// Takes the sum of diffDst over the positions; null: not wanted.
    float* diffBias = nullptr;
    /// biasBackwardScratchBytes(), for sums of parts of the positions.
    float* scratch = nullptr;
    /// joinCounterBytes() of the channels; null: a kernel of its own adds the parts.
    std::uint32_t* counters = nullptr;
};

[[nodiscard]] std::size_t biasBackwardScratchBytes(const ChannelValues& diffDst);

/// One pass over diffDst; sums in float32 in an order that depends on the sizes only.
void biasBackward(cudaStream_t stream, const BiasBackwardTask& task);

/// What a kernel that makes a gradient does with it besides, see GradientFinish.
struct GradientEnd
{
    bool hasRelu = false;              ///< masks it
    float* diffBias = nullptr;         ///< takes the sum over the positions; null: not wanted
    float* scratch = nullptr;          ///< for sums of parts of the positions
    std::uint32_t* counters = nullptr; ///< as BiasBackwardTask's
};

/// Joins the parts that a kernel has left in the scratch memory; nothing where it did so itself.
void joinBiasParts(
    cudaStream_t stream, const GradientEnd& end, unsigned parts, std::int64_t channels);

} // namespace lockstep::cuda
