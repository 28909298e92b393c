// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/cancellable_work.h"

#include <QObject>
#include <QString>

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
    using QObject::QObject;

    [[nodiscard]] bool isRunning() const { return m_work.isRunning(); }

    /// See runScaling(). Does nothing while one is running.
    void start(const RunConfig& config, const ScalingSettings& settings);
    void cancel() { m_work.cancel(); }

signals:
    /// First: the share of the processors that was in use before; negative: unknown.
    void looked(double load);
    /// Some times a second: the share that is done, and how many towers are measured just now.
    void progressed(double share, int towers);
    // One of these ends it; isRunning() is false then.
    void finished(const lockstep::ScalingReport& report);
    void cancelled();
    void failed(const QString& text);

private:
    CancellableWork m_work{*this}; ///< its end waits for a step at most
};

} // namespace lockstep::ui
