// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"

#include <vector>

namespace lockstep::cuda {

/// All GPUs, without starting them. Error(Device) says why none can be used: no driver, an old one.
[[nodiscard]] std::vector<DeviceInfo> findDevices();

/// One of them. Error(Device) if this GPU can't be used.
[[nodiscard]] DeviceInfo describeDevice(int index);

} // namespace lockstep::cuda
