// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/plans/convolution_plan.h"
#include "device/cuda/plans/cudnn_descriptor.h"

namespace lockstep::cuda {

/// The GPU that cuDNN plans for: one that is here, by a handle, or one that is only described (a
/// finalized device properties descriptor; cuDNN 9.8 and later), for which nothing can run.
struct CudnnTarget
{
    cudnnHandle_t handle = nullptr;
    const CudnnDescriptor* properties = nullptr;
};

/// By which a variant pack tells the tensors of a graph.
enum ConvolutionTensorId : std::int64_t { SrcId = 1, WeightsId, BiasId, DstId };

/// What cuDNN is asked to compute: the convolution alone or, `withEpilogue`, with the bias and ReLU
/// of the spec in the same kernel, or, `adds`, added to what is there. `weightGradientType` is what
/// a weight gradient is stored as.
struct ConvolutionGraphOptions
{
    bool withEpilogue = false;
    DataType weightGradientType = DataType::Float32;
    bool adds = false;
};

/// The finalized operation graph. Throws as checkCudnn: cuDNN refuses here what it can't express.
CudnnDescriptor convolutionGraph(
    const CudnnTarget& target, const ConvolutionSpec& spec, const ConvolutionGraphOptions& options);

} // namespace lockstep::cuda
