// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/device_rows.h"

#include "engine.h"

namespace lockstep::ui {
namespace {

DeviceRow rowOf(const DeviceReport& report)
{
    DeviceRow row;
    row.name = QString::fromStdString(report.name);
    row.description = QString::fromStdString(report.info.description);
    row.library = QString::fromStdString(report.info.library);
    row.processors = report.info.processors;
    row.memoryBytes = report.info.memoryBytes;
    for (const Precision precision : report.info.precisions) {
        row.precisions.append(QString::fromStdString(toString(precision)));
    }
    row.isAvailable = report.isAvailable;
    row.reason = QString::fromStdString(report.reason);
    return row;
}

} // namespace

std::vector<DeviceRow> findDeviceRows()
{
    std::vector<DeviceRow> rows;
    for (const DeviceReport& report : findDevices()) {
        rows.push_back(rowOf(report));
    }
    return rows;
}

} // namespace lockstep::ui
