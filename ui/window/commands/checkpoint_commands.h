// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/runs/run_checkpoints.h"
#include "panels/runs/checkpoint_panel.h"
#include "widgets/bars/message_bar.h"
#include "window/commands/command_parts.h"

#include <QThreadPool>

#include <atomic>
#include <memory>

namespace lockstep {
struct CheckpointEvaluation;
}

namespace lockstep::ui {

class SetUpCommands;
class StartCommands;

/// What a person does with a checkpoint of the run that is shown, from its pin on a chart or from
/// the table: nothing here waits, and an error becomes a message. GUI thread.
class CheckpointCommands : public QObject
{
    Q_OBJECT

public:
    CheckpointCommands(
        const CommandParts& parts, RunCheckpoints& checkpoints, SetUpCommands& setUps,
        StartCommands& starts);
    /// Gives up an evaluation that is going on, and waits for it.
    ~CheckpointCommands() override;

    /// What is possible just now.
    [[nodiscard]] CheckpointAbilities abilities() const;

public slots:
    void carryOut(lockstep::ui::CheckpointAct act, const lockstep::ui::CheckpointItem& item);
    /// Those that share a pin.
    void showMenu(const lockstep::ui::MarkerGroup& group, const QPoint& globalPosition);

signals:
    void abilitiesChanged();
    /// One was evaluated, and the run has the result.
    void evaluated();

private:
    void evaluate(const CheckpointItem& item);
    void tellProgress(qint64 step, int percent);
    void onEvaluated(const CheckpointEvaluation& result, const QString& unkept);
    void end(MessageBar::Kind kind, const QString& text);

    const CommandParts m_parts;
    RunCheckpoints& m_checkpoints;
    SetUpCommands& m_setUps;
    StartCommands& m_starts;
    std::shared_ptr<std::atomic<bool>> m_isCancelled; ///< of the evaluation that is going on
    Mailbox m_mailbox;
    QThreadPool m_worker;
};

} // namespace lockstep::ui
