// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/plans/cudnn_convolution.h"

#include "device/cuda/arrays/bias_relu_kernel.h"
#include "device/cuda/arrays/cast_kernel.h"
#include "device/cuda/arrays/tensor_kernels.h"
#include "device/cuda/plans/algorithm_text.h"
#include "device/cuda/plans/cudnn_attributes.h"

#include <utility>

namespace lockstep::cuda {

std::vector<ConvolutionVariant> variantsOf(const ConvolutionSpec& spec)
{
    if (spec.direction == ConvolutionDirection::WeightGradient) {
        std::vector<ConvolutionVariant> variants{{{false, DataType::Float32}, false}};
        if (spec.type == DataType::Bfloat16) {
            variants.push_back({{false, DataType::Bfloat16}, true});
        }
        return variants;
    }
    if (spec.adds) {
        return {{{false, DataType::Float32, true}, false}, {{}, true}};
    }
    if (spec.hasBias || spec.hasRelu) {
        return {{{true, spec.type}, false}, {{false, spec.type}, true}};
    }
    return {{{false, spec.type}, false}};
}

CudnnConvolution::CudnnConvolution(
    cudnnHandle_t handle, ConvolutionSpec spec, ConvolutionParts parts)
    : m_handle(handle), m_spec(std::move(spec)), m_parts(std::move(parts))
{
}

void CudnnConvolution::run(cudaStream_t stream, const ConvolutionBuffers& buffers) const
{
    checkCudnn(cudnnSetStream(m_handle, stream), "set stream");
    const CudnnDescriptor pack = makePack(buffers);
    checkCudnn(
        cudnnBackendExecute(m_handle, m_parts.plan.plan.get(), pack.get()),
        "execute " + toString(m_spec));
    if (isNarrow()) {
        widen(
            stream, static_cast<const Bfloat16*>(aside(buffers)),
            static_cast<float*>(buffers.weights), weightCount(m_spec));
    } else if (isAddend()) {
        addTensor(
            stream, tensorPlan(m_spec.examples, m_spec.src, m_spec.type),
            static_cast<std::byte*>(buffers.src), static_cast<const std::byte*>(aside(buffers)));
    } else if (m_parts.hasKernel) {
        const std::int64_t positions = m_spec.examples * m_spec.dst.height * m_spec.dst.width;
        addBias(
            stream, {buffers.dst, m_spec.type, positions, m_spec.dst.channels},
            m_spec.hasBias ? buffers.bias : nullptr, m_spec.hasRelu);
    }
}

std::size_t CudnnConvolution::workspaceBytes() const
{
    return asideBytes() == 0 ? m_parts.plan.workspaceBytes : asideOffset() + asideBytes();
}

std::string CudnnConvolution::describe() const
{
    return toString(m_parts.plan.engine) + std::string(m_parts.hasKernel ? kOwnKernel : "");
}

/// Whether cuDNN makes the weight gradient in bfloat16, in the workspace.
bool CudnnConvolution::isNarrow() const
{
    return m_parts.hasKernel && m_spec.direction == ConvolutionDirection::WeightGradient;
}

/// Whether cuDNN makes the data gradient in the workspace, from where it is added.
bool CudnnConvolution::isAddend() const
{
    return m_parts.hasKernel && m_spec.adds;
}

/// Of what a kernel of ours takes from the workspace.
std::size_t CudnnConvolution::asideBytes() const
{
    if (isAddend()) {
        return static_cast<std::size_t>(m_spec.examples * m_spec.src.elements())
               * bytesOf(m_spec.type);
    }
    return isNarrow() ? static_cast<std::size_t>(weightCount(m_spec)) * bytesOf(DataType::Bfloat16)
                      : 0;
}

/// Behind cuDNN's own part of the workspace.
std::size_t CudnnConvolution::asideOffset() const
{
    constexpr std::size_t kAlignment = 256;
    return (m_parts.plan.workspaceBytes + kAlignment - 1) / kAlignment * kAlignment;
}

void* CudnnConvolution::aside(const ConvolutionBuffers& buffers) const
{
    return static_cast<std::byte*>(buffers.workspace) + asideOffset();
}

CudnnDescriptor CudnnConvolution::makePack(const ConvolutionBuffers& buffers) const
{
    std::vector<std::int64_t> ids{SrcId, WeightsId, DstId};
    std::vector<void*> addresses{
        isAddend() ? aside(buffers) : buffers.src, isNarrow() ? aside(buffers) : buffers.weights,
        buffers.dst};
    if (m_spec.hasBias && !m_parts.hasKernel) {
        ids.push_back(BiasId);
        addresses.push_back(const_cast<float*>(buffers.bias));
    }
    CudnnDescriptor pack(cudnn::kVariantPack);
    pack.set(cudnn::kPackIds, ids);
    pack.set(cudnn::kPackAddresses, addresses);
    pack.set(cudnn::kPackWorkspace, buffers.workspace);
    pack.finalize();
    return pack;
}

} // namespace lockstep::cuda
