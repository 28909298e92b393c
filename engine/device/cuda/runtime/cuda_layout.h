// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/op.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace lockstep::cuda {

/// What a value takes in memory.
enum class DataType { Float32, Bfloat16 };

/// Where the product that made a tensor notes which values its ReLU let pass, as a product that
/// makes their gradient wants to know it.
struct ReluMask
{
    std::byte* bits = nullptr; ///< set when the op that made the tensor is bound
};

/// How a tensor lies in memory: examples x height x width x channels, without gaps.
struct CudaLayout
{
    DataType type = DataType::Float32;
    /// Of a position, at least as many as the shape has; those beyond are zeros.
    std::int64_t channels = 0;
    std::shared_ptr<ReluMask> mask = nullptr; ///< null: there is none
};

[[nodiscard]] constexpr std::size_t bytesOf(DataType type)
{
    return type == DataType::Float32 ? 4 : 2;
}

/// The type of activations in a precision.
[[nodiscard]] constexpr DataType activationType(Precision precision)
{
    return precision == Precision::Bfloat16 ? DataType::Bfloat16 : DataType::Float32;
}

/// Channels of a position as they are stored for a layer that reads images of few channels: vector
/// loads and tensor cores want 16 bytes.
[[nodiscard]] std::int64_t paddedChannels(std::int64_t channels, Precision precision);

[[nodiscard]] const CudaLayout& layoutOf(const TensorPlan& plan);

/// Where values of an op that writes channels of a wider tensor go.
struct SlicePlace
{
    std::size_t offset = 0;  ///< bytes from the start of the wider tensor
    std::int64_t stride = 0; ///< values from a position to the next
};

/// Of a slice whose values are of this type; empty where kernels could not use whole vectors (16
/// bytes), or the types differ.
[[nodiscard]] std::optional<SlicePlace> slicePlace(const ChannelSlice& slice, DataType type);

/// The op's memory with dst and diffDst at its own channels.
[[nodiscard]] OpMemory shifted(OpMemory memory, std::size_t dstOffset);

/// Where the parameters from `offset` on lie as they are multiplied: rounded where `type` is.
[[nodiscard]] const void* operandsAt(
    const WeightsView& weights, std::int64_t offset, DataType type);

/// A tensor of a type whose channels are not padded.
[[nodiscard]] TensorPlan tensorPlan(std::int64_t examples, const Shape& shape, DataType type);
[[nodiscard]] TensorPlan tensorPlan(
    std::int64_t examples, const Shape& shape, const CudaLayout& layout);

} // namespace lockstep::cuda
