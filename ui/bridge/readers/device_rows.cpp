// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/device_rows.h"
#include "models/engine_text.h"

#include "engine/device.h"

#include <QLocale>

namespace lockstep::ui {
namespace {

/// "python3 (4711) 6.2 GiB".
QString programText(const DeviceProgram& program)
{
    QString text = program.name.empty() ? QString::number(program.process)
                                        : QStringLiteral("%1 (%2)")
                                              .arg(QString::fromStdString(program.name))
                                              .arg(program.process);
    if (program.memoryBytes >= 0) {
        text += QLatin1Char(' ') + QLocale().formattedDataSize(program.memoryBytes, 1);
    }
    return text;
}

DeviceRow rowOf(const DeviceReport& report)
{
    DeviceRow row;
    row.name = QString::fromStdString(report.name);
    row.description = engineText(report.info.description);
    row.library = QString::fromStdString(report.info.library);
    row.processors = report.info.processors;
    row.memoryBytes = report.info.memoryBytes;
    for (const Precision precision : report.info.precisions) {
        row.precisions.append(QString::fromStdString(toString(precision)));
    }
    const DeviceReading& now = report.reading;
    if (now.memoryTotalBytes >= 0 && now.memoryUsedBytes >= 0) {
        row.memoryBytes = now.memoryTotalBytes;
        row.freeBytes = now.memoryTotalBytes - now.memoryUsedBytes;
    }
    row.load = now.load;
    for (const DeviceProgram& program : report.programs) {
        if (!program.isThis) {
            row.programs.append(programText(program));
        }
    }
    row.isAvailable = report.isAvailable;
    row.reason = engineText(report.reason);
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
