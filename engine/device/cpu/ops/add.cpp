// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/vector_kernels.h"
#include "device/cpu/layout/reorder.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/dnnl_helpers.h"
#include "device/cpu/runtime/parallel_ranges.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace lockstep::cpu {
namespace {

/// One pass over two sources and dst, and one over every further source. All are added as the first
/// one lies, or with the channels of a cell side by side where it lies otherwise.
class AddOp : public Op
{
public:
    explicit AddOp(const Add& spec) : m_isRelu(spec.activation == Activation::Relu) {}

    void plan(OpPlan& plan) override
    {
        const bool hasLayout = channelLayout(plan.src()).has_value();
        plan.dst = tensorPlan(
            plan.examples, plan.dstShape,
            layoutOf(hasLayout ? plan.src() : withChannelsLast(plan.src())));
        m_layout = *channelLayout(plan.dst);
        m_threads = plan.threads;
        for (std::size_t i = 0; i < plan.srcs.size(); ++i) {
            addSource(plan, i);
        }
        m_diff = addPart(plan.scratchpadBytes, m_mostDiffBytes);
    }

    void forward(const StepContext& /*context*/) override
    {
        for (std::size_t i = 0; i < m_sources.size(); ++i) {
            if (m_sources[i].toDst) {
                m_sources[i].toDst->run(m_memory.srcs[i], m_memory.workspace + m_sources[i].place);
            }
        }
        const std::byte* sum = values(0);
        if (m_sources.size() == 1) {
            forEachRun(0, [&](std::int64_t at, std::int64_t /*from*/, std::int64_t count) {
                std::copy_n(sum + at, count * bytes(), m_memory.dst + at);
                relu(m_isRelu, at, count);
            });
        }
        for (std::size_t i = 1; i < m_sources.size(); ++i) {
            const bool isLast = i + 1 == m_sources.size();
            addSource(i, sum, isLast && m_isRelu);
            sum = m_memory.dst;
        }
    }

    void backward(const StepContext& /*context*/) override
    {
        if (m_isRelu) {
            forEachRun(0, [&](std::int64_t at, std::int64_t /*from*/, std::int64_t count) {
                reluBackward(m_layout.element, m_memory.dst + at, m_memory.diffDst + at, count);
            });
        }
        for (std::size_t i = 0; i < m_sources.size(); ++i) {
            if (m_memory.diffSrcs[i] == nullptr) {
                continue;
            }
            auto& back = m_sources[i].fromDiff;
            std::byte* diff = back ? m_memory.scratchpad + m_diff : m_memory.diffSrcs[i];
            forEachRun(i, [&](std::int64_t at, std::int64_t from, std::int64_t count) {
                std::copy_n(m_memory.diffDst + at, count * bytes(), diff + from);
            });
            if (back) {
                back->run(diff, m_memory.diffSrcs[i]);
            }
        }
    }

    [[nodiscard]] std::string describe() const override
    {
        return m_isRelu ? "own vector kernel, with ReLU" : "own vector kernel";
    }

private:
    struct Source
    {
        std::optional<Reorder> toDst;    ///< where it lies otherwise than dst
        std::optional<Reorder> fromDiff; ///< likewise
        std::size_t place = 0;           ///< of the moved one in the workspace
        std::int64_t blocks = 0;         ///< of channels
        std::int64_t block = 0;          ///< channels of one
    };

    void addSource(OpPlan& plan, std::size_t number)
    {
        const TensorPlan& src = plan.srcs[number];
        const TensorPlan moved = withSameLayout(plan.dst, src.shape);
        const ChannelLayout layout = *channelLayout(moved);
        Source& source = m_sources.emplace_back();
        source.blocks = layout.blocks;
        source.block = layout.block;
        if (imageLayoutOf(src) == layoutOf(moved)) {
            return;
        }
        source.toDst.emplace(imageLayoutOf(src), layoutOf(moved));
        source.place = addPart(plan.workspaceBytes, moved.bytes);
        if (plan.isTraining && plan.needsDiffSrcs[number]) {
            source.fromDiff.emplace(layoutOf(moved), imageLayoutOf(src));
            m_mostDiffBytes = std::max(m_mostDiffBytes, moved.bytes);
        }
    }

    [[nodiscard]] std::int64_t bytes() const { return bytesOf(m_layout.element); }
    [[nodiscard]] const std::byte* values(std::size_t source) const
    {
        return m_sources[source].toDst ? m_memory.workspace + m_sources[source].place
                                       : m_memory.srcs[source];
    }

    /// dst = sum + the source, then ReLU or not.
    void addSource(std::size_t number, const std::byte* sum, bool isRelu)
    {
        const Source& source = m_sources[number];
        const bool isNarrow = source.blocks * source.block < m_layout.blocks * m_layout.block;
        if (isNarrow && sum != m_memory.dst) {
            forEachRun(0, [&](std::int64_t at, std::int64_t /*from*/, std::int64_t count) {
                std::copy_n(sum + at, count * bytes(), m_memory.dst + at);
            });
            sum = m_memory.dst;
        }
        const std::byte* addends = values(number);
        forEachRun(number, [&](std::int64_t at, std::int64_t from, std::int64_t count) {
            addRange(
                m_layout.element, {sum + at, addends + from, m_memory.dst + at}, count,
                isRelu && !isNarrow);
        });
        if (isNarrow) {
            forEachRun(0, [&](std::int64_t at, std::int64_t /*from*/, std::int64_t count) {
                relu(isRelu, at, count);
            });
        }
    }

    void relu(bool isRelu, std::int64_t at, std::int64_t count)
    {
        if (isRelu) {
            reluForward(m_layout.element, m_memory.dst + at, count);
        }
    }

    /// Calls body(byte in dst, byte in the source, values) for what lies side by side in both, on
    /// all threads.
    template<class Body>
    void forEachRun(std::size_t number, Body body) const
    {
        const Source& source = m_sources[number];
        const std::int64_t plane = m_layout.positions * m_layout.block;
        if (source.blocks == m_layout.blocks && source.block == m_layout.block) {
            const std::int64_t all = m_layout.images * m_layout.blocks * plane;
            const std::int64_t shares = (all + kShareValues - 1) / kShareValues;
            forRanges(m_threads, shares, [&](std::int64_t first, std::int64_t end) {
                const std::int64_t at = first * kShareValues;
                body(at * bytes(), at * bytes(), std::min(all, end * kShareValues) - at);
            });
            return;
        }
        // Fewer channels: whole planes of them, or some of each cell.
        const bool isCell = source.block != m_layout.block;
        const std::int64_t run = isCell ? source.block : source.blocks * plane;
        const std::int64_t whole = isCell ? m_layout.block : m_layout.blocks * plane;
        const std::int64_t runs = m_layout.images * (isCell ? m_layout.positions : 1);
        forRanges(m_threads, runs, [&](std::int64_t first, std::int64_t end) {
            for (std::int64_t i = first; i < end; ++i) {
                body(i * whole * bytes(), i * run * bytes(), run);
            }
        });
    }

    bool m_isRelu;
    ChannelLayout m_layout; ///< of dst
    std::vector<Source> m_sources;
    int m_threads = 1;
    std::size_t m_mostDiffBytes = 0;
    std::size_t m_diff = 0; ///< in the scratchpad
};

} // namespace

std::unique_ptr<Op> makeOp(const Add& add)
{
    return std::make_unique<AddOp>(add);
}

} // namespace lockstep::cpu
