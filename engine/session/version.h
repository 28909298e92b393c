// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lockstep {

/// "0.1.0".
inline std::string versionText()
{
    return LOCKSTEP_VERSION;
}

} // namespace lockstep
