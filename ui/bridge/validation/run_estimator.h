// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bench.h"

#include <QObject>
#include <QProcess>
#include <QTimer>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::ui {

/// What a run that is set up is expected to take on this computer.
struct RunExpectation
{
    double seconds = 0.0;
    bool isEvaluated = true; ///< its evaluations are counted; else they come on top
    qint64 bytes = 0;        ///< of its process
    qint64 machineBytes = 0; ///< that there are

    [[nodiscard]] bool isTooLarge() const { return machineBytes > 0 && bytes > machineBytes; }
};

/// A run that may be expected. An empty configuration: none.
struct ExpectedRun
{
    std::string config;        ///< as toToml() writes it
    std::int64_t fromStep = 0; ///< that it goes on from

    bool operator==(const ExpectedRun&) const = default;
};

/// "about 3 min", "about 2 days", "years".
QString roughText(double seconds);
/// "about 3 min · about 270 MiB".
QString textOf(const RunExpectation& expected);
/// What that is, in a sentence or two.
QString explanationOf(const RunExpectation& expected);

/// Asks `lockstep-train inspect --costs` what runs will take, in the background and one after the
/// other: in a process of its own their memory can be told apart from the window's, and ended at
/// any time. Never while a run trains. GUI thread.
class RunEstimator : public QObject
{
    Q_OBJECT

public:
    explicit RunEstimator(QObject* parent = nullptr);
    ~RunEstimator() override { stop(); }

    void setProgram(const QString& program) { m_process.setProgram(program); }
    /// All of these, in this order, in place of those that were wanted before.
    void setOffered(const std::vector<RunConfig>& configs);
    /// This first, once a person has left it alone for a moment; none: it can't be run.
    void setPrepared(const ExpectedRun& run);
    /// While a run trains.
    void setPaused(bool isPaused);

signals:
    /// Nothing: it can't be told.
    void estimated(
        const lockstep::ui::ExpectedRun& run,
        const std::optional<lockstep::ui::RunExpectation>& expected);

private:
    void next();
    void stop();
    void onEnded(bool isGood);

    QProcess m_process;
    QTimer m_soon;
    bool m_isPaused = false;
    ExpectedRun m_asked; ///< of the process
    ExpectedRun m_prepared;
    std::deque<ExpectedRun> m_offered;
};

} // namespace lockstep::ui
