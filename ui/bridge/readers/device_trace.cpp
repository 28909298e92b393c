// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/device_trace.h"
#include "models/engine_text.h"

#include <algorithm>
#include <limits>

namespace lockstep::ui {
namespace {

constexpr double kLongestGap = 10.0; // seconds
constexpr double kSecondsPerHour = 3600.0;

/// In the order of DeviceTrace::Quantity; negative: not known.
std::array<double, DeviceTrace::QuantityCount> valuesOf(const DeviceReadingRecord& reading)
{
    return {
        reading.load, static_cast<double>(reading.memoryUsedBytes),
        static_cast<double>(reading.processMemoryBytes), reading.temperature, reading.powerWatts};
}

} // namespace

void ThinnedLine::append(double x, double value)
{
    if (!m_nodes.empty() && m_nodes.back().values > 0 && m_nodes.back().values < m_valuesPerNode) {
        Node& last = m_nodes.back();
        last.least = std::min(last.least, value);
        last.greatest = std::max(last.greatest, value);
        ++last.values;
        return;
    }
    m_nodes.push_back({x, value, value, 1});
    if (m_nodes.size() > kMostNodes) {
        halve();
    }
}

void ThinnedLine::breakAt(double x)
{
    if (!m_nodes.empty() && m_nodes.back().values > 0) {
        m_nodes.push_back({x, 0.0, 0.0, 0});
    }
}

/// Joins neighbours. Breaks stay: there are few.
void ThinnedLine::halve()
{
    m_valuesPerNode *= 2;
    std::vector<Node> joined;
    for (const Node& node : m_nodes) {
        const bool isJoining = node.values > 0 && !joined.empty() && joined.back().values > 0
                               && joined.back().values + node.values <= m_valuesPerNode;
        if (!isJoining) {
            joined.push_back(node);
            continue;
        }
        Node& last = joined.back();
        last.least = std::min(last.least, node.least);
        last.greatest = std::max(last.greatest, node.greatest);
        last.values += node.values;
    }
    m_nodes = std::move(joined);
}

std::vector<QPointF> ThinnedLine::points() const
{
    std::vector<QPointF> points;
    for (const Node& node : m_nodes) {
        if (node.values == 0) {
            points.emplace_back(node.x, std::numeric_limits<double>::quiet_NaN());
            continue;
        }
        points.emplace_back(node.x, node.least);
        if (node.greatest != node.least) {
            points.emplace_back(node.x, node.greatest);
        }
    }
    return points;
}

const DeviceTrace* DeviceTraces::find(const QString& device) const
{
    const auto found = std::ranges::find(m_devices, device, &DeviceTrace::device);
    return found == m_devices.end() ? nullptr : &*found;
}

DeviceTrace& DeviceTraces::traceOf(const QString& device)
{
    const auto found = std::ranges::find(m_devices, device, &DeviceTrace::device);
    if (found != m_devices.end()) {
        return *found;
    }
    m_lastSeconds.emplace_back();
    m_devices.push_back({});
    m_devices.back().device = device;
    return m_devices.back();
}

/// Whether nobody had the run to train between the reading before and this one.
bool DeviceTraces::advanceTo(double time)
{
    const double passed = m_time ? time - *m_time : 0.0;
    m_time = time;
    // Devices are asked one after the other; a clock that was set back counts as a gap.
    const bool isGap = passed > kLongestGap || passed < -1.0;
    m_seconds += isGap ? 1.0 : std::max(0.0, passed);
    return isGap;
}

void DeviceTraces::append(const DeviceReadingRecord& reading)
{
    if (advanceTo(reading.time)) {
        for (DeviceTrace& trace : m_devices) {
            for (ThinnedLine& line : trace.lines) {
                line.breakAt(m_seconds);
            }
        }
        m_lastSeconds.assign(m_devices.size(), std::nullopt);
    }
    DeviceTrace& trace = traceOf(QString::fromStdString(reading.device));
    std::optional<double>& last =
        m_lastSeconds[static_cast<std::size_t>(&trace - m_devices.data())];
    const auto values = valuesOf(reading);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] >= 0.0) {
            trace.lines[i].append(m_seconds, values[i]);
        }
    }
    if (last && reading.powerWatts >= 0.0 && trace.newest.powerWatts >= 0.0) {
        const double watts = (reading.powerWatts + trace.newest.powerWatts) / 2.0;
        trace.wattHours =
            trace.wattHours.value_or(0.0) + watts * (m_seconds - *last) / kSecondsPerHour;
    }
    if (!reading.throttleReason.empty()
        && (!last || reading.throttleReason != trace.newest.throttleReason)) {
        trace.throttlings.push_back({m_seconds, engineText(reading.throttleReason)});
        if (trace.throttlings.size() > DeviceTrace::kMostThrottlings) {
            trace.throttlings.erase(trace.throttlings.begin());
        }
    }
    trace.newest = reading;
    last = m_seconds;
}

} // namespace lockstep::ui
