// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"
#include "device/device_reading.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// A program that uses a GPU now.
struct DeviceProgram
{
    std::int64_t process = 0;
    std::string name;              ///< "python3"; empty where it is unknown
    std::int64_t memoryBytes = -1; ///< of the GPU's; -1: unknown
    bool isThis = false;           ///< the process that asks
};

/// What is known of one device of this machine.
struct DeviceReport
{
    std::string name; ///< "cpu", "cuda:0"; "cuda" where no GPU is to be seen
    bool isAvailable = false;
    DeviceInfo info;    ///< what it is; of a GPU also when it can't be used
    std::string reason; ///< why it is not available, when it is not
    // Of GPUs, now: what NVIDIA's management library says, and who uses them, the largest first.
    DeviceReading reading = {};
    std::vector<DeviceProgram> programs = {};
};

} // namespace lockstep
