// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <thread>

namespace lockstep {
struct RunConfig;
struct ScalingReport;
struct ScalingSettings;
} // namespace lockstep

namespace lockstep::ui {

/// Puts the scaling ruler to this machine, on a thread of its own. One measurement at a time. Lives
/// in the GUI thread and never waits there, except for its end.
class ScalingMeasurement : public QObject
{
    Q_OBJECT

public:
    explicit ScalingMeasurement(QObject* parent = nullptr);
    /// Cancels and waits, a step at most.
    ~ScalingMeasurement() override;

    [[nodiscard]] bool isRunning() const { return m_isRunning; }

    /// See runScaling(). Does nothing while one is running.
    void start(const RunConfig& config, const ScalingSettings& settings);
    void cancel() { m_isCancelled = true; }

signals:
    /// Some times a second: the share that is done, and how many towers are measured just now.
    void progressed(double share, int towers);
    // One of these ends it; isRunning() is false then.
    void finished(const lockstep::ScalingReport& report);
    void cancelled();
    void failed(const QString& text);

private:
    void work(const RunConfig& config, const ScalingSettings& settings);
    template<class Function>
    void end(Function report);

    Mailbox m_mailbox{*this};
    std::thread m_thread;
    std::atomic<bool> m_isCancelled{false};
    bool m_isRunning = false;
};

} // namespace lockstep::ui
