// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace lockstep {

/// Logical shape of one example's values: height x width x channels. A vector of n values is
/// 1 x 1 x n. The number of examples is kept apart, because a network does not depend on it; how a
/// device lays the values out in memory is the device's own business.
struct Shape
{
    std::int64_t height = 1;
    std::int64_t width = 1;
    std::int64_t channels = 1;

    [[nodiscard]] std::int64_t elements() const noexcept { return height * width * channels; }
    bool operator==(const Shape&) const = default;
};

/// "24x24x3", height x width x channels.
std::string toString(const Shape& shape);

} // namespace lockstep
