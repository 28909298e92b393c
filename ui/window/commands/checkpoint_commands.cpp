// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/base/mailbox.h"
#include "bridge/remote/machine_connection.h"
#include "bridge/runs/run_checkpoints.h"
#include "bridge/runs/run_origin.h"
#include "bridge/runs/run_summaries.h"
#include "engine/base.h"
#include "engine/evaluation.h"
#include "engine/storage.h"
#include "models/engine_text.h"
#include "panels/charts/chart_stack.h"
#include "panels/charts/charts_panel.h"
#include "panels/runs/checkpoint_panel.h"
#include "plots/axes/number_text.h"
#include "plots/view/plot_view.h"
#include "window/commands/files.h"
#include "window/commands/run_commands.h"
#include "window/commands/window_commands.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

#include <span>

namespace lockstep::ui {
namespace {

/// Among the evaluations of its run, so that it counts for the best. Returns why not, if so.
QString keep(const CheckpointEvaluation& evaluation)
{
    try {
        const auto run = readCheckpointSummary(evaluation.checkpoint).run;
        if (run) {
            addEvaluation(*run, evaluation.record);
        }
        return {};
    } catch (const Error& error) {
        return engineText(error.what());
    }
}

class CheckpointCommands : public QObject
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::CheckpointCommands)

public:
    CheckpointCommands(const WindowParts& parts, SetUpCommands& setUps, StartCommands& starts)
        : QObject(&parts.owner), m_parts(parts), m_setUps(setUps), m_starts(starts)
    {
        const auto* const checkpoints = &parts.checkpoints;
        CheckpointPanel& panel = parts.checkpointPanel;
        auto* const pins = new PinRow(parts.charts.range(), &parts.window);
        for (PlotView* const plot : parts.charts.charts().allPlots()) {
            plot->setShared({.pins = pins});
        }
        connect(checkpoints, &RunCheckpoints::changed, this, [&panel, checkpoints, pins] {
            panel.setItems(checkpoints->items());
            pins->setPins(pinsOf(checkpoints->items()));
        });
        connect(checkpoints, &RunCheckpoints::failed, this, [this](const QString& text) {
            m_parts.notices.reportError(text);
        });
        connect(pins, &PinRow::chosen, this, &CheckpointCommands::showMenu);
        connect(&panel, &CheckpointPanel::chosen, this, &CheckpointCommands::carryOut);
        connect(
            &starts, &StartCommands::continuableChanged, this, &CheckpointCommands::updatePanel);
        connect(&parts.run, &LiveRun::begun, this, &CheckpointCommands::updatePanel);
        connect(&starts, &StartCommands::evaluationRequested, this, [this](const auto& newest) {
            if (abilities().canEvaluate) {
                evaluate(newest);
            }
        });
        updatePanel();
    }

private:
    /// What is possible just now.
    [[nodiscard]] CheckpointAbilities abilities() const
    {
        // A machine starts from nothing that is here, nor this one from what is there.
        const bool isFree =
            m_parts.canTrain && m_parts.controller.canStart() && !m_parts.machine.machine();
        // Where the window itself trains, an evaluation would take the towers' processors.
        return {
            isFree, isFree && !m_parts.controller.isFollowing(), isFree && !m_work.isRunning(),
            m_parts.run.machine() ? m_parts.machine.name() : QString()};
    }

    void updatePanel() { m_parts.checkpointPanel.setAbilities(abilities()); }

    /// Of those that share a pin.
    void showMenu(const MarkerGroup& group, const QPoint& globalPosition)
    {
        const std::vector<CheckpointItem>& items = m_parts.checkpoints.items();
        if (group.members.back() >= items.size()) {
            return;
        }
        const auto shared = std::span(items).subspan(
            group.members.front(), group.members.back() + 1 - group.members.front());
        auto* const menu =
            new CheckpointMenu({shared.begin(), shared.end()}, abilities(), &m_parts.window);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        connect(menu, &CheckpointMenu::chosen, this, &CheckpointCommands::carryOut);
        menu->popup(globalPosition);
    }

