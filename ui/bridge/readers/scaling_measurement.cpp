// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/scaling_measurement.h"
#include "models/engine_text.h"

#include "engine/base.h"
#include "engine/bench.h"
#include "engine/config.h"

#include <QElapsedTimer>

#include <exception>

namespace lockstep::ui {
namespace {

constexpr int kMillisecondsBetweenReports = 100;

} // namespace

ScalingMeasurement::ScalingMeasurement(QObject* parent) : QObject(parent) {}

ScalingMeasurement::~ScalingMeasurement()
{
    cancel();
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

void ScalingMeasurement::start(const RunConfig& config, const ScalingSettings& settings)
{
    if (m_isRunning) {
        return;
    }
    if (m_thread.joinable()) {
        m_thread.join(); // it has said its last word
    }
    m_isCancelled = false;
    m_isRunning = true;
    m_thread = std::thread([this, config, settings] { work(config, settings); });
}

template<class Function>
void ScalingMeasurement::end(Function report)
{
    m_mailbox.post([this, report] {
        m_isRunning = false;
        report();
    });
}

void ScalingMeasurement::work(const RunConfig& config, const ScalingSettings& settings)
{
    QElapsedTimer sinceReported;
    const auto watcher = [&](double share, int towers) {
        if (!sinceReported.isValid() || sinceReported.hasExpired(kMillisecondsBetweenReports)) {
            sinceReported.start();
            m_mailbox.post([this, share, towers] { emit progressed(share, towers); });
        }
        return !m_isCancelled;
    };
    try {
        const ScalingReport report = runScaling(config, settings, watcher);
        end([this, report] { emit finished(report); });
    } catch (const Error& error) {
        const QString text = engineText(error.what());
        const bool isCancelled = error.code() == ErrorCode::Cancelled;
        end([this, text, isCancelled] { isCancelled ? emit cancelled() : emit failed(text); });
    } catch (const std::exception& error) {
        end([this, text = engineText(error.what())] { emit failed(text); });
    }
}

} // namespace lockstep::ui
