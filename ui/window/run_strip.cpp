// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/remote/machine_connection.h"
#include "bridge/runs/run_checkpoints.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_title.h"
#include "panels/evaluation/evaluation_panel.h"
#include "panels/run_form/run_panel.h"
#include "panels/runs/runs_panel.h"
#include "panels/shared/run_text.h"
#include "plots/axes/number_text.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "window/commands/run_commands.h"
#include "window/commands/window_commands.h"

#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace lockstep::ui {
namespace {

class RunStrip : public QToolBar
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::RunStrip)

public:
    RunStrip(
        const WindowParts& parts, SetUpCommands& setUps, const StartCommands& starts,
        GoToPanel goTo)
        : QToolBar(tr("Run"), &parts.window), m_parts(parts), m_starts(starts),
          m_goTo(std::move(goTo)),
          m_form(*parts.window.findChild<QDockWidget*>(QStringLiteral("run_dock"))),
          m_evaluation(*parts.window.findChild<EvaluationPanel*>())
    {
        setObjectName(QStringLiteral("run_strip"));
        setMovable(false);
        setContextMenuPolicy(Qt::PreventContextMenu);
        setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        setIconSize(QSize(1, 1) * fontMetrics().ascent()); // no higher with the arrow than without
        parts.window.addToolBarBreak();
        parts.window.addToolBar(this);
        addTraining();
        addNext(setUps);
        addLine();
        for (QToolButton* const button : findChildren<QToolButton*>()) {
            button->setFocusPolicy(Qt::TabFocus);
        }
        // Whether a run that is opened is ours is known once it is shown, and the docks that fit
        // it.
        connect(&starts, &StartCommands::continuableChanged, this, [this] {
            if (!m_parts.controller.isFollowing()) {
                refresh();
            }
        });
        connect(&parts.run, &LiveRun::begun, this, [this] {
            if (!isTraining()) {
                refresh();
            }
        });
        connect(&parts.run, &LiveRun::begun, this, &RunStrip::refresh, Qt::QueuedConnection);
        connect(&parts.run, &LiveRun::configChanged, this, &RunStrip::refresh);
        connect(&parts.run, &LiveRun::evaluated, this, &RunStrip::refresh);
        connect(&parts.checkpoints, &RunCheckpoints::changed, this, &RunStrip::refresh);
        connect(&m_form, &QDockWidget::visibilityChanged, this, &RunStrip::refresh);
        connect(&parts.panel, &RunPanel::nextShown, this, [this] { m_goTo(m_parts.panel); });
        refresh();
    }

    /// For the layout that is kept: as if no run trained.
    void leave()
    {
        hide();
        unfold();
    }

