// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figures/device_model.h"

#include <vector>

namespace lockstep::ui {

/// The devices of this machine, as the engine finds them, for DeviceModel. Any thread.
std::vector<DeviceRow> findDeviceRows();

} // namespace lockstep::ui
