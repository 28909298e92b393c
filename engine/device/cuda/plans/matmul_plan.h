// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/interface.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/planning.h"
#include "device/precision.h"

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace lockstep::cuda {

struct CudaContext;

/// What is done to the product before it is stored, or besides.
enum class MatmulEpilogue {
    None,
    Bias,         ///< adds bias[column]
    BiasRelu,     ///< then max(value, 0); a NaN stays one
    BiasReluMask, ///< and notes where that changed nothing; cuBLASLt's alone
    ReluGradient, ///< makes 0 what such a mask of another product of this shape says
    BiasGradient, ///< besides: diffBias[row] = sum over depth of a, which must be transposed
};

/// dst = a * b with fixed shapes: dst is rows x columns, the sum goes over `depth` products, taken
/// in float32. All matrices are row by row and without gaps: a is rows x depth, or depth x rows
/// where it is transposed; b is depth x columns, or columns x depth where it is transposed.
struct MatmulSpec
{
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t depth = 0;
    bool transposeA = false;
    bool transposeB = false;
    DataType type = DataType::Float32;    ///< of a and b
    DataType dstType = DataType::Float32; ///< float32 if `type` is
    Precision precision = Precision::Float32;
    MatmulEpilogue epilogue = MatmulEpilogue::None;
    /// What describe() of an earlier plan of this product said, or kFirstAlgorithm; empty: choose.
    std::string algorithm;
};

/// Device memory, 16-byte aligned.
struct MatmulBuffers
{
    const void* a = nullptr;
    const void* b = nullptr;
    const float* bias = nullptr; ///< where the epilogue has one
    /// The same in bfloat16, for dst in bfloat16: cuBLASLt wants bias and dst of one type.
    const void* roundedBias = nullptr;
    void* dst = nullptr;
    void* workspace = nullptr; ///< workspaceBytes(), 256-byte aligned
    /// BiasReluMask writes it, ReluGradient reads it: maskBytes(). What the bits mean is
    /// cuBLASLt's matter.
    std::byte* mask = nullptr;
    const void* reluDst = nullptr; ///< ReluGradient: dst of the product that wrote the mask
    float* diffBias = nullptr;     ///< BiasGradient
};

/// Bits from a row of a mask to the next.
std::int64_t maskStride(const MatmulSpec& spec);
std::size_t maskBytes(const MatmulSpec& spec);

/// A product whose algorithm is chosen. Does not change any more: several streams may use it.
class Matmul : public Interface
{
public:
    /// Enqueues it.
    virtual void run(cudaStream_t stream, const MatmulBuffers& buffers) const = 0;
    [[nodiscard]] virtual std::size_t workspaceBytes() const = 0;
    /// All that is needed to choose the same again: "cublaslt 13.0.2 42.0.1f", and " + kernel"
    /// where a kernel of ours applies the epilogue afterwards.
    [[nodiscard]] virtual std::string describe() const = 0;
};

/// As planConvolution, among the algorithms of cuBLASLt: four of them are tried. Error(Device)
/// where there is none; BiasReluMask depends on the GPU and the types.
std::shared_ptr<const Matmul> planMatmul(
    CudaContext& context, const MatmulSpec& spec, Planning& planning);

/// Does to the plain product, with a kernel of ours, what cuBLASLt's epilogue would have done. All
/// but BiasReluMask.
void applyEpilogue(cudaStream_t stream, const MatmulSpec& spec, const MatmulBuffers& buffers);
/// What it needs of the workspace.
std::size_t epilogueScratchBytes(const MatmulSpec& spec);

/// Key of a spec among planned products, and its name in messages:
/// "matmul bfloat16 128x384x2304 nt to bfloat16 + bias + relu".
std::string toString(const MatmulSpec& spec);

} // namespace lockstep::cuda
