// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "device/registry/device_registry.h"
#include "metrics/device_reading_record.h"

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace lockstep {

/// A device that can be asked how it is.
struct SampledDevice
{
    std::string name;
    std::function<DeviceReading()> read; ///< may take milliseconds
};

/// Asks devices at once and then every so often how they are, on a thread of its own, so that no
/// step waits for them. Without devices there is no thread. Its end waits for a reading that is
/// being made.
class DeviceSampler
{
public:
    /// `take` is called on that thread, with `step` left at 0. Readings that tell nothing are left
    /// out.
    DeviceSampler(
        std::vector<SampledDevice> devices, std::chrono::milliseconds every,
        std::function<void(DeviceReadingRecord)> take);
    DeviceSampler(const DeviceSampler&) = delete;
    DeviceSampler& operator=(const DeviceSampler&) = delete;

private:
    void work(const std::stop_token& stop);
    void sample() const;

    std::vector<SampledDevice> m_devices;
    std::chrono::milliseconds m_every;
    std::function<void(DeviceReadingRecord)> m_take;
    std::jthread m_thread; ///< last: works with all others until it ends
};

/// What a run uses: its accelerators, which must outlive what is made of them, and the processors
/// of this computer, "cpu".
std::vector<SampledDevice> sampledDevices(const DeviceChoice& choice);

} // namespace lockstep
