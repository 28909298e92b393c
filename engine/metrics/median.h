// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lockstep {

/// The middle one of some values, or the mean of the two in the middle. Needs at least one.
inline double median(std::vector<double> values)
{
    require(!values.empty(), "no values have no median");
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

} // namespace lockstep
