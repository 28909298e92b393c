// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <string>

namespace lockstep {

/// A size as people read it in a line of text: "812.0 MiB", "1.2 GiB".
inline std::string byteText(double bytes)
{
    constexpr double kMebibyte = 1024.0 * 1024.0;
    return bytes >= 1024.0 * kMebibyte ? fmt::format("{:.1f} GiB", bytes / (1024.0 * kMebibyte))
                                       : fmt::format("{:.1f} MiB", bytes / kMebibyte);
}

} // namespace lockstep
