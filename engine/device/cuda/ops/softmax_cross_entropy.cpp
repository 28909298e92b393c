// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cuda/kernels/softmax_cross_entropy_kernel.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"
#include "device/cuda/runtime/device_floats.h"

#include <numeric>
#include <vector>

namespace lockstep::cuda {
namespace {

/// Leaves softmax(logits) in dst, from which the way back begins.
class SoftmaxCrossEntropyOp : public Op
{
public:
    explicit SoftmaxCrossEntropyOp(const SoftmaxCrossEntropy& loss)
        : m_classWeights(loss.classWeights)
    {
        m_shape.classWeightSum =
            std::accumulate(m_classWeights.begin(), m_classWeights.end(), 0.0F);
        m_shape.labelSmoothing = static_cast<float>(loss.labelSmoothing);
    }

    void plan(OpPlan& plan) override
    {
        require(
            layoutOf(plan.src()).type == DataType::Float32,
            "logits must be the output of a fully connected layer without activation");
        plan.dst = tensorPlan(plan.examples, plan.src().shape, DataType::Float32);
        m_shape.rows = static_cast<int>(plan.examples);
        m_shape.classes = static_cast<int>(plan.src().shape.elements());
    }

    void bind(const OpMemory& memory) override
    {
        Op::bind(memory);
        if (!m_classWeights.empty()) {
            m_onDevice = DeviceFloats(m_classWeights);
            m_shape.classWeights = m_onDevice.data();
        }
    }

    void forward(const StepContext& context) override
    {
        m_shape.mixed = context.mixed.data();
        softmaxCrossEntropyForward(
            streamOf(context), m_shape,
            {reinterpret_cast<const float*>(m_memory.src()), context.labels.data(),
             reinterpret_cast<float*>(m_memory.dst), context.results.data(), context.afterForward});
    }

    void backward(const StepContext& context) override
    {
        softmaxCrossEntropyBackward(
            streamOf(context), m_shape,
            {reinterpret_cast<const float*>(m_memory.dst), context.labels.data(),
             reinterpret_cast<float*>(m_memory.diffSrc()), static_cast<float>(context.lossScale)});
    }

private:
    LogitsShape m_shape;
    std::vector<float> m_classWeights;
    DeviceFloats m_onDevice; ///< the same
};

} // namespace

std::unique_ptr<Op> makeOp(const SoftmaxCrossEntropy& loss, CudaContext& /*context*/)
{
    return std::make_unique<SoftmaxCrossEntropyOp>(loss);
}

} // namespace lockstep::cuda
