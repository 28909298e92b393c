// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/runtime/channel_layout.h"

#include "device/cpu/runtime/dnnl_helpers.h"

#include <array>

namespace lockstep::cpu {

using Tag = dnnl::memory::format_tag;

namespace {

struct KnownOrder
{
    Tag tag;
    std::int64_t block; ///< channels; 0: all
};
constexpr std::array<KnownOrder, 3> kOrders{{{Tag::nChw16c, 16}, {Tag::nChw8c, 8}, {Tag::nhwc, 0}}};

std::optional<KnownOrder> orderOf(const TensorPlan& plan)
{
    const Desc layout = imageLayoutOf(plan);
    for (const KnownOrder& order : kOrders) {
        if (layout == imageDesc(plan.examples, plan.shape, elementOf(layout), order.tag)) {
            return order;
        }
    }
    return std::nullopt;
}

TensorPlan ordered(const TensorPlan& plan, const Shape& shape, Tag tag)
{
    const Element element = elementOf(layoutOf(plan));
    return tensorPlan(plan.examples, shape, imageDesc(plan.examples, shape, element, tag));
}

} // namespace

std::optional<ChannelLayout> channelLayout(const TensorPlan& plan)
{
    const auto order = orderOf(plan);
    if (!order) {
        return std::nullopt;
    }
    const std::int64_t channels = plan.shape.channels;
    const std::int64_t block = order->block == 0 ? channels : order->block;
    return ChannelLayout{
        plan.examples, plan.shape.height * plan.shape.width, (channels + block - 1) / block, block,
        elementOf(layoutOf(plan))};
}

TensorPlan withSameLayout(const TensorPlan& plan, const Shape& shape)
{
    return ordered(plan, shape, orderOf(plan)->tag);
}

TensorPlan withChannelsLast(const TensorPlan& plan)
{
    TensorPlan moved = ordered(plan, plan.shape, Tag::nhwc);
    moved.pending = plan.pending;
    return moved;
}

} // namespace lockstep::cpu
