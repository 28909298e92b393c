// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/devices/device_curves.h"

#include "models/names.h"
#include "panels/devices/devices_panel.h"

#include <QStringList>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;
/// Between the colours of a device and of what is only a part of its figure.
constexpr int kColorsApart = 4;

double newestOf(const DeviceTrace& trace, DeviceTrace::Quantity quantity)
{
    const DeviceReadingRecord& newest = trace.newest;
    switch (quantity) {
    case DeviceTrace::Load:
        return newest.load;
    case DeviceTrace::Memory:
        return static_cast<double>(newest.memoryUsedBytes);
    case DeviceTrace::ProcessMemory:
        return static_cast<double>(newest.processMemoryBytes);
    case DeviceTrace::Temperature:
        return newest.temperature;
    default:
        return newest.powerWatts;
    }
}

double unitOf(DeviceTrace::Quantity quantity)
{
    return quantity == DeviceTrace::Memory || quantity == DeviceTrace::ProcessMemory ? kGibi : 1.0;
}

/// That of the first tower on it; of one without towers, the first that no tower has.
int colorOf(const QString& device, const std::vector<TowerPlacement>& seats)
{
    const auto seat = std::ranges::find(seats, device, &TowerPlacement::device);
    return static_cast<int>(seat - seats.begin());
}

LineCurve curveOf(const DeviceTrace& trace, DeviceTrace::Quantity quantity)
{
    LineCurve curve{deviceTitle(trace.device), 0, trace.lines[quantity].points()};
    for (QPointF& point : curve.points) {
        point.setY(point.y() / unitOf(quantity));
    }
    return curve;
}

/// Its newest value in words: "cuda:0 97 %", without the name where it is the only one.
QString valueText(const DeviceTrace& trace, DeviceTrace::Quantity quantity, bool isOnly)
{
    const double newest = newestOf(trace, quantity);
    if (newest < 0.0) {
        return DevicesPanel::tr("%1 not known").arg(deviceTitle(trace.device));
    }
    const ValueFormat format = deviceValueFormat(quantity);
    QString text = numberText(newest / unitOf(quantity), format);
    if (quantity == DeviceTrace::Memory && trace.newest.memoryTotalBytes > 0) {
        const auto total = static_cast<double>(trace.newest.memoryTotalBytes) / kGibi;
        text = DevicesPanel::tr("%1 of %2")
                   .arg(
                       numberText(newest / kGibi, {1.0, format.decimals, {}}),
                       numberText(total, format));
    }
    if (quantity == DeviceTrace::Power && trace.wattHours) {
        text = DevicesPanel::tr("%1, %2 so far")
                   .arg(text, numberText(*trace.wattHours, {1.0, 1, DevicesPanel::tr(" Wh")}));
    }
    return isOnly ? text : deviceTitle(trace.device) + QLatin1Char(' ') + text;
}

void addProcess(const DeviceTrace& trace, int color, DeviceCurves& shown, QStringList& captions)
{
    LineCurve curve = curveOf(trace, DeviceTrace::ProcessMemory);
    curve.name = DevicesPanel::tr("this training");
    curve.color = color + kColorsApart;
    shown.curves.push_back(std::move(curve));
    if (trace.newest.processMemoryBytes >= 0) {
        captions.append(DevicesPanel::tr("this training %1")
                            .arg(numberText(
                                static_cast<double>(trace.newest.processMemoryBytes) / kGibi,
                                deviceValueFormat(DeviceTrace::Memory))));
    }
}

} // namespace

ValueFormat deviceValueFormat(DeviceTrace::Quantity quantity)
{
    switch (quantity) {
    case DeviceTrace::Load:
        return {100.0, 0, DevicesPanel::tr(" %")};
    case DeviceTrace::Memory:
        return {1.0, 2, DevicesPanel::tr(" GiB")};
    case DeviceTrace::Temperature:
        return {1.0, 0, DevicesPanel::tr(" °C")};
    default:
        return {1.0, 0, DevicesPanel::tr(" W")};
    }
}

DeviceCurves deviceCurves(
    DeviceTrace::Quantity quantity, const DeviceTraces& traces,
    const std::vector<TowerPlacement>& seats)
{
    DeviceCurves shown;
    QStringList captions;
    const auto tells = [&](const DeviceTrace& trace) { return !trace.lines[quantity].isEmpty(); };
    const bool isOnly = std::ranges::count_if(traces.devices(), tells) == 1;
    for (const DeviceTrace& trace : traces.devices()) {
        if (!tells(trace)) {
            continue;
        }
        LineCurve curve = curveOf(trace, quantity);
        curve.color = colorOf(trace.device, seats);
        captions.append(valueText(trace, quantity, isOnly));
        const int color = curve.color;
        const bool hasPart =
            quantity == DeviceTrace::Memory && !trace.lines[DeviceTrace::ProcessMemory].isEmpty();
        if (hasPart) {
            curve.name = DevicesPanel::tr("%1, all programs").arg(deviceTitle(trace.device));
        }
        shown.curves.push_back(std::move(curve));
        if (hasPart) {
            addProcess(trace, color, shown, captions);
        }
    }
    shown.caption = captions.join(QStringLiteral(" · "));
    return shown;
}

std::vector<LineMark> throttleMarks(const DeviceTraces& traces)
{
    std::vector<LineMark> marks;
    for (const DeviceTrace& trace : traces.devices()) {
        for (const DeviceTrace::Throttling& throttling : trace.throttlings) {
            marks.push_back(
                {throttling.seconds, DevicesPanel::tr("%1 is slowed: %2")
                                         .arg(deviceTitle(trace.device), throttling.reason)});
        }
    }
    std::ranges::stable_sort(marks, {}, &LineMark::position);
    return marks;
}

QString untoldText(const DeviceTraces& traces)
{
    QStringList sentences;
    for (const DeviceTrace& trace : traces.devices()) {
        QStringList untold;
        const auto check = [&](DeviceTrace::Quantity quantity, const QString& name) {
            if (trace.lines[quantity].isEmpty()) {
                untold.append(name);
            }
        };
        check(DeviceTrace::Load, DevicesPanel::tr("load"));
        check(DeviceTrace::Memory, DevicesPanel::tr("memory"));
        check(DeviceTrace::Temperature, DevicesPanel::tr("temperature"));
        check(DeviceTrace::Power, DevicesPanel::tr("power"));
        if (!untold.isEmpty()) {
            sentences.append(
                DevicesPanel::tr("%1 doesn't report here: %2.")
                    .arg(deviceTitle(trace.device), untold.join(QStringLiteral(", "))));
        }
    }
    return sentences.join(QLatin1Char(' '));
}

} // namespace lockstep::ui
