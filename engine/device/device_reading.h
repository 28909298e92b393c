// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace lockstep {

/// What a device that counts says of itself now; values that it does not tell are negative.
struct DeviceReading
{
    std::int64_t memoryUsedBytes = -1; ///< by all programs
    std::int64_t memoryTotalBytes = -1;
    double load = -1.0;        ///< share of the last second in which it computed, 0 to 1
    double temperature = -1.0; ///< degrees Celsius
    double powerWatts = -1.0;
    std::string throttleReason;           ///< for people; empty: none
    std::int64_t processMemoryBytes = -1; ///< of that in use, by this process
};

} // namespace lockstep
