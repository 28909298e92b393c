// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/commands/checkpoint_commands.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_origin.h"
#include "engine/base.h"
#include "engine/evaluation.h"
#include "engine/storage.h"
#include "models/engine_text.h"
#include "plots/axes/number_text.h"
#include "window/alerts/notices.h"
#include "window/commands/set_up_commands.h"
#include "window/commands/start_commands.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

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

} // namespace

CheckpointCommands::CheckpointCommands(
    const CommandParts& parts, RunCheckpoints& checkpoints, SetUpCommands& setUps,
    StartCommands& starts)
    : m_parts(parts), m_checkpoints(checkpoints), m_setUps(setUps), m_starts(starts),
      m_mailbox(*this)
{
    connect(&checkpoints, &RunCheckpoints::failed, this, [this](const QString& text) {
        m_parts.notices.tell(MessageBar::Kind::Error, text);
    });
}

CheckpointCommands::~CheckpointCommands()
{
    if (m_isCancelled) {
        *m_isCancelled = true;
    }
    m_worker.waitForDone();
}

CheckpointAbilities CheckpointCommands::abilities() const
{
    using State = SessionController::State;
    const bool isFree = m_parts.canTrain && m_parts.controller.canStart();
    // Where the window itself trains, an evaluation would take the towers' processors.
    return {
        isFree, isFree && m_parts.controller.state() != State::Following,
        isFree && m_isCancelled == nullptr};
}

void CheckpointCommands::showMenu(const MarkerGroup& group, const QPoint& globalPosition)
{
    const std::vector<CheckpointItem>& items = m_checkpoints.items();
    if (group.members.back() >= items.size()) {
        return;
    }
    const auto at = [&](std::size_t i) { return items.begin() + static_cast<std::ptrdiff_t>(i); };
    auto* const menu = new CheckpointMenu(
        std::vector<CheckpointItem>(at(group.members.front()), at(group.members.back() + 1)),
        abilities(), &m_parts.window);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu, &CheckpointMenu::chosen, this, &CheckpointCommands::carryOut);
    menu->popup(globalPosition);
}

void CheckpointCommands::carryOut(CheckpointAct act, const CheckpointItem& item)
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
        return m_checkpoints.setPinned(item.file, act == CheckpointAct::Pin);
    case CheckpointAct::ShowFolder:
        QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(item.file).path()));
    }
}

void CheckpointCommands::evaluate(const CheckpointItem& item)
{
    m_isCancelled = std::make_shared<std::atomic<bool>>(false);
    emit abilitiesChanged();
    tellProgress(item.step, 0);
    m_worker.start([this, item, isCancelled = m_isCancelled] {
        int told = 0;
        const auto progress = [&](double share) {
            const int percent = static_cast<int>(share * 100.0);
            if (percent > told) {
                told = percent;
                m_mailbox.post([this, item, percent] { tellProgress(item.step, percent); });
            }
            return !*isCancelled;
        };
        try {
            CheckpointEvaluationRequest request;
            request.checkpoint = toPath(item.file);
            const CheckpointEvaluation result = evaluateCheckpoint(request, {}, progress);
            m_mailbox.post([this, result, unkept = keep(result)] { onEvaluated(result, unkept); });
        } catch (const std::exception& error) {
            const auto* const known = dynamic_cast<const Error*>(&error);
            const bool isWanted = known != nullptr && known->code() == ErrorCode::Cancelled;
            m_mailbox.post([this, isWanted, text = engineText(error.what())] {
                end(isWanted ? MessageBar::Kind::Information : MessageBar::Kind::Error,
                    isWanted ? tr("The evaluation was cancelled.") : text);
            });
        }
    });
}

void CheckpointCommands::tellProgress(qint64 step, int percent)
{
    if (!m_isCancelled || *m_isCancelled) {
        return;
    }
    m_parts.notices.bar().showMessage(
        MessageBar::Kind::Information,
        tr("Evaluating the checkpoint of step %1 on the test set: %2 %")
            .arg(countText(step))
            .arg(percent),
        {{tr("Cancel"), [isCancelled = m_isCancelled] { *isCancelled = true; }, true}});
}

void CheckpointCommands::onEvaluated(const CheckpointEvaluation& result, const QString& unkept)
{
    const EvaluationRecord& record = result.record;
    end(MessageBar::Kind::Information,
        tr("Checkpoint of step %1: test accuracy %2, loss %3, %4 (%5 examples, %6)")
                .arg(
                    countText(record.step), numberText(record.accuracy, {100.0, 2, tr(" %")}),
                    numberText(record.loss, {1.0, 4, {}}),
                    record.weights == WeightsKind::Raw ? tr("weights as they are")
                                                       : tr("moving average"),
                    countText(record.examples), durationText(record.seconds))
            + (unkept.isEmpty() ? unkept : tr(" The run doesn't keep this: %1.").arg(unkept)));
    emit evaluated();
}

void CheckpointCommands::end(MessageBar::Kind kind, const QString& text)
{
    m_isCancelled.reset();
    m_parts.notices.tell(kind, text);
    emit abilitiesChanged();
}

} // namespace lockstep::ui
