// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/device_trace.h"
#include "models/figures/tower_table_model.h"
#include "plots/charts/line_plot.h"

#include <vector>

namespace lockstep::ui {

/// What a chart of one quantity shows of all devices.
struct DeviceCurves
{
    std::vector<LineCurve> curves; ///< of the devices that tell it
    QString caption;               ///< the newest values, with units
};

/// In per cent, GiB, °C, W; memory has the process that trains as further curves. A device has the
/// colour of the first tower that sits on it.
DeviceCurves deviceCurves(
    DeviceTrace::Quantity quantity, const DeviceTraces& traces,
    const std::vector<TowerPlacement>& seats);

/// When and why clocks were lowered, of all devices, by ascending time.
std::vector<LineMark> throttleMarks(const DeviceTraces& traces);

/// Which quantities no reading told, device by device; empty: all were told.
QString untoldText(const DeviceTraces& traces);

/// As in charts and captions.
ValueFormat deviceValueFormat(DeviceTrace::Quantity quantity);

} // namespace lockstep::ui
