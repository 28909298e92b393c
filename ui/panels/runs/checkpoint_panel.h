// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runs/checkpoint_model.h"
#include "panels/runs/checkpoint_menu.h"
#include "panels/shared/panel.h"

#include <optional>
#include <vector>

class QPushButton;
class QTableView;

namespace lockstep::ui {

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
    QPushButton* m_resume;
    QPushButton* m_branch;
    QPushButton* m_evaluate;
    QPushButton* m_pin;
    QPushButton* m_more;
};

} // namespace lockstep::ui
