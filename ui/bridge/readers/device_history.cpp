// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/device_history.h"
#include "models/engine_text.h"

#include <exception>
#include <utility>

namespace lockstep::ui {
namespace {

/// Ends a reading that nobody wants any more.
struct Unwanted
{
};

} // namespace

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

DeviceHistory::~DeviceHistory()
{
    m_wanted.request_stop();
}

void DeviceHistory::begin()
{
    m_wanted.request_stop(); // what is being read ends by itself
    m_wanted = std::stop_source();
    m_traces = {};
    m_early.clear();
    m_problem.clear();
    m_isReading = !m_run.folder().empty();
    if (m_isReading) {
        m_reading.request({m_run.folder(), m_wanted.get_token()});
    }
    emit changed();
}

/// What the store holds; nothing where it is not wanted any more, at the next reading.
std::shared_ptr<const DeviceHistory::Stored> DeviceHistory::read(const Wanted& wanted)
{
    auto stored = std::make_shared<Stored>();
    try {
        RunStoreReader(RunFolder::storeFileOf(wanted.folder))
            .forEachDeviceReading([&](const DeviceReadingRecord& reading) {
                if (wanted.isOver.stop_requested()) {
                    throw Unwanted();
                }
                stored->traces.append(reading);
            });
    } catch (const Unwanted&) {
        return nullptr;
    } catch (const std::exception& error) {
        *stored = {{}, engineText(error.what())};
    }
    return stored;
}

void DeviceHistory::onRead(const DeviceTraces& traces)
{
    m_isReading = false;
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
    if (m_isReading) {
        m_early.push_back(reading);
        return;
    }
    const DeviceTrace* const trace = m_traces.find(QString::fromStdString(reading.device));
    if (trace == nullptr || reading.time != trace->newest.time) {
        m_traces.append(reading);
        emit changed();
    }
}

} // namespace lockstep::ui
