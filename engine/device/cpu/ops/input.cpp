// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cpu/layout/reorder.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/dnnl_helpers.h"

#include <optional>

namespace lockstep::cpu {
namespace {

/// Brings the rows of the batch into the format and the layout in which convolutions like few
/// channels: float32 plane by plane, bfloat16 as they are.
class InputOp : public Op
{
public:
    void plan(OpPlan& plan) override
    {
        using Tag = dnnl::memory::format_tag;
        const Desc host = imageDesc(plan.examples, plan.dstShape, Element::Float32, Tag::nhwc);
        const Element element = storedElement(plan.precision);
        const Tag order = element == Element::Float32 ? Tag::nchw : Tag::nhwc;
        const Desc operands = imageDesc(plan.examples, plan.dstShape, element, order);
        plan.dst = tensorPlan(plan.examples, plan.dstShape, operands);
        m_values = static_cast<std::size_t>(plan.examples * plan.dstShape.elements());
        m_reorder.emplace(host, operands);
    }

    void forward(const StepContext& context) override
    {
        require(
            context.images.size() == m_values, "a lane got another number of rows than planned");
        m_reorder->run(context.images.data(), m_memory.dst);
    }

    void backward(const StepContext& /*context*/) override {}

    [[nodiscard]] std::string describe() const override { return "reorder"; }

private:
    std::size_t m_values = 0;
    std::optional<Reorder> m_reorder;
};

} // namespace

std::unique_ptr<Op> makeOp(const Input& /*input*/)
{
    return std::make_unique<InputOp>();
}

} // namespace lockstep::cpu
