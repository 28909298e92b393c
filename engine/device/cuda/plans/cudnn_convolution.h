// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/plans/convolution_graph.h"
#include "device/cuda/plans/convolution_plan.h"
#include "device/cuda/plans/cudnn_engine.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::cuda {

/// A way to share out the work of a spec between cuDNN and a kernel of ours.
struct ConvolutionVariant
{
    ConvolutionGraphOptions options; ///< cuDNN's part
    /// Ours does the epilogue, widens a weight gradient to float32, or adds.
    bool hasKernel = false;
};

/// All in cuDNN first.
std::vector<ConvolutionVariant> variantsOf(const ConvolutionSpec& spec);

/// cuDNN's plan for one variant.
struct ConvolutionParts
{
    CudnnPlan plan;
    bool hasKernel = false;
};

/// A convolution that cuDNN does.
class CudnnConvolution : public Convolution
{
public:
    CudnnConvolution(cudnnHandle_t handle, ConvolutionSpec spec, ConvolutionParts parts);

    void run(cudaStream_t stream, const ConvolutionBuffers& buffers) const override;
    [[nodiscard]] std::size_t workspaceBytes() const override;
    [[nodiscard]] std::string describe() const override;

private:
    [[nodiscard]] bool isNarrow() const;
    [[nodiscard]] bool isAddend() const;
    [[nodiscard]] std::size_t asideBytes() const;
    [[nodiscard]] std::size_t asideOffset() const;
    [[nodiscard]] void* aside(const ConvolutionBuffers& buffers) const;
    [[nodiscard]] CudnnDescriptor makePack(const ConvolutionBuffers& buffers) const;

    cudnnHandle_t m_handle;
    ConvolutionSpec m_spec;
    ConvolutionParts m_parts;
};

} // namespace lockstep::cuda
