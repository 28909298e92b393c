// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <string>

namespace lockstep {

/// A size as people read it in a line of text: "812.0 MB", "1.2 GB".
inline std::string byteText(double bytes)
{
    return bytes >= 1e9 ? fmt::format("{:.1f} GB", bytes / 1e9)
                        : fmt::format("{:.1f} MB", bytes / 1e6);
}

} // namespace lockstep
