// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/layout/reorder.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/dnnl_helpers.h"
#include "device/join_text.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::cpu {
namespace {

using Tag = dnnl::memory::format_tag;

/// One pass over each source that is not there already, straight into its channels of dst, and
/// back. Dst lies in blocks of
/// channels where the first source does and all parts begin at a block; else with all channels of a
/// cell side by side.
class ConcatOp : public Op
{
public:
    void plan(OpPlan& plan) override
    {
        const Desc dst = imageDesc(plan.examples, plan.dstShape, elementFor(plan), orderFor(plan));
        plan.dst = tensorPlan(plan.examples, plan.dstShape, dst);
        std::int64_t channel = 0;
        for (std::size_t i = 0; i < plan.srcs.size(); ++i) {
            const TensorPlan& src = plan.srcs[i];
            const Desc place = dst.submemory_desc(
                {plan.examples, src.shape.channels, src.shape.height, src.shape.width},
                {0, channel, 0, 0});
            channel += src.shape.channels;
            m_toDst.emplace_back(std::in_place, imageLayoutOf(src), place);
            auto& back = m_fromDiff.emplace_back();
            if (plan.isTraining && plan.needsDiffSrcs[i]) {
                back.emplace(place, imageLayoutOf(src));
            }
        }
    }

    [[nodiscard]] bool joinsChannels() const override { return true; }
    void takeInPlace(std::size_t source) override
    {
        m_toDst[source].reset();
        m_fromDiff[source].reset();
    }

    void forward(const StepContext& /*context*/) override
    {
        for (std::size_t i = 0; i < m_toDst.size(); ++i) {
            if (m_toDst[i]) {
                m_toDst[i]->run(m_memory.srcs[i], m_memory.dst);
            }
        }
    }

    void backward(const StepContext& /*context*/) override
    {
        for (std::size_t i = 0; i < m_fromDiff.size(); ++i) {
            if (m_fromDiff[i]) {
                m_fromDiff[i]->run(m_memory.diffDst, m_memory.diffSrcs[i]);
            }
        }
    }

    [[nodiscard]] std::string describe() const override
    {
        const auto isMoved = [](const std::optional<Reorder>& move) { return move.has_value(); };
        const auto moved = static_cast<std::size_t>(std::ranges::count_if(m_toDst, isMoved));
        return joinText("reorder", m_toDst.size() - moved, m_toDst.size());
    }

private:
    static Element elementFor(const OpPlan& plan)
    {
        const bool isRounded = std::ranges::all_of(plan.srcs, [](const TensorPlan& src) {
            return elementOf(layoutOf(src)) == Element::Bfloat16;
        });
        return isRounded ? Element::Bfloat16 : Element::Float32;
    }

    static Tag orderFor(const OpPlan& plan)
    {
        const auto first = channelLayout(plan.srcs.front());
        if (!first || first->blocks == 1) {
            return Tag::nhwc;
        }
        const std::int64_t block = first->block;
        std::int64_t channel = 0;
        for (const TensorPlan& src : plan.srcs) {
            if (channel % block != 0) {
                return Tag::nhwc;
            }
            channel += src.shape.channels;
        }
        constexpr std::int64_t kLargeBlock = 16;
        return block == kLargeBlock ? Tag::nChw16c : Tag::nChw8c;
    }

    // By source; empty where nothing is to be moved.
    std::vector<std::optional<Reorder>> m_toDst;
    std::vector<std::optional<Reorder>> m_fromDiff;
};

} // namespace

std::unique_ptr<Op> makeOp(const Concat& /*concat*/)
{
    return std::make_unique<ConcatOp>();
}

} // namespace lockstep::cpu
