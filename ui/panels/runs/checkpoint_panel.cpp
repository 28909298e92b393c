// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/runs/checkpoint_panel.h"

#include "panels/shared/layouts.h"
#include "plots/axes/number_text.h"
#include "widgets/bars/quiet_table.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QStringList>

namespace lockstep::ui {
namespace {

/// "Step 1,000 · 81.25 % · pinned"
QString checkpointTitle(const CheckpointItem& item)
{
    QStringList parts{
        CheckpointMenu::tr("Step %1").arg(countText(item.step)), accuracyText(item),
        keptText(item)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

/// Why little can be done with a checkpoint of another machine.
QString onlyThereText(const QString& machine)
{
    return CheckpointMenu::tr("The checkpoint is on %1: save a copy here first").arg(machine);
}

QPushButton* button(const QString& text, const QString& toolTip)
{
    auto* const made = new QPushButton(text);
    made->setToolTip(toolTip);
    return made;
}

} // namespace

CheckpointMenu::CheckpointMenu(
    const std::vector<CheckpointItem>& items, const CheckpointAbilities& abilities, QWidget* parent)
    : QMenu(parent)
{
    setObjectName(QStringLiteral("checkpoint_menu"));
    setToolTipsVisible(true);
    if (items.size() == 1) {
        addSection(checkpointTitle(items.front()));
        fill(*this, items.front(), abilities);
        return;
    }
    for (const CheckpointItem& item : items) {
        QMenu* const menu = addMenu(checkpointTitle(item));
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
        const bool isThere = !abilities.machine.isEmpty() && act != CheckpointAct::SaveCopy;
        action->setToolTip(isThere ? onlyThereText(abilities.machine) : toolTip);
        action->setEnabled(isPossible && !isThere);
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
    if (abilities.machine.isEmpty()) {
        add(tr("&Show in Folder"), tr("Its file in the file manager"), CheckpointAct::ShowFolder,
            true);
    } else {
        add(tr("&Save a Copy Here…"), tr("Fetches its file from the machine"),
            CheckpointAct::SaveCopy, true);
    }
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

CheckpointPanel::CheckpointPanel(QWidget* parent)
    : Panel(parent),
      m_table(new QuietTable(
          QStringLiteral("checkpoints_table"), tr("Checkpoints of the run that is shown"), this)),
      m_resume(button(
          tr("Resume from Here"), tr("Goes on with the run from this checkpoint; the steps after "
                                     "it are kept as an abandoned branch"))),
      m_branch(button(
          tr("Branch with Changes…"),
          tr("The same, but the settings can be changed first: learning rate, steps, towers, "
             "batch"))),
      m_evaluate(button(tr("Evaluate"), tr("Scores it on the test set"))),
      m_pin(button(tr("Pin"), tr("Keeps it forever: the run never deletes it"))),
      m_more(button(tr("More"), tr("All that can be done with this checkpoint")))
{
    makeTable();
    columnIn(this, {0, 0, 0, 4}, 4, {{m_table, 1}, makeButtons()});
    for (QPushButton* const each : {m_resume, m_branch, m_evaluate, m_pin}) {
        m_usualToolTips.emplace_back(each, each->toolTip());
    }
    updateButtons();
}

void CheckpointPanel::makeTable()
{
    m_table->setModel(&m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAlternatingRowColors(true);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(CheckpointModel::File, QHeaderView::Stretch);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(
        m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &CheckpointPanel::updateButtons);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint& position) {
        showMenu(m_table->viewport()->mapToGlobal(position));
    });
    connect(m_table, &QTableView::activated, this, [this] {
        if (m_branch->isEnabled()) {
            emit chosen(CheckpointAct::Branch, *selected());
        }
    });
}

QLayout* CheckpointPanel::makeButtons()
{
    auto* const row = new QHBoxLayout;
    row->setContentsMargins(8, 0, 8, 0);
    const auto add = [&](QPushButton* each, CheckpointAct act) {
        row->addWidget(each);
        connect(each, &QPushButton::clicked, this, [this, act] { emit chosen(act, *selected()); });
    };
    add(m_resume, CheckpointAct::Resume);
    add(m_branch, CheckpointAct::Branch);
    add(m_evaluate, CheckpointAct::Evaluate);
    row->addWidget(m_pin);
    connect(m_pin, &QPushButton::clicked, this, [this] {
        const CheckpointItem item = *selected();
        emit chosen(item.isPinned ? CheckpointAct::Unpin : CheckpointAct::Pin, item);
    });
    row->addWidget(m_more);
    connect(m_more, &QPushButton::clicked, this, [this] {
        showMenu(m_more->mapToGlobal(QPoint(0, m_more->height())));
    });
    row->addStretch(1);
    return row;
}

void CheckpointPanel::setItems(const std::vector<CheckpointItem>& items)
{
    const auto before = selected();
    m_model.setItems(items);
    for (int row = 0; before && row < m_model.rowCount(); ++row) {
        if (m_model.at(row).file == before->file) {
            m_table->selectRow(row);
        }
    }
    updateButtons();
}

void CheckpointPanel::setAbilities(const CheckpointAbilities& abilities)
{
    m_abilities = abilities;
    updateButtons();
}

std::optional<CheckpointItem> CheckpointPanel::selected() const
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? std::nullopt : std::optional(m_model.at(rows.front().row()));
}

void CheckpointPanel::showMenu(const QPoint& position)
{
    if (const auto item = selected()) {
        auto* const menu = new CheckpointMenu({*item}, m_abilities, this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        connect(menu, &CheckpointMenu::chosen, this, &CheckpointPanel::chosen);
        menu->popup(position);
    }
}

void CheckpointPanel::updateButtons()
{
    const auto item = selected();
    const bool canResume = item && m_abilities.canSetUp && m_abilities.canResume;
    m_resume->setEnabled(canResume);
    m_branch->setEnabled(canResume);
    m_evaluate->setEnabled(item && m_abilities.canEvaluate);
    m_pin->setEnabled(item && m_abilities.machine.isEmpty());
    m_pin->setText(item && item->isPinned ? tr("Unpin") : tr("Pin"));
    m_more->setEnabled(item.has_value());
    for (const auto& [button, usual] : m_usualToolTips) {
        button->setToolTip(
            m_abilities.machine.isEmpty() ? usual : onlyThereText(m_abilities.machine));
    }
}

} // namespace lockstep::ui
