// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace lockstep {

/// What a device that counts said of itself at a moment of a run; numbers that it does not tell
/// are negative. A plain value.
struct DeviceReadingRecord
{
    double time = 0.0;                 ///< seconds since 1970
    std::int64_t step = 0;             ///< updates that were known to be made then
    std::string device;                ///< "cuda:0", or "cpu": all processors of this computer
    std::int64_t memoryUsedBytes = -1; ///< by all programs
    std::int64_t memoryTotalBytes = -1;
    double load = -1.0;        ///< share of the last second in which it computed, 0 to 1
    double temperature = -1.0; ///< degrees Celsius
    double powerWatts = -1.0;
    std::string throttleReason; ///< why its clocks are lowered, for people; empty: they are not
    std::int64_t processMemoryBytes = -1; ///< of that in use, by the process that trains
};

} // namespace lockstep
