// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/scaling_measurement.h"

#include "engine/bench.h"
#include "engine/config.h"
#include "engine/device.h"

#include <QElapsedTimer>

#include <chrono>
#include <thread>

namespace lockstep::ui {
namespace {

constexpr int kMillisecondsBetweenReports = 100;
constexpr std::chrono::milliseconds kLook{300};

double loadOfProcessors()
{
    HostMeter meter;
    static_cast<void>(meter.read()); // it tells the load between two readings
    std::this_thread::sleep_for(kLook);
    return meter.read().load;
}

} // namespace

void ScalingMeasurement::start(const RunConfig& config, const ScalingSettings& settings)
{
    const auto measure = [this, config, settings]() -> std::function<void()> {
        m_work.report([this, load = loadOfProcessors()] { emit looked(load); });
        QElapsedTimer sinceReported;
        const auto watcher = [&](double share, int towers) {
            if (!sinceReported.isValid() || sinceReported.hasExpired(kMillisecondsBetweenReports)) {
                sinceReported.start();
                m_work.report([this, share, towers] { emit progressed(share, towers); });
            }
            return !m_work.isCancelled();
        };
        return [this, report = runScaling(config, settings, watcher)] { emit finished(report); };
    };
    m_work.start(measure, [this](const QString& text, bool isCancelled) {
        isCancelled ? emit cancelled() : emit failed(text);
    });
}

} // namespace lockstep::ui
