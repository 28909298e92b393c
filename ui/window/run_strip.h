// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/commands/window_commands.h"

#include <QToolBar>

#include <functional>
#include <utility>
#include <vector>

class QDockWidget;

namespace lockstep::ui {

struct CheckpointItem;
class EvaluationPanel;
class SetUpCommands;
class StartCommands;

/// A line below the tool bar. While a run trains it says what is trained, with what may be changed
/// in it, and the form is folded away: a click on the line, or the form's key, shows it. When the
/// run has ended the form is back, and the line offers what can be done next. GUI thread.
class RunStrip : public QToolBar
{
    Q_OBJECT

public:
    /// Brings a panel to the front and puts the keyboard into it.
    using GoTo = std::function<void(QWidget& panel)>;

    RunStrip(const WindowParts& parts, SetUpCommands& setUps, const StartCommands& starts, GoTo to);

    /// For the layout that is kept: as if no run trained.
    void leave();

private:
    void addTraining();
    void addNext(SetUpCommands& setUps);
    [[nodiscard]] bool isTraining() const;
    void refresh();
    void fold();
    void unfold();
    /// Another run to compare with; empty for none.
    [[nodiscard]] QString otherRun() const;
    /// Those of the shown run from which it could go on otherwise, the newest first.
    [[nodiscard]] std::vector<CheckpointItem> branchPoints() const;

    const WindowParts m_parts;
    const StartCommands& m_starts;
    const GoTo m_goTo;
    QDockWidget& m_form;
    EvaluationPanel& m_evaluation;
    std::vector<QAction*> m_training; ///< what is there while a run trains; the first says which
    /// The question what can be done next, its answers, and whether they can be.
    std::vector<std::pair<QAction*, std::function<bool()>>> m_next;
    bool m_wasTraining = false;
    bool m_isFolded = false; ///< by this
};

} // namespace lockstep::ui
