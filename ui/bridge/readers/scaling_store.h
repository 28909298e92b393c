// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "engine/bench.h"

#include <QDateTime>
#include <QObject>
#include <QString>

#include <optional>

class QSettings;

namespace lockstep::ui {

/// What the scaling ruler found, and when.
struct KeptScaling
{
    ScalingReport report;
    QDateTime time;
};

/// Keeps the newest result of this machine: settings may lie in a home folder that several machines
/// share, so each has its own, by its name.
void keepScaling(QSettings& settings, const KeptScaling& result);

/// Nothing where this machine has none, or one that can't be read any more.
std::optional<KeptScaling> keptScaling(const QSettings& settings);

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
