// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runs/checkpoint_model.h"
#include "panels/shared/panel.h"
#include "plots/rows/pin_row.h"

#include <QMenu>

#include <optional>
#include <utility>
#include <vector>

class QPushButton;
class QTableView;

namespace lockstep::ui {

enum class CheckpointAct {
    Resume,     ///< go on with its run from here, at once
    Branch,     ///< the same, after the settings were changed
    NewRun,     ///< another run that starts from its state
    FineTune,   ///< another run at step 0 that takes over its weights alone
    Evaluate,   ///< score it on the test set
    Pin,        ///< keep it for ever
    Unpin,      ///< no more
    ShowFolder, ///< its file in the file manager
    SaveCopy,   ///< of one on another machine, on this one
};

/// What is possible just now.
struct CheckpointAbilities
{
    bool canSetUp = true;  ///< a run may be set up
    bool canResume = true; ///< nobody trains the run that the checkpoint is of
    bool canEvaluate = true;
    QString machine = {}; ///< on which the checkpoints are; empty: this one
};

/// The context menu of a checkpoint; of several, a menu of theirs.
class CheckpointMenu : public QMenu
{
    Q_OBJECT

public:
    CheckpointMenu(
        const std::vector<CheckpointItem>& items, const CheckpointAbilities& abilities,
        QWidget* parent = nullptr);

    struct Offer
    {
        QString text; ///< with its mnemonic
        QString toolTip;
        bool isPossible = true;
    };
    [[nodiscard]] static Offer offerOf(CheckpointAct act, const CheckpointAbilities& abilities);

signals:
    void chosen(lockstep::ui::CheckpointAct act, const lockstep::ui::CheckpointItem& item);

private:
    void fill(QMenu& menu, const CheckpointItem& item, const CheckpointAbilities& abilities);
};

std::vector<PlotPin> pinsOf(const std::vector<CheckpointItem>& items);

/// "Checkpoints": those of the run that is shown, and what can be done with one.
class CheckpointPanel : public Panel
{
    Q_OBJECT

public:
    explicit CheckpointPanel(QWidget* parent = nullptr);

    /// Keeps the selection where that checkpoint is still there.
    void setItems(const std::vector<CheckpointItem>& items);
    void setAbilities(const CheckpointAbilities& abilities);

signals:
    void chosen(lockstep::ui::CheckpointAct act, const lockstep::ui::CheckpointItem& item);

private:
    void makeTable();
    [[nodiscard]] QLayout* makeButtons();
    [[nodiscard]] std::optional<CheckpointItem> selected() const;
    void showMenu(const QPoint& position);
    void updateButtons();

    CheckpointModel m_model;
    CheckpointAbilities m_abilities;
    QTableView* m_table;
    std::vector<std::pair<QPushButton*, CheckpointAct>> m_buttons; ///< the last one pins or unpins
    QPushButton* m_more;
};

} // namespace lockstep::ui
