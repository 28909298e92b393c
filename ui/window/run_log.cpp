// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/storage.h"
#include "models/engine_text.h"
#include "panels/log/log_panel.h"
#include "plots/axes/number_text.h"
#include "window/commands/window_commands.h"

#include <QDateTime>
#include <QElapsedTimer>

#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

/// The classic scripts print every tenth step; of thousands a second no more can be read.
constexpr std::int64_t kStepsBetweenLines = 10;
constexpr int kMillisecondsBetweenLines = 1000;

class RunLog : public QObject
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::RunLog)

public:
    RunLog(const WindowParts& parts, LogPanel& panel)
        : QObject(&parts.owner), m_controller(parts.controller), m_run(parts.run), m_panel(panel)
    {
        connect(&m_run, &LiveRun::begun, this, &RunLog::onBegun);
        connect(&m_run.feed(), &RunFeed::historyArrived, this, &RunLog::onHistory);
        connect(&m_run, &LiveRun::stepsAppended, this, &RunLog::onSteps);
    }

private:
    /// What led to a run of this window stands there already.
    void onBegun()
    {
        const std::filesystem::path before = std::exchange(m_logged, m_run.folder());
        if (m_controller.isBusy()) {
            m_hasHistory = true;
        } else if (m_logged != before) {
            m_hasHistory = false;
            if (!before.empty()) {
                m_panel.clear();
            }
        }
    }

    void onHistory(const std::vector<RunEvent>& events)
    {
        if (std::exchange(m_hasHistory, true)) { // opened again, or trained by this window
            return;
        }
        for (const RunEvent& event : events) {
            m_panel.appendAt(
                QDateTime::fromMSecsSinceEpoch(std::llround(1000.0 * event.time)),
                engineText(event.text), event.level != "info");
        }
    }

    void onSteps(const std::vector<StepRecord>& records)
    {
        for (const StepRecord& record : records) {
            const bool isDue = record.step % kStepsBetweenLines == 0
                               && record.step >= m_controller.plan().nextStep;
            if (isDue
                && (!m_sinceStep.isValid() || m_sinceStep.hasExpired(kMillisecondsBetweenLines))) {
                append(record);
                m_sinceStep.start();
            }
        }
    }

    /// With the mean that the scripts don't print.
    void append(const StepRecord& record)
    {
        if (m_run.isRecorded()) { // no script of ours, and not all of it may be known
            const QString text =
                std::isnan(record.lossMean)
                    ? tr("step %1, %2").arg(countText(record.step))
                    : tr("step %1, mean loss %2, %3")
                          .arg(countText(record.step), numberText(record.lossMean, {1.0, 4, {}}));
            return m_panel.append(text.arg(durationText(record.stepSeconds)), false);
        }
        m_panel.append(
            tr("step %1, loss = %2 (%3 examples/sec; %4 sec/batch)   last tower %5")
                .arg(
                    countText(record.step), numberText(record.lossMean, {1.0, 4, {}}),
                    numberText(record.examplesPerSecond, {1.0, 1, {}}),
                    numberText(record.secondsPerBatch, {1.0, 4, {}}),
                    numberText(record.lossLast, {1.0, 4, {}})),
            false);
    }

    const SessionController& m_controller;
    LiveRun& m_run;
    LogPanel& m_panel;
    QElapsedTimer m_sinceStep;
    std::filesystem::path m_logged; ///< the run whose lines are there
    bool m_hasHistory = false;      ///< of that run
};

} // namespace

void addRunLog(const WindowParts& parts, LogPanel& panel)
{
    new RunLog(parts, panel);
}

} // namespace lockstep::ui
