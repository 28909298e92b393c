// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/device_history.h"

#include "engine/device.h"
#include "models/engine_text.h"

#include <QLocale>

#include <algorithm>
#include <exception>
#include <iterator>
#include <limits>
#include <utility>

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

void ThinnedLine::append(double x, double value)
{
    if (add({x, value, value, 1}) && m_nodes.size() > kMostNodes) {
        m_valuesPerNode *= 2;
        for (const Node& node : std::exchange(m_nodes, {})) {
            add(node);
        }
    }
}

void ThinnedLine::breakAt(double x)
{
    if (!m_nodes.empty() && m_nodes.back().values > 0) {
        m_nodes.push_back({x, 0.0, 0.0, 0});
    }
}

/// Joins it to the node before where there is room for its values. Breaks stay: there are few.
/// Whether it is one of its own.
bool ThinnedLine::add(const Node& node)
{
    if (m_nodes.empty() || node.values == 0 || m_nodes.back().values == 0
        || m_nodes.back().values + node.values > m_valuesPerNode) {
        m_nodes.push_back(node);
        return true;
    }
    Node& last = m_nodes.back();
    last.least = std::min(last.least, node.least);
    last.greatest = std::max(last.greatest, node.greatest);
    last.values += node.values;
    return false;
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

void DeviceTraces::append(const DeviceReadingRecord& reading)
{
    const double passed = reading.time - std::exchange(m_time, reading.time).value_or(reading.time);
    // In a gap nobody had the run to train. Devices are asked one after the other; a clock that was
    // set back counts as one.
    const bool isGap = passed > kLongestGap || passed < -1.0;
    m_seconds += isGap ? 1.0 : std::max(0.0, passed);
    if (isGap) {
        for (DeviceTrace& trace : m_devices) {
            for (ThinnedLine& line : trace.lines) {
                line.breakAt(m_seconds);
            }
            trace.lastSeconds.reset();
        }
    }
    const QString device = QString::fromStdString(reading.device);
    const auto known = std::ranges::find(m_devices, device, &DeviceTrace::device);
    DeviceTrace& trace = known == m_devices.end() ? m_devices.emplace_back() : *known;
    trace.device = device;
    const std::optional<double> last = std::exchange(trace.lastSeconds, m_seconds);
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
}

DeviceHistory::DeviceHistory(LiveRun& run, QObject* parent)
    : QObject(parent), m_run(run),
      m_reading(*this, read, [this](const Wanted& wanted, const auto& stored) {
          if (!wanted.isOver.stop_requested()) {
              m_problem = stored->problem;
              onRead(stored->traces);
          }
      })
{
    connect(&run, &LiveRun::begun, this, &DeviceHistory::begin);
    connect(&run.feed(), &RunFeed::deviceReadingArrived, this, &DeviceHistory::take);
}

void DeviceHistory::begin()
{
    m_wanted.request_stop(); // what is being read ends by itself
    m_wanted = std::stop_source();
    m_traces = {};
    m_early.clear();
    m_problem.clear();
    if (!m_run.folder().empty()) {
        m_reading.request({m_run.folder(), m_wanted.get_token()});
    }
    emit changed();
}

/// What the store holds; ends at the next reading where it is not wanted any more.
std::shared_ptr<const DeviceHistory::Stored> DeviceHistory::read(const Wanted& wanted)
{
    auto stored = std::make_shared<Stored>();
    try {
        RunStoreReader(RunFolder::storeFileOf(wanted.folder))
            .forEachDeviceReading([&](const DeviceReadingRecord& reading) {
                if (wanted.isOver.stop_requested()) {
                    fail(ErrorCode::Cancelled, "the history is not wanted any more");
                }
                stored->traces.append(reading);
            });
    } catch (const std::exception& error) {
        *stored = {{}, engineText(error.what())};
    }
    return stored;
}

void DeviceHistory::onRead(const DeviceTraces& traces)
{
    m_traces = traces;
    for (const DeviceReadingRecord& reading : std::exchange(m_early, {})) {
        const DeviceTrace* const trace = m_traces.find(QString::fromStdString(reading.device));
        if (trace == nullptr || reading.time > trace->newest.time) { // else it was in the store
            take(reading);
        }
    }
    emit changed();
}

/// The last readings of a run that is opened come by both ways.
void DeviceHistory::take(const DeviceReadingRecord& reading)
{
    if (m_reading.isBusy()) {
        m_early.push_back(reading);
        return;
    }
    const DeviceTrace* const trace = m_traces.find(QString::fromStdString(reading.device));
    if (trace == nullptr || reading.time != trace->newest.time) {
        m_traces.append(reading);
        emit changed();
    }
}

std::vector<DeviceRow> deviceRows(const std::vector<DeviceReport>& reports)
{
    std::vector<DeviceRow> rows;
    std::ranges::transform(reports, std::back_inserter(rows), rowOf);
    return rows;
}

} // namespace lockstep::ui
