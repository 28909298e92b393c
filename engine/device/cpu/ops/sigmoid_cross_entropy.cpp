// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cpu/layout/reorder.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/dnnl_helpers.h"
#include "device/cpu/runtime/parallel_ranges.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace lockstep::cpu {
namespace {

/// What some cells of a row add up to.
struct CellSums
{
    double loss = 0.0;
    bool hasPositiveLogit = false;
    bool hasPositiveTarget = false;

    void add(const CellSums& other)
    {
        loss += other.loss;
        hasPositiveLogit |= other.hasPositiveLogit;
        hasPositiveTarget |= other.hasPositiveTarget;
    }
};

/// With t the target and z the logit, the loss of a cell is max(z, 0) - z * t + log(1 + e^-|z|),
/// which is -t * log(s) - (1 - t) * log(1 - s) for s = sigmoid(z), without its overflows; its
/// gradient is s - t. In double; dst keeps the gradients of the cells.
class SigmoidCrossEntropyOp : public Op
{
public:
    explicit SigmoidCrossEntropyOp(const SigmoidCrossEntropy& loss) : m_target(loss.target) {}

    void plan(OpPlan& plan) override
    {
        m_rows = plan.examples;
        m_cells = plan.src().shape.elements();
        m_threads = plan.threads;
        const Desc src = imageLayoutOf(plan.src());
        const Desc plain = imageDesc(
            plan.examples, plan.src().shape, Element::Float32, dnnl::memory::format_tag::nhwc);
        plan.dst = tensorPlan(plan.examples, plan.src().shape, plain);
        m_toLogits.emplace(src, plain);
        m_logits = addPart(plan.scratchpadBytes, plain.get_size());
        m_parts = addPart(
            plan.scratchpadBytes, static_cast<std::size_t>(m_rows * parts()) * sizeof(CellSums));
        if (plan.isTraining && plan.needsDiffSrc()) {
            m_fromDiff.emplace(plain, src);
        }
    }

    void forward(const StepContext& context) override
    {
        m_maskCells = std::ssize(context.masks) / m_rows;
        require(
            m_target == SigmoidCrossEntropy::Target::MaskSum
                ? m_maskCells > 0 && std::ssize(context.masks) == m_rows * m_maskCells
                : std::ssize(context.masks) == m_rows * m_cells,
            "a lane got another number of masks than planned");
        m_toLogits->run(m_memory.src(), m_memory.scratchpad + m_logits);
        forRanges(m_threads, m_rows * parts(), [&](std::int64_t first, std::int64_t end) {
            for (std::int64_t i = first; i < end; ++i) {
                partSums()[i] = forwardPart(i / parts(), i % parts(), context.masks);
            }
        });
        ObjectiveResult result;
        for (std::int64_t row = 0; row < m_rows; ++row) {
            CellSums sums;
            for (std::int64_t part = 0; part < parts(); ++part) {
                sums.add(partSums()[row * parts() + part]);
            }
            result.lossSum += sums.loss / static_cast<double>(m_cells);
            // A row with a NaN has no answer: it counts as wrong.
            result.correct +=
                std::isfinite(sums.loss) && sums.hasPositiveLogit == sums.hasPositiveTarget ? 1 : 0;
        }
        context.results.front() = result;
    }

    void backward(const StepContext& context) override
    {
        auto* diff = floats(m_memory.scratchpad + m_logits);
        const float* slopes = floats(m_memory.dst);
        const auto scale = static_cast<float>(context.lossScale / static_cast<double>(m_cells));
        for (std::int64_t i = 0; i < m_rows * m_cells; ++i) {
            diff[i] = slopes[i] * scale;
        }
        m_fromDiff->run(diff, m_memory.diffSrc());
    }

    [[nodiscard]] std::string describe() const override { return "own, double"; }

private:
    /// Cells that are added up by themselves, so that sums do not depend on the threads.
    static constexpr std::int64_t kPart = 1024;

    static float* floats(std::byte* bytes) { return reinterpret_cast<float*>(bytes); }
    [[nodiscard]] std::int64_t parts() const { return (m_cells + kPart - 1) / kPart; }
    [[nodiscard]] CellSums* partSums() const
    {
        return reinterpret_cast<CellSums*>(m_memory.scratchpad + m_parts);
    }

    [[nodiscard]] double targetOf(
        std::int64_t row, std::int64_t cell, std::span<const float> masks) const
    {
        if (m_target == SigmoidCrossEntropy::Target::Mask) {
            return masks[static_cast<std::size_t>(row * m_cells + cell)];
        }
        const auto mask = masks.subspan(
            static_cast<std::size_t>(row * m_maskCells), static_cast<std::size_t>(m_maskCells));
        return std::min(1.0, std::accumulate(mask.begin(), mask.end(), 0.0));
    }

    [[nodiscard]] CellSums forwardPart(
        std::int64_t row, std::int64_t part, std::span<const float> masks) const
    {
        constexpr double kPositive = 0.5;
        CellSums sums;
        const std::int64_t end = std::min(m_cells, (part + 1) * kPart);
        for (std::int64_t cell = part * kPart; cell < end; ++cell) {
            const std::int64_t at = row * m_cells + cell;
            const double logit = floats(m_memory.scratchpad + m_logits)[at];
            const double target = targetOf(row, cell, masks);
            const double small = std::exp(-std::abs(logit));
            const double sigmoid = (logit < 0.0 ? small : 1.0) / (1.0 + small);
            floats(m_memory.dst)[at] = static_cast<float>(sigmoid - target);
            // Not std::max, which would drop a NaN.
            sums.loss += (logit < 0.0 ? 0.0 : logit) - logit * target + std::log1p(small);
            sums.hasPositiveLogit |= logit > 0.0;
            sums.hasPositiveTarget |= target >= kPositive;
        }
        return sums;
    }

    SigmoidCrossEntropy::Target m_target;
    std::int64_t m_rows = 0;
    std::int64_t m_cells = 0;     ///< logits of a row
    std::int64_t m_maskCells = 0; ///< of a row's mask
    int m_threads = 1;
    std::size_t m_logits = 0; ///< in the scratchpad; backward: scaled gradients
    std::size_t m_parts = 0;
    std::optional<Reorder> m_toLogits;
    std::optional<Reorder> m_fromDiff;
};

} // namespace

std::unique_ptr<Op> makeOp(const SigmoidCrossEntropy& loss)
{
    return std::make_unique<SigmoidCrossEntropyOp>(loss);
}

} // namespace lockstep::cpu
