// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/kernel_test.h"
#include "device/cuda/runtime/cuda_context.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"
#include "device/op.h"

#include <memory>
#include <string>
#include <vector>

namespace lockstep::test {

struct OpTrialSettings
{
    LayerSpec layer; ///< Conv2d or Dense
    Shape src;
    std::int64_t examples = 2;
    Precision precision = Precision::Float32;
    bool srcIsInput = false;   ///< channels are padded, and it needs no gradient
    bool srcIsFloat32 = false; ///< in any precision
    bool isTraining = true;
    bool trainsParameters = true;
    std::string algorithm;
};

/// Gradients by the definition, in the order in which they are stored.
struct ExpectedGradients
{
    std::vector<double> weights;
    std::vector<double> bias;
    std::vector<double> src;
};

/// One layer with weights, on an emulated device, with random values everywhere, beside its
/// definition in float64 on the same values.
class OpTrial
{
public:
    /// Plans and binds.
    explicit OpTrial(OpTrialSettings settings);

    void forward();
    /// After forward.
    void backward();
    /// Both, captured and launched.
    void runCaptured();
    /// The first weight becomes a NaN.
    void spoilWeight();

    [[nodiscard]] std::string describe() const { return m_op->describe(); }
    [[nodiscard]] bool dstIsFloat32() const;
    /// Whether dst is rounded to bfloat16.
    [[nodiscard]] bool isRounded() const { return !dstIsFloat32(); }

    [[nodiscard]] std::vector<float> dst() const { return valuesOf(m_plan.dst, *m_dst); }
    [[nodiscard]] std::vector<float> diffSrc() const { return valuesOf(m_plan.src(), *m_diffSrc); }
    [[nodiscard]] std::vector<float> diffWeights() const;
    [[nodiscard]] std::vector<float> diffBias() const;

    [[nodiscard]] std::vector<double> expectedDst() const;
    /// For the dst that forward has left.
    [[nodiscard]] ExpectedGradients expectedGradients() const;

private:
    using Bytes = DeviceArray<std::byte>;

    [[nodiscard]] static std::vector<float> valuesOf(const TensorPlan& plan, const Bytes& memory);
    void planOp();
    void fillSrc(Random& random);
    void fillParameters(Random& random);
    void fillDiffDst(Random& random);
    /// Weight or bias as it is multiplied or added.
    [[nodiscard]] double parameter(std::int64_t offset, std::size_t i) const;
    [[nodiscard]] double bias(std::size_t unit) const;
    [[nodiscard]] bool isConvolution() const;
    [[nodiscard]] bool hasBias() const;
    /// Calls visit(place in src, in dst, in weights) for every product of the definition.
    template<class Visit>
    void forEachProduct(Visit visit) const;
    template<class Visit>
    void forEachConvolutionProduct(Visit visit) const;

    OpTrialSettings m_settings;
    cuda::CudaContext m_context;
    cuda::CudaStream m_stream{0};
    std::unique_ptr<Op> m_op;
    OpPlan m_plan;
    std::int64_t m_srcChannels = 0; ///< as they are stored
    std::size_t m_weights = 0;
    std::size_t m_units = 0;
    std::unique_ptr<Bytes> m_src;
    std::unique_ptr<Bytes> m_dst;
    std::unique_ptr<Bytes> m_diffSrc;
    std::unique_ptr<Bytes> m_diffDst;
    std::unique_ptr<Bytes> m_workspace;
    std::unique_ptr<Bytes> m_scratchpad;
    std::unique_ptr<DeviceArray<float>> m_arena;
    std::unique_ptr<DeviceArray<cuda::Bfloat16>> m_operands;
    std::unique_ptr<DeviceArray<float>> m_gradients;
    std::vector<float> m_srcValues;
    std::vector<float> m_diffDstValues;
    StepContext m_step;
};

} // namespace lockstep::test
