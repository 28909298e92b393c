// SPDX-License-Identifier: Apache-2.0
// What kernels of ours do where cuBLASLt knows no epilogue, or is slower with it.
#include "device/cuda/arrays/bias_relu_kernel.h"
#include "device/cuda/plans/matmul_plan.h"

namespace lockstep::cuda {
namespace {

/// Of BiasGradient: a, which is only read.
ChannelValues summedValues(const MatmulSpec& spec, const void* a)
{
    return {const_cast<void*>(a), spec.type, spec.depth, spec.rows};
}

} // namespace

std::int64_t maskStride(const MatmulSpec& spec)
{
    constexpr std::int64_t kBits = 128; // cuBLASLt's rule
    return (spec.columns + kBits - 1) / kBits * kBits;
}

std::size_t maskBytes(const MatmulSpec& spec)
{
    return static_cast<std::size_t>(spec.rows * maskStride(spec) / 8);
}

std::size_t epilogueScratchBytes(const MatmulSpec& spec)
{
    return spec.epilogue == MatmulEpilogue::BiasGradient
               ? biasBackwardScratchBytes(summedValues(spec, nullptr))
               : 0;
}

void applyEpilogue(cudaStream_t stream, const MatmulSpec& spec, const MatmulBuffers& buffers)
{
    const ChannelValues dst{buffers.dst, spec.dstType, spec.rows, spec.columns};
    switch (spec.epilogue) {
    case MatmulEpilogue::Bias:
    case MatmulEpilogue::BiasRelu:
        return addBias(stream, dst, buffers.bias, spec.epilogue == MatmulEpilogue::BiasRelu);
    case MatmulEpilogue::ReluGradient:
        return biasBackward(stream, {dst, buffers.reluDst, nullptr, nullptr, nullptr});
    case MatmulEpilogue::BiasGradient:
        return biasBackward(
            stream, {summedValues(spec, buffers.a), nullptr, nullptr, buffers.diffBias,
                     static_cast<float*>(buffers.workspace)});
    case MatmulEpilogue::None:
    case MatmulEpilogue::BiasReluMask:
        return;
    }
}

} // namespace lockstep::cuda
