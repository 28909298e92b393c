// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_layout.h"

#include <algorithm>

namespace lockstep::cuda {

std::int64_t paddedChannels(std::int64_t channels, Precision precision)
{
    constexpr std::size_t kVectorBytes = 16;
    const auto vector =
        static_cast<std::int64_t>(kVectorBytes / bytesOf(activationType(precision)));
    return std::max(channels, vector);
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
