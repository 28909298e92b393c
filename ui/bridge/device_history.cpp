// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/device_history.h"

#include <exception>
#include <stop_token>
#include <utility>

namespace lockstep::ui {
namespace {

/// Ends a reading that nobody wants any more.
struct Unwanted
{
};

} // namespace

DeviceHistory::DeviceHistory(LiveRun& run, QObject* parent) : QObject(parent), m_run(run)
{
    connect(&run, &LiveRun::begun, this, &DeviceHistory::begin);
    connect(&run, &LiveRun::deviceReadingArrived, this, &DeviceHistory::take);
}

DeviceHistory::~DeviceHistory()
{
    abandon();
}

void DeviceHistory::abandon()
{
    m_thread.request_stop();
    if (m_thread.joinable()) {
        m_thread.join(); // at the next reading
    }
    m_mailbox.reset();
    m_isReading = false;
}

void DeviceHistory::begin()
{
    abandon();
    m_traces = std::make_shared<DeviceTraces>();
    m_early.clear();
    m_problem.clear();
    if (!m_run.folder().empty()) {
        m_isReading = true;
        m_mailbox = std::make_unique<Mailbox>(*this);
        m_thread = std::jthread([this, folder = m_run.folder(),
                                 &mailbox = *m_mailbox](const std::stop_token& isUnwanted) {
            auto traces = std::make_shared<DeviceTraces>();
            QString problem;
            try {
                RunStoreReader(RunFolder::storeFileOf(folder))
                    .forEachDeviceReading([&](const DeviceReadingRecord& reading) {
                        if (isUnwanted.stop_requested()) {
                            throw Unwanted();
                        }
                        traces->append(reading);
                    });
            } catch (const Unwanted&) {
                return;
            } catch (const std::exception& error) {
                problem = QString::fromStdString(error.what());
            }
            mailbox.post([this, traces, problem] {
                m_problem = problem;
                onRead(traces);
            });
        });
    }
    emit changed();
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
