// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/runtime/cuda_layout.h"

#include <algorithm>

namespace lockstep::cuda {

namespace {

constexpr std::size_t kVectorBytes = 16;

} // namespace

std::int64_t paddedChannels(std::int64_t channels, Precision precision)
{
    const auto vector =
        static_cast<std::int64_t>(kVectorBytes / bytesOf(activationType(precision)));
    return std::max(channels, vector);
}

std::optional<SlicePlace> slicePlace(const ChannelSlice& slice, DataType type)
{
    const CudaLayout& whole = layoutOf(slice.whole);
    const SlicePlace place{
        static_cast<std::size_t>(slice.firstChannel) * bytesOf(type), whole.channels};
    const std::size_t strideBytes = static_cast<std::size_t>(whole.channels) * bytesOf(type);
    const bool fits = whole.type == type && (place.offset | strideBytes) % kVectorBytes == 0;
    return fits ? std::optional(place) : std::nullopt;
}

OpMemory shifted(OpMemory memory, std::size_t dstOffset)
{
    memory.dst += dstOffset;
    memory.diffDst = memory.diffDst == nullptr ? nullptr : memory.diffDst + dstOffset;
    return memory;
}

const void* operandsAt(const WeightsView& weights, std::int64_t offset, DataType type)
{
    if (type == DataType::Float32) {
        return weights.values + offset;
    }
    return weights.operands + offset * static_cast<std::int64_t>(bytesOf(type));
}

const CudaLayout& layoutOf(const TensorPlan& plan)
{
    return std::any_cast<const CudaLayout&>(plan.layout);
}

TensorPlan tensorPlan(std::int64_t examples, const Shape& shape, DataType type)
{
    return tensorPlan(examples, shape, CudaLayout{type, shape.channels});
}

TensorPlan tensorPlan(std::int64_t examples, const Shape& shape, const CudaLayout& layout)
{
    const std::int64_t values = examples * shape.height * shape.width * layout.channels;
    return {examples, shape, layout, static_cast<std::size_t>(values) * bytesOf(layout.type)};
}

} // namespace lockstep::cuda
