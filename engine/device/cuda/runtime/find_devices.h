// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device_report.h"

#include <string>
#include <vector>

namespace lockstep::cuda {

/// All GPUs, without starting them; one that can't be used says why. Error(Device) says why none
/// can: no driver, an old one.
[[nodiscard]] std::vector<DeviceReport> findDevices();

/// Adds what a GPU does now, and that another program keeps it for itself. Any thread.
void observeDevice(int index, DeviceReport& report) noexcept;

/// One of them. Error(Device) if this GPU can't be used.
[[nodiscard]] DeviceInfo describeDevice(int index);

/// Why a GPU of this compute capability and mode (cudaComputeMode) can't be used; empty: it can.
[[nodiscard]] std::string reasonAgainst(int index, int major, int minor, int computeMode);

} // namespace lockstep::cuda
