// SPDX-License-Identifier: Apache-2.0
#include "network/dropout.h"

namespace lockstep {

std::uint64_t dropoutSeed(std::uint64_t seed, int layer)
{
    PhiloxStream stream(seed, RandomPurpose::DropoutKeys, 0, static_cast<std::uint32_t>(layer));
    const std::uint64_t low = stream.next();
    return (std::uint64_t{stream.next()} << 32U) | low;
}

PhiloxStream dropoutStream(const DropoutDraw& draw, int layer, std::int64_t row)
{
    return {
        dropoutSeed(draw.seed, layer), RandomPurpose::Dropout,
        static_cast<std::uint32_t>(draw.step), static_cast<std::uint32_t>(draw.firstRow + row)};
}

} // namespace lockstep
