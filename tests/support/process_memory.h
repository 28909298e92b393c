// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>

namespace lockstep::test {

/// Memory of this process that is in use now, in megabytes.
inline double megabytesInUse()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word == "VmRSS:") {
            double kibibytes = 0.0;
            status >> kibibytes;
            return kibibytes * 1024.0 / 1e6;
        }
    }
    return 0.0;
}

} // namespace lockstep::test