private:
    void addTraining()
    {
        m_training.push_back(addAction(
            QString(), this, [this] { m_form.isVisible() ? fold() : m_goTo(m_parts.panel); }));
        m_training.front()->setObjectName(QStringLiteral("run_summary"));
        m_training.front()->setToolTip(
            tr("Shows the settings, or folds them away (%1)")
                .arg(m_parts.actions.places->actions().front()->shortcut().toString(
                    QKeySequence::NativeText)));
        for (QAction* const change :
             {m_parts.actions.changeLearningRate, m_parts.actions.changeSteps}) {
            auto* const button = new QToolButton(this);
            button->setDefaultAction(change);
            button->setAutoRaise(true);
            m_training.push_back(addWidget(button));
        }
    }

    void addNext(SetUpCommands& setUps)
    {
        auto* const question = new QLabel(tr("What now?"), this);
        question->setContentsMargins(10, 0, 10, 0);
        m_next.emplace_back(addWidget(question), [] { return true; });
        const auto addChoice = [this](
                                   const QString& text, const std::function<bool()>& isPossible,
                                   const std::function<void()>& act) {
            m_next.emplace_back(addAction(text, this, act), isPossible);
        };
        const auto hasWeights = [this] { return !m_parts.checkpoints.items().empty(); };
        addChoice(tr("Try an Image…"), hasWeights, [this] {
            m_goTo(m_evaluation);
            m_evaluation.chooseImage();
        });
        addChoice(
            tr("See Mistakes"), [this] { return m_parts.run.testAccuracy().has_value(); },
            [this] {
                m_goTo(m_evaluation);
                m_evaluation.showMistakes();
            });
        addChoice(
            tr("Train Longer…"), [this] { return m_starts.canContinue(); },
            [this] { m_parts.actions.changeSteps->trigger(); });
        addChoice(
            tr("Branch…"), [this] { return !branchPoints().empty(); }, [] {});
        auto* const branch = new QMenu(this);
        m_next.back().first->setMenu(branch);
        static_cast<QToolButton*>(widgetForAction(m_next.back().first))
            ->setPopupMode(QToolButton::InstantPopup);
        connect(branch, &QMenu::aboutToShow, this, [this, branch, &setUps] {
            branch->clear();
            for (const CheckpointItem& item : branchPoints()) {
                const QString figure = accuracyText(item);
                branch->addAction(
                    figure.isEmpty() ? tr("From step %1").arg(countText(item.step))
                                     : tr("From step %1: %2").arg(countText(item.step), figure),
                    this, [this, &setUps, file = toPath(item.file)] {
                        setUps.setUpToContinue(file);
                        m_goTo(m_parts.panel);
                    });
            }
        });
        addChoice(
            tr("Compare…"), [this] { return !otherRun().isEmpty(); },
            [this] {
                emit m_parts.runsPanel.compareRequested(toPath(otherRun()), m_parts.run.folder());
            });
        addChoice(
            tr("Summary…"), [] { return true; },
            [this] { m_parts.actions.exportSummary->trigger(); });
    }

    /// Says that the run that is shown is one with a fault on purpose (ExperimentSettings), so that
    /// nobody takes its figures for those of a proper training, and what found it; of a recorded
    /// one, what it is and who recorded it.
    void addLine()
    {
        m_line->setObjectName(QStringLiteral("run_line"));
        m_line->setWordWrap(false);
        m_line->setForegroundRole(QPalette::WindowText); // a tool bar's own would be of buttons
        auto* const place = new QWidget(this); // the bar hides a widget of its own as it likes
        place->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
        rowIn(place, {10, 0, 10, 0}, 0, {m_line});
        addWidget(place);
        connect(&m_parts.run, &LiveRun::begun, m_line, [this] {
            const LiveRun& run = m_parts.run;
            const bool isRecorded = run.isRecorded();
            m_line->setTone(isRecorded ? NoteLabel::Tone::Muted : NoteLabel::Tone::Alert);
            m_line->setNote(
                isRecorded ? describedTitle(run.config(), true) + QStringLiteral(" · ")
                                 + recordedText(run.recordedBy())
                : run.series() == nullptr ? QString()
                                          : experimentText(run.config()));
        });
        connect(&m_parts.run, &LiveRun::stepsAppended, m_line, [this] {
            if (!m_parts.run.isRecorded()) {
                m_line->setNote(experimentText(m_parts.run.config(), m_parts.run.verdicts()));
            }
        });
    }

    /// In a window that only looks at runs nobody needs the form.
    [[nodiscard]] bool isTraining() const
    {
        const SessionController& controller = m_parts.controller;
        return !m_parts.run.isRecorded()
               && (controller.isBusy() || controller.isFollowing()
                   || (!m_parts.canTrain && !m_parts.run.folder().empty()));
    }

    void refresh()
    {
        const SessionController& controller = m_parts.controller;
        const bool isTrained = isTraining();
        const auto recorded = controller.recordedState(); // of one that was opened, or followed
        const bool isOver =
            controller.state() == SessionController::State::Finished
            || (controller.state() == SessionController::State::Stopped && controller.isPlanned())
            || (!isTrained && !m_parts.run.isRecorded()
                && (recorded == RunState::Finished || recorded == RunState::Stopped));
        for (QAction* const action : m_training) {
            action->setVisible(isTrained);
        }
        for (const auto& [action, isPossible] : m_next) {
            action->setVisible(isOver && isPossible());
        }
        const RunConfig config =
            controller.isPreparing() ? m_parts.panel.request().config : m_parts.run.config();
        m_training.front()->setText(
            tr("%1 · %2 steps").arg(describedTitle(config), countText(config.steps)));
        static_cast<QToolButton*>(widgetForAction(m_training.front()))
            ->setArrowType(m_form.isVisible() ? Qt::DownArrow : Qt::RightArrow);
        setVisible(isTrained || isOver || !m_line->note().isEmpty());
        if (std::exchange(m_wasTraining, isTrained) != isTrained) {
            isTrained ? fold() : unfold();
        }
    }

    /// A form that floats takes no room from the charts.
    void fold()
    {
        if (m_form.isHidden() || m_form.isFloating()) {
            return;
        }
        m_isFolded = true;
        const QWidget* const focus = m_parts.window.focusWidget(); // none where it was disabled
        const bool isIn = focus == nullptr || m_form.isAncestorOf(focus);
        m_form.hide();
        if (isIn) {
            widgetForAction(m_training.front())->setFocus();
        }
    }

    void unfold()
    {
        if (std::exchange(m_isFolded, false)) {
            m_form.show();
        }
    }

    /// Another run to compare with; empty for none.
    [[nodiscard]] QString otherRun() const
    {
        QStringList runs = m_parts.library.recentRuns();
        runs.removeAll(toQString(m_parts.run.folder()));
        return runs.value(0);
    }

    /// Those of the shown run from which it could go on otherwise, the newest first.
    [[nodiscard]] std::vector<CheckpointItem> branchPoints() const
    {
        std::vector<CheckpointItem> items;
        if (m_starts.canContinue() && !m_parts.machine.machine()) {
            items = m_parts.checkpoints.items();
            std::erase_if(items, [steps = m_parts.run.config().steps](const CheckpointItem& item) {
                return item.step >= steps;
            });
            std::ranges::reverse(items);
        }
        return items;
    }

    const WindowParts m_parts;
    const StartCommands& m_starts;
    const GoToPanel m_goTo;
    QDockWidget& m_form;
    EvaluationPanel& m_evaluation;
    NoteLabel* m_line = new NoteLabel(NoteLabel::Tone::Alert);
    std::vector<QAction*> m_training; ///< what is there while a run trains; the first says which
    /// The question what can be done next, its answers, and whether they can be.
    std::vector<std::pair<QAction*, std::function<bool()>>> m_next;
    bool m_wasTraining = false;
    bool m_isFolded = false; ///< by this
};

} // namespace

std::function<void()> addRunStrip(
    const WindowParts& parts, SetUpCommands& setUps, const StartCommands& starts, GoToPanel goTo)
{
    auto* const strip = new RunStrip(parts, setUps, starts, std::move(goTo));
    return [strip] { strip->leave(); };
}

} // namespace lockstep::ui
