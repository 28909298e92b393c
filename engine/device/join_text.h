// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep {

/// Op::describe() of an op that joins `sources` tensors: "in place", where all of them are written
/// into its dst, "reorder, 3 of 4 in place", "reorder". `copy`: how the others get there.
inline std::string joinText(std::string_view copy, std::size_t inPlace, std::size_t sources)
{
    if (inPlace == sources) {
        return "in place";
    }
    return inPlace == 0 ? std::string(copy)
                        : fmt::format("{}, {} of {} in place", copy, inPlace, sources);
}

} // namespace lockstep
