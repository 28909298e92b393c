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

/// What the store holds. Throws Unwanted, at the next reading.
std::shared_ptr<DeviceTraces> readTraces(
    const std::filesystem::path& folder, const std::stop_token& isUnwanted)
{
    auto traces = std::make_shared<DeviceTraces>();
    RunStoreReader(RunFolder::storeFileOf(folder))
        .forEachDeviceReading([&](const DeviceReadingRecord& reading) {
            if (isUnwanted.stop_requested()) {
                throw Unwanted();
            }
            traces->append(reading);
        });
    return traces;
}

} // namespace

DeviceHistory::DeviceHistory(LiveRun& run, QObject* parent) : QObject(parent), m_run(run)
{
    m_thread.setMaxThreadCount(1);
    connect(&run, &LiveRun::begun, this, &DeviceHistory::begin);
    connect(&run.feed(), &RunFeed::deviceReadingArrived, this, &DeviceHistory::take);
}

DeviceHistory::~DeviceHistory()
{
    m_reading.request_stop();
    m_thread.waitForDone();
}

void DeviceHistory::begin()
{
    m_reading.request_stop(); // which ends by itself, and what it has posted is not taken
    m_reading = std::stop_source();
    m_traces = std::make_shared<DeviceTraces>();
    m_early.clear();
    m_problem.clear();
    m_isReading = !m_run.folder().empty();
    if (m_isReading) {
        m_thread.start([this, folder = m_run.folder(), isUnwanted = m_reading.get_token()] {
            read(folder, isUnwanted);
        });
    }
    emit changed();
}

void DeviceHistory::read(const std::filesystem::path& folder, const std::stop_token& isUnwanted)
{
    auto traces = std::make_shared<DeviceTraces>();
    QString problem;
    try {
        traces = readTraces(folder, isUnwanted);
    } catch (const Unwanted&) {
        return;
    } catch (const std::exception& error) {
        problem = engineText(error.what());
    }
    m_mailbox.post([this, traces, problem, isUnwanted] {
        if (!isUnwanted.stop_requested()) {
            m_problem = problem;
            onRead(traces);
        }
    });
}

void DeviceHistory::onRead(const std::shared_ptr<DeviceTraces>& traces)
{
    m_isReading = false;
    m_traces = traces;
    for (const DeviceReadingRecord& reading : std::exchange(m_early, {})) {
        const DeviceTrace* const trace = m_traces->find(QString::fromStdString(reading.device));
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
    const DeviceTrace* const trace = m_traces->find(QString::fromStdString(reading.device));
    if (trace == nullptr || reading.time != trace->newest.time) {
        m_traces->append(reading);
        emit changed();
    }
}

} // namespace lockstep::ui