    void carryOut(CheckpointAct act, const CheckpointItem& item)
    {
        const std::filesystem::path file = toPath(item.file);
        switch (act) {
        case CheckpointAct::Resume:
            return m_starts.resumeFrom(file);
        case CheckpointAct::Branch:
            return m_setUps.setUpToContinue(file);
        case CheckpointAct::NewRun:
            return m_setUps.setUpFromCheckpoint(file);
        case CheckpointAct::FineTune:
            return m_setUps.setUpToFineTune(file);
        case CheckpointAct::Evaluate:
            return evaluate(item);
        case CheckpointAct::Pin:
        case CheckpointAct::Unpin:
            return m_parts.checkpoints.setPinned(item.file, act == CheckpointAct::Pin);
        case CheckpointAct::ShowFolder:
            QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(item.file).path()));
            return;
        case CheckpointAct::SaveCopy:
            return chooseTarget(
                m_parts.window, m_parts.settings.settings(), QStandardPaths::DocumentsLocation,
                {tr("Save a Copy"), tr("Checkpoints (*.safetensors)"),
                 QStringLiteral("safetensors"), file.filename()},
                [this, file](const std::filesystem::path& target) { saveCopy(file, target); });
        }
    }

    void saveCopy(const std::filesystem::path& file, const std::filesystem::path& target)
    {
        const auto told = [this, name = nameOf(file)](double share) {
            m_parts.notices.show(tr("Fetching %1 from %2: %3 %")
                                     .arg(name, m_parts.machine.name())
                                     .arg(static_cast<int>(share * 100.0)));
        };
        m_parts.machine.copy(
            file, target, told,
            [this, target] { m_parts.notices.inform(tr("Saved: %1").arg(toQString(target))); },
            [this](const QString& reason) { m_parts.notices.reportError(reason); });
    }

    void evaluate(const CheckpointItem& item)
    {
        const auto work = [this, item]() -> std::function<void()> {
            int told = 0;
            const auto progress = [&](double share) {
                const int percent = static_cast<int>(share * 100.0);
                if (percent > told) {
                    told = percent;
                    m_work.report([this, item, percent] { tellProgress(item.step, percent); });
                }
                return !m_work.isCancelled();
            };
            CheckpointEvaluationRequest request;
            request.checkpoint = toPath(item.file);
            const CheckpointEvaluation result = evaluateCheckpoint(request, {}, progress);
            QString notes; // such as that images were trained on
            for (const std::string& note : result.dataNotes) {
                notes += u' ' + capitalised(engineText(note)) + u'.';
            }
            const QString unkept = keep(result);
            notes += unkept.isEmpty() ? unkept : tr(" The run doesn't keep this: %1.").arg(unkept);
            return [this, result, notes] { onEvaluated(result.record, notes); };
        };
        m_work.start(work, [this](const QString& text, bool isCancelled) {
            end(isCancelled ? Notices::Kind::Information : Notices::Kind::Error,
                isCancelled ? tr("The evaluation was cancelled.") : text);
        });
        updatePanel();
        tellProgress(item.step, 0);
    }

    void tellProgress(qint64 step, int percent)
    {
        if (!m_work.isCancelled()) {
            m_parts.notices.show(
                tr("Evaluating the checkpoint of step %1 on the test set: %2 %")
                    .arg(countText(step))
                    .arg(percent),
                {{tr("Cancel"), [this] { m_work.cancel(); }, true}});
        }
    }

    void onEvaluated(const EvaluationRecord& record, const QString& notes)
    {
        end(Notices::Kind::Information,
            tr("Checkpoint of step %1: test accuracy %2, loss %3, %4 (%5 examples, %6)")
                    .arg(
                        countText(record.step), numberText(record.accuracy, {100.0, 2, tr(" %")}),
                        numberText(record.loss, {1.0, 4, {}}),
                        record.weights == WeightsKind::Raw ? tr("weights as they are")
                                                           : tr("moving average"),
                        countText(record.examples), durationText(record.seconds))
                + notes);
        emit m_parts.run.evaluated();
        m_parts.summaries.refreshSoon();
    }

    void end(Notices::Kind kind, const QString& text)
    {
        m_parts.notices.tell(kind, text);
        updatePanel();
    }

    const WindowParts m_parts;
    SetUpCommands& m_setUps;
    StartCommands& m_starts;
    CancellableWork m_work{*this}; ///< an evaluation
};

} // namespace

void addCheckpointCommands(const WindowParts& parts, SetUpCommands& setUps, StartCommands& starts)
{
    new CheckpointCommands(parts, setUps, starts);
}

} // namespace lockstep::ui
