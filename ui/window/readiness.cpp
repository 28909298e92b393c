// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/remote/machine_connection.h"
#include "bridge/runs/run_title.h"
#include "bridge/validation/run_estimator.h"
#include "engine/records.h"
#include "models/engine_text.h"
#include "panels/charts/charts_panel.h"
#include "panels/run_form/run_panel.h"
#include "panels/shared/run_text.h"
#include "panels/start/start_page.h"
#include "plots/axes/number_text.h"
#include "plots/parts/checklist_painting.h"
#include "window/commands/run_commands.h"
#include "window/commands/window_commands.h"
#include "window/status_line.h"

#include <optional>
#include <utility>

namespace lockstep::ui {
namespace {

using State = SessionController::State;

ChecklistLine checklistLine(const PreflightRecord& record)
{
    using Result = ChecklistLine::Result;
    const Result result = record.result == PreflightResult::Passed    ? Result::Passed
                          : record.result == PreflightResult::Warning ? Result::Warning
                                                                      : Result::Failed;
    return {
        QCoreApplication::translate("Preflight", record.name.c_str()), result,
        engineText(record.text)};
}

QString keysOf(const QAction& action)
{
    return action.shortcut().toString(QKeySequence::NativeText);
}

class Readiness : public QObject
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::Readiness)

public:
    Readiness(const WindowParts& parts, StartCommands& starts)
        : QObject(&parts.owner), m_parts(parts), m_starts(starts)
    {
        connect(&parts.panel, &RunPanel::checked, this, &Readiness::update);
        connect(&starts, &StartCommands::continuableChanged, this, &Readiness::update);
        connect(&parts.controller, &SessionController::writerChanged, this, &Readiness::update);
        connect(&parts.run, &LiveRun::begun, this, &Readiness::update);
        connectChecklist();
        connectEstimator();
        update();
    }

private:
    /// What is set up, and what can be, says what it takes; not while a run trains, nor of runs
    /// that start on another machine.
    void connectEstimator()
    {
        connect(
            &m_parts.page, &StartPage::expectationsWanted, &m_estimator, &RunEstimator::setOffered);
        connect(
            &m_estimator, &RunEstimator::estimated, this,
            [this](const ExpectedRun& run, const std::optional<RunExpectation>& expected) {
                if (run.fromStep == 0) {
                    m_parts.page.showExpectation(run.config, expected);
                }
                if (run == m_expected) {
                    m_parts.panel.showExpectation(
                        expected ? textOf(*expected) : QString(),
                        expected && expected->isTooLarge());
                }
            });
        connect(&m_parts.controller, &SessionController::stateChanged, this, [this] {
            m_estimator.setPaused(m_parts.controller.isBusy() || m_parts.controller.isFollowing());
        });
    }

    void askForExpectation(bool isWanted)
    {
        const ExpectedRun asked =
            isWanted
                ? ExpectedRun{toToml(m_parts.panel.request().config), m_parts.panel.firstStep()}
                : ExpectedRun();
        if (std::exchange(m_expected, asked) == asked) {
            return;
        }
        m_estimator.setPrepared(asked);
        m_parts.panel.showExpectation(isWanted ? tr("measuring …") : QString());
    }

    /// It is shown as long as the charts of the run are empty.
    void connectChecklist()
    {
        const auto forget = [this] {
            m_checklist.clear();
            m_parts.charts.setChecklist({});
        };
        connect(&m_parts.controller, &SessionController::stateChanged, this, [forget](State state) {
            if (state == State::Preparing) {
                forget();
            }
        });
        connect(&m_parts.run, &LiveRun::begun, this, [this, forget] {
            if (!m_parts.controller.isBusy()) { // none is shown any more, or one that is on disk
                forget();
            }
        });
        connect(
            &m_parts.run.feed(), &RunFeed::preflightArrived, this,
            [this](const PreflightRecord& record) {
                m_checklist.push_back(checklistLine(record));
                m_parts.charts.setChecklist(m_checklist);
            });
    }

    /// What the fields decide: after every edit, so it looks at nothing but them.
    void update()
    {
        const bool isFollowing = m_parts.controller.isFollowing();
        const QString problem = m_parts.panel.problem();
        const bool canStart =
            m_parts.canTrain && m_parts.controller.canStart() && !isFollowing && problem.isEmpty();
        askForExpectation(canStart && !m_parts.machine.machine());
        QAction& start = *m_parts.actions.start;
        start.setEnabled(canStart && !m_starts.isStartingThere());
        start.setToolTip(
            isFollowing ? tr("Another process trains the shown run: New Run (%1) leaves it")
                              .arg(keysOf(*m_parts.actions.newRun))
            : m_parts.controller.isBusy()
                ? tr("A run is trained: the next one can start when it has ended, or is stopped")
            : problem.isEmpty() ? tr("Starts the run (%1)").arg(keysOf(start))
                                : problem);
        if (!m_parts.canTrain) {
            m_parts.status.setIdleText(tr("This window only shows a run"));
        }
        if (m_parts.run.isRecorded()) {
            m_parts.charts.setEmptyText(tr("No step is recorded yet"));
        } else if (isFollowing) {
            tellOfFollowed();
        } else if (m_parts.canTrain) {
            tell(problem);
        }
    }

    void tellOfFollowed()
    {
        if (m_parts.run.machine()) {
            return m_parts.charts.setEmptyText(
                tr("The first step is on its way from %1").arg(m_parts.machine.name()));
        }
        const int writer = m_parts.controller.plan().writer.value_or(0);
        m_parts.charts.setEmptyText(
            m_parts.controller.can(command::StepOnce{})
                ? tr("Paused before the first step by process %1").arg(writer)
                : tr("The first step of process %1 is on its way").arg(writer));
    }

    void tell(const QString& problem)
    {
        const RunConfig config = m_parts.panel.request().config;
        if (!problem.isEmpty()) {
            m_parts.status.setIdleText(tr("Not ready: %1").arg(problem));
            m_parts.charts.setEmptyText(tr("Not ready to start: see the marked field"));
            return m_parts.page.setPrepared(problem, config);
        }
        m_parts.status.setIdleText(tr("Ready to start"));
        if (m_parts.controller.isBusy()) {
            return m_parts.charts.setEmptyText(tr("The first step is on its way"));
        }
        const QString text = preparedText(config);
        m_parts.charts.setEmptyText(text);
        m_parts.page.setPrepared(text, config);
    }

    [[nodiscard]] QString preparedText(const RunConfig& config) const
    {
        const QString press =
            tr("Press Start: %1, %2 steps, %3 on %4")
                .arg(
                    config.towers == 1 ? tr("1 tower")
                                       : tr("%1 towers").arg(countText(config.towers)),
                    countText(config.steps), modelTitle(config), datasetTitle(config));
        const QString there =
            m_parts.machine.machine() ? tr("on %1").arg(m_parts.machine.name()) : QString();
        QStringList texts{press, there, experimentText(config)};
        texts.removeAll(QString());
        return texts.join(QStringLiteral(" · "));
    }

    const WindowParts m_parts;
    RunEstimator m_estimator{this};
    ExpectedRun m_expected; ///< whose time and memory the form tells, or will
    const StartCommands& m_starts;
    std::vector<ChecklistLine> m_checklist; ///< of the run that was started last
};

} // namespace

void addReadiness(const WindowParts& parts, StartCommands& starts)
{
    new Readiness(parts, starts);
}

} // namespace lockstep::ui
