// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/interface.h"
#include "base/shape.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/planning.h"
#include "device/precision.h"
#include "network/layer_spec.h"

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace lockstep::cuda {

struct CudaContext;

/// Which of a convolution's three tensors is computed from the other two.
enum class ConvolutionDirection {
    Forward,        ///< dst from src and weights
    DataGradient,   ///< diffSrc from weights and diffDst
    WeightGradient, ///< diffWeights from src and diffDst
};

/// One convolution with fixed shapes. Src and dst (and their gradients) are examples x height x
/// width x channels, weights [dst channels, kernel height, kernel width, src channels / groups];
/// all without gaps. The gradient of the weights is float32, everything else of type `type`; sums
/// are float32.
struct ConvolutionSpec
{
    ConvolutionDirection direction = ConvolutionDirection::Forward;
    DataType type = DataType::Float32;
    Precision precision = Precision::Float32;
    std::int64_t examples = 0;
    Shape src; ///< channels as they are stored
    Shape dst;
    Extent kernel;
    Extent stride;
    Extent padding{0, 0}; ///< cells on either side, the same before and after
    std::int64_t groups = 1;
    bool hasBias = false; ///< forward: adds bias[channel], float32, to dst
    bool hasRelu = false; ///< forward: dst = max(dst, 0) afterwards; a NaN stays one
    bool adds = false;    ///< data gradient: is added to what is there
    /// What describe() of an earlier plan of this convolution said, or kFirstAlgorithm; empty:
    /// choose.
    std::string algorithm;
};

/// Of the weights.
[[nodiscard]] inline std::int64_t weightCount(const ConvolutionSpec& spec)
{
    return spec.dst.channels * spec.kernel.height * spec.kernel.width * spec.src.channels
           / spec.groups;
}

/// Tensors by their part in the convolution; the one that the direction computes is written.
/// Device memory, 16-byte aligned.
struct ConvolutionBuffers
{
    void* src = nullptr;
    void* weights = nullptr;
    const float* bias = nullptr; ///< where the spec has one
    void* dst = nullptr;
    void* workspace = nullptr; ///< workspaceBytes(), 256-byte aligned
};

/// A convolution whose algorithm is chosen. Does not change any more: several streams may use it.
class Convolution : public Interface
{
public:
    /// Enqueues it. Called by the one thread that enqueues the work of this GPU.
    virtual void run(cudaStream_t stream, const ConvolutionBuffers& buffers) const = 0;
    [[nodiscard]] virtual std::size_t workspaceBytes() const = 0;
    /// All that is needed to choose the same again: "cudnn 9.19.0 eng12 k2=4 k5=1", and " + kernel"
    /// where a kernel of ours adds the bias or widens the weight gradient afterwards.
    [[nodiscard]] virtual std::string describe() const = 0;
};

/// Takes the algorithm of `spec.algorithm`, or else the one that the context's store has, if this
/// cuDNN has it; else chooses among the deterministic ones by trying the most promising on this GPU
/// (see choosePlan), four that are ready and one that is compiled. kFirstAlgorithm: the first that
/// is suggested for the convolution alone, untried; kernels of ours do the rest. A convolution that
/// was planned before in this context is given again. Waits for the GPU. Error(Device) if there is
/// no algorithm, Error(OutOfMemory) if the memory for trials can't be had, Error(Cancelled).
std::shared_ptr<const Convolution> planConvolution(
    CudaContext& context, const ConvolutionSpec& spec, Planning& planning);

/// Key of a spec among planned convolutions, and its name in messages:
/// "fprop bfloat16 128x24x24x8 * 64x5x5, stride 1x1, padding 2x2 + bias + relu".
std::string toString(const ConvolutionSpec& spec);

} // namespace lockstep::cuda
