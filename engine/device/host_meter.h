// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "device/device_reading.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace lockstep {

/// Reads from Linux how the processors of this computer are: all of them together, whoever uses
/// them. What it does not tell, or not to this user, stays unknown.
///
/// - load: busy / all time since the reading before, of /proc/stat
/// - memory: MemTotal less MemAvailable of /proc/meminfo; of this process the resident pages of
///   /proc/self/statm
/// - temperature: the hottest package that hwmon knows (coretemp, k10temp, zenpower, cpu_thermal)
/// - power: energy of all packages since the reading before, of powercap's intel-rapl, which AMD's
///   processors have, too; most systems show it to root alone
///
/// Sources: filesystems/proc.rst, hwmon/sysfs-interface.rst and power/powercap/powercap.rst of the
/// Linux kernel's documentation.
///
/// Not thread-safe. Costs about 0.1 ms a reading.
class HostMeter
{
public:
    /// Looks for the sensors. `root`: where /proc and /sys are.
    explicit HostMeter(const std::filesystem::path& root = "/");

    /// The first reading has neither load nor power, which are means since the one before.
    [[nodiscard]] DeviceReading read();

private:
    /// Of all processors, in ticks of the kernel.
    struct ProcessorTime
    {
        std::int64_t busy = 0;
        std::int64_t all = 0;
    };
    /// A package that counts what it takes, in microjoules, and begins anew at `range`.
    struct EnergyCounter
    {
        std::filesystem::path file;
        std::int64_t range = 0;
        std::optional<std::int64_t> last;
    };

    void findThermometers(const std::filesystem::path& hwmon);
    void findEnergyCounters(const std::filesystem::path& powercap);
    void readMemory(DeviceReading& reading) const;
    [[nodiscard]] double readLoad();
    [[nodiscard]] double readTemperature() const;
    [[nodiscard]] double readPower();
    [[nodiscard]] std::optional<ProcessorTime> readProcessorTime() const;

    std::filesystem::path m_proc;
    std::vector<std::filesystem::path> m_thermometers;
    std::vector<EnergyCounter> m_energy;
    std::optional<ProcessorTime> m_lastTime;
    std::optional<Stopwatch> m_sincePower;
};

} // namespace lockstep
