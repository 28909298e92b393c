// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device_report.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace lockstep::cuda {

/// NVIDIA's management library, opened and started once, for life. The few functions that are used
/// are declared by us: the CUDA Toolkit brings no header for it
/// (https://docs.nvidia.com/deploy/nvml-api/). Thread-safe; nothing throws.
class Nvml
{
public:
    /// `library` as for dlopen. If it can't be opened or does not start, everything is unknown.
    explicit Nvml(const char* library);
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    /// Of the GPU at this place of the PCI bus: "0000:01:00.0". Takes microseconds to milliseconds.
    [[nodiscard]] DeviceReading read(const std::string& pciBusId) const noexcept;
    /// Who computes or draws on this GPU, the largest memory first. As long as read().
    [[nodiscard]] std::vector<DeviceProgram> programs(const std::string& pciBusId) const noexcept;

private:
    using Handle = void*;
    struct Functions;
    [[nodiscard]] std::string nameOf(unsigned process) const;
    [[nodiscard]] Handle find(const std::string& pciBusId) const;

    std::unique_ptr<const Functions> m_functions; ///< null: no library
    mutable std::mutex m_mutex;
    mutable std::map<std::string, Handle> m_handles;
};

/// What NVIDIA's management library says of a GPU now; all unknown where the library or a value is
/// not to be had. Any thread.
[[nodiscard]] DeviceReading readNvml(int device) noexcept;
/// The programs that use a GPU now, as it says; none where that is not to be had. Any thread.
[[nodiscard]] std::vector<DeviceProgram> readPrograms(int device) noexcept;

/// The reasons why the clocks are below their highest, for people; empty: none but being idle.
/// `reasons`: bits as nvmlDeviceGetCurrentClocksEventReasons gives them.
[[nodiscard]] std::string throttleText(unsigned long long reasons);

} // namespace lockstep::cuda
