// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/op.h"

#include <cstdint>
#include <optional>

namespace lockstep::cpu {

/// Number format in which a tensor lies in memory.
enum class Element { Float32, Bfloat16 };

constexpr std::int64_t bytesOf(Element element)
{
    return element == Element::Float32 ? 4 : 2;
}

/// How the channels of images lie in memory: in blocks of `block` channels, each block an image of
/// its own with `positions` cells. NHWC is one block with all channels.
struct ChannelLayout
{
    std::int64_t images = 0;
    std::int64_t positions = 0; ///< height x width
    std::int64_t blocks = 1;
    std::int64_t block = 0; ///< channels of a block; those beyond the last real channel hold zeros
    Element element = Element::Float32;
};

/// Of a tensor that a CPU op planned; empty if its channels lie otherwise (plane by plane).
std::optional<ChannelLayout> channelLayout(const TensorPlan& plan);

/// A tensor of another shape whose channels lie as those of `plan`, which has a channelLayout().
TensorPlan withSameLayout(const TensorPlan& plan, const Shape& shape);

/// The same tensor with all channels of a cell side by side, as the kernels on channels read it.
TensorPlan withChannelsLast(const TensorPlan& plan);

} // namespace lockstep::cpu
