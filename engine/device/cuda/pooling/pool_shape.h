// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/runtime/cuda_layout.h"
#include "network/layer_spec.h"

#include <cstdint>

namespace lockstep::cuda {

/// A pooling of NHWC tensors whose channels are not padded. Fewer than 2^31 values in each tensor.
struct PoolShape
{
    DataType type = DataType::Float32;
    int examples = 0;
    int channels = 0;
    int srcHeight = 0;
    int srcWidth = 0;
    int dstHeight = 0;
    int dstWidth = 0;
    int windowHeight = 1;
    int windowWidth = 1;
    int strideHeight = 1;
    int strideWidth = 1;
    int top = 0; ///< cells of padding before the first row; see paddingCells()
    int left = 0;
    bool countsPadding = false; ///< average pooling: its cells are zeros
};

/// Of a layer with such windows.
[[nodiscard]] PoolShape poolShape(
    const Extent& window, const Extent& stride, Padding padding, const OpPlan& plan);

[[nodiscard]] inline std::int64_t srcValues(const PoolShape& shape)
{
    return std::int64_t{shape.examples} * shape.srcHeight * shape.srcWidth * shape.channels;
}
[[nodiscard]] inline std::int64_t dstValues(const PoolShape& shape)
{
    return std::int64_t{shape.examples} * shape.dstHeight * shape.dstWidth * shape.channels;
}
/// Fewer than 2^31 of both; errors as checkCuda.
void requireFits(const PoolShape& shape);

} // namespace lockstep::cuda
