// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/runs/checkpoint_menu.h"

#include "plots/axes/number_text.h"

#include <QFileInfo>
#include <QLocale>
#include <QStringList>

namespace lockstep::ui {
namespace {

/// "Step 1,000 · 81.25 % · pinned"
QString titleOf(const CheckpointItem& item)
{
    QStringList parts{
        CheckpointMenu::tr("Step %1").arg(countText(item.step)), accuracyText(item),
        keptText(item)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

} // namespace

CheckpointMenu::CheckpointMenu(
    const std::vector<CheckpointItem>& items, const CheckpointAbilities& abilities, QWidget* parent)
    : QMenu(parent)
{
    setObjectName(QStringLiteral("checkpoint_menu"));
    setToolTipsVisible(true);
    if (items.size() == 1) {
        addSection(titleOf(items.front()));
        fill(*this, items.front(), abilities);
        return;
    }
    for (const CheckpointItem& item : items) {
        QMenu* const menu = addMenu(titleOf(item));
        menu->setToolTipsVisible(true);
        fill(*menu, item, abilities);
    }
}

void CheckpointMenu::fill(
    QMenu& menu, const CheckpointItem& item, const CheckpointAbilities& abilities)
{
    const auto add = [&](const QString& text, const QString& toolTip, CheckpointAct act,
                         bool isPossible) {
        QAction* const action = menu.addAction(text);
        action->setToolTip(toolTip);
        action->setEnabled(isPossible);
        connect(action, &QAction::triggered, this, [this, act, item] { emit chosen(act, item); });
    };
    const bool canResume = abilities.canSetUp && abilities.canResume;
    add(tr("&Resume from Here"),
        tr("Goes on with the run from this checkpoint; the steps after it are kept as an abandoned "
           "branch"),
        CheckpointAct::Resume, canResume);
    add(tr("&Branch with Changes…"),
        tr("The same, but the settings can be changed first: learning rate, steps, towers, batch"),
        CheckpointAct::Branch, canResume);
    menu.addSeparator();
    add(tr("&New Run from Its State"),
        tr("Sets up another run that starts from this state, with its step and optimizer"),
        CheckpointAct::NewRun, abilities.canSetUp);
    add(tr("&Fine-Tune from This Checkpoint…"),
        tr("Sets up another run at step 0 with those of its weights that fit, and nothing else"),
        CheckpointAct::FineTune, abilities.canSetUp);
    menu.addSeparator();
    add(tr("&Evaluate"), tr("Scores it on the test set"), CheckpointAct::Evaluate,
        abilities.canEvaluate);
    if (item.isPinned) {
        add(tr("Un&pin"), tr("The run may delete it again when it has newer ones"),
            CheckpointAct::Unpin, true);
    } else {
        add(tr("&Pin"), tr("Keeps it forever: the run never deletes it"), CheckpointAct::Pin, true);
    }
    add(tr("&Show in Folder"), tr("Its file in the file manager"), CheckpointAct::ShowFolder, true);
}

std::vector<PlotPin> pinsOf(const std::vector<CheckpointItem>& items)
{
    std::vector<PlotPin> pins;
    for (const CheckpointItem& item : items) {
        PlotPin pin{item.step, item.isPinned, item.isBest, accuracyText(item), {}};
        const auto add = [&](const QString& name, const QString& what) {
            if (!what.isEmpty()) {
                pin.facts.emplace_back(name, what);
            }
        };
        add(CheckpointMenu::tr("test accuracy"), accuracyText(item));
        add(CheckpointMenu::tr("kept"), keptText(item));
        add(CheckpointMenu::tr("written"), item.reason);
        add(CheckpointMenu::tr("size"), QLocale().formattedDataSize(item.bytes, 1));
        add(CheckpointMenu::tr("file"), QFileInfo(item.file).fileName());
        pins.push_back(std::move(pin));
    }
    return pins;
}

} // namespace lockstep::ui
