// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/pooling/pool_shape.h"

#include "base/error.h"
#include "device/cuda/runtime/cuda_check.h"
#include "network/network_spec.h"

#include <limits>

namespace lockstep::cuda {

PoolShape poolShape(const Extent& window, const Extent& stride, Padding padding, const OpPlan& plan)
{
    const CudaLayout& layout = layoutOf(plan.src());
    const Shape& src = plan.src().shape;
    require(layout.channels == src.channels, "pooling of padded channels");
    const auto rows = paddingCells(padding, src.height, window.height, stride.height);
    const auto columns = paddingCells(padding, src.width, window.width, stride.width);
    PoolShape shape;
    shape.type = layout.type;
    shape.examples = static_cast<int>(plan.examples);
    shape.channels = static_cast<int>(src.channels);
    shape.srcHeight = static_cast<int>(src.height);
    shape.srcWidth = static_cast<int>(src.width);
    shape.dstHeight = static_cast<int>(plan.dstShape.height);
    shape.dstWidth = static_cast<int>(plan.dstShape.width);
    shape.windowHeight = static_cast<int>(window.height);
    shape.windowWidth = static_cast<int>(window.width);
    shape.strideHeight = static_cast<int>(stride.height);
    shape.strideWidth = static_cast<int>(stride.width);
    shape.top = static_cast<int>(rows.before);
    shape.left = static_cast<int>(columns.before);
    return shape;
}

void requireFits(const PoolShape& shape)
{
    const bool fits = srcValues(shape) <= std::numeric_limits<int>::max()
                      && dstValues(shape) <= std::numeric_limits<int>::max();
    checkCuda(fits ? cudaSuccess : cudaErrorInvalidValue, "pooling of 2^31 values or more");
}

} // namespace lockstep::cuda
