// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/dnnl_helpers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace lockstep::cpu {
namespace {

/// Softmax, cross-entropy and their gradient in one pass over the logits, in double: a few thousand
/// numbers a step. The result number of an objective is its place in StepContext::results.
class SoftmaxCrossEntropyOp : public Op
{
public:
    explicit SoftmaxCrossEntropyOp(const SoftmaxCrossEntropy& loss)
        : m_labelSmoothing(loss.labelSmoothing), m_classWeights(loss.classWeights)
    {
    }

    void plan(OpPlan& plan) override
    {
        m_rows = plan.examples;
        m_classes = plan.src().shape.elements();
        const Desc plain = matrixDesc(m_rows, m_classes);
        require(
            layoutOf(plan.src()) == plain, "logits must be the output of a fully connected layer");
        plan.dst = tensorPlan(plan.examples, plan.src().shape, plain);
    }

    /// Leaves softmax(logits) in dst.
    void forward(const StepContext& context) override
    {
        require(
            static_cast<std::int64_t>(context.labels.size()) == m_rows,
            "a lane got another number of labels than planned");
        ObjectiveResult result;
        for (std::int64_t row = 0; row < m_rows; ++row) {
            forwardRow(row, labelsOf(context, row), result);
        }
        context.results.front() = result;
    }

    /// d(loss)/d(logit) = (softmax * sum of the targets - target) * lossScale, a target times the
    /// weight of its class.
    void backward(const StepContext& context) override
    {
        const double smoothed = context.lossScale * share();
        const double ofLabels = context.lossScale * (1.0 - m_labelSmoothing);
        double weights = 0.0;
        for (std::int64_t i = 0; i < m_classes; ++i) {
            weights += weightOf(i);
        }
        for (std::int64_t row = 0; row < m_rows; ++row) {
            const float* probabilities = floats(m_memory.dst) + row * m_classes;
            float* diff = floats(m_memory.diffSrc()) + row * m_classes;
            const Labels labels = labelsOf(context, row);
            const auto total = static_cast<float>(
                smoothed * weights
                + ofLabels * meanOf(labels, [this](auto label) { return weightOf(label); }));
            for (std::int64_t i = 0; i < m_classes; ++i) {
                diff[i] = probabilities[i] * total - static_cast<float>(smoothed * weightOf(i));
            }
            for (const auto& [label, share] : labels) {
                diff[label] -= static_cast<float>(share * ofLabels * weightOf(label));
            }
        }
    }

    [[nodiscard]] std::string describe() const override { return "own, double"; }

private:
    /// A label and its share; of a row that is not mixed the second one has none.
    using Labels = std::array<std::pair<std::int32_t, double>, 2>;
    static Labels labelsOf(const StepContext& context, std::int64_t row)
    {
        const auto number = static_cast<std::size_t>(row);
        const std::int32_t label = context.labels[number];
        const MixedLabel mixed = context.mixed.empty() ? MixedLabel{label} : context.mixed[number];
        const auto share = static_cast<double>(mixed.share);
        return {{{label, share}, {mixed.other, 1.0 - share}}};
    }
    template<class Value>
    static double meanOf(const Labels& labels, Value value)
    {
        const double own = labels[0].second * value(labels[0].first);
        return labels[1].second == 0.0 ? own : own + labels[1].second * value(labels[1].first);
    }
    /// What every class has of the target.
    [[nodiscard]] double share() const { return m_labelSmoothing / static_cast<double>(m_classes); }
    [[nodiscard]] double weightOf(std::int64_t label) const
    {
        return m_classWeights.empty()
                   ? 1.0
                   : static_cast<double>(m_classWeights[static_cast<std::size_t>(label)]);
    }
    static float* floats(std::byte* bytes) { return reinterpret_cast<float*>(bytes); }

    void forwardRow(std::int64_t row, const Labels& labels, ObjectiveResult& result) const
    {
        const float* logits = floats(m_memory.src()) + row * m_classes;
        float* probabilities = floats(m_memory.dst) + row * m_classes;
        for (const auto& [label, share] : labels) {
            require(label >= 0 && label < m_classes, "a label is not one of the network's classes");
        }
        const float* largest = std::max_element(logits, logits + m_classes);
        double sum = 0.0;
        for (std::int64_t i = 0; i < m_classes; ++i) {
            sum += std::exp(static_cast<double>(logits[i]) - *largest);
        }
        for (std::int64_t i = 0; i < m_classes; ++i) {
            probabilities[i] =
                static_cast<float>(std::exp(static_cast<double>(logits[i]) - *largest) / sum);
        }
        const double logOfSum = std::log(sum) + *largest;
        result.lossSum +=
            (1.0 - m_labelSmoothing) * meanOf(labels, [&](auto label) {
                return weightOf(label) * (logOfSum - static_cast<double>(logits[label]));
            });
        if (m_labelSmoothing > 0.0) {
            for (std::int64_t i = 0; i < m_classes; ++i) {
                result.lossSum +=
                    share() * weightOf(i) * (logOfSum - static_cast<double>(logits[i]));
            }
        }
        // A row with a NaN has no largest value: it counts as wrong.
        result.correct += std::isfinite(sum) && largest - logits == labels[0].first ? 1 : 0;
    }

    double m_labelSmoothing;
    std::vector<float> m_classWeights;
    std::int64_t m_rows = 0;
    std::int64_t m_classes = 0;
};

} // namespace

std::unique_ptr<Op> makeOp(const SoftmaxCrossEntropy& loss)
{
    return std::make_unique<SoftmaxCrossEntropyOp>(loss);
}

} // namespace lockstep::cpu
