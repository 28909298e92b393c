// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/runs/checkpoint_panel.h"

#include "plots/axes/number_text.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/layouts.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QStringList>

#include <array>

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

CheckpointMenu::Offer CheckpointMenu::offerOf(
    CheckpointAct act, const CheckpointAbilities& abilities)
{
    const bool canResume = abilities.canSetUp && abilities.canResume;
    const std::array<Offer, 9> offers{
        {{tr("&Resume from Here"),
          tr("Goes on with the run from this checkpoint; the steps after it are kept as an "
             "abandoned branch"),
          canResume},
         {tr("&Branch with Changes…"),
          tr("The same, but the settings can be changed first: learning rate, steps, towers, "
             "batch"),
          canResume},
         {tr("&New Run from Its State"),
          tr("Sets up another run that starts from this state, with its step and optimizer"),
          abilities.canSetUp},
         {tr("&Fine-Tune from This Checkpoint…"),
          tr("Sets up another run at step 0 with those of its weights that fit, and nothing else"),
          abilities.canSetUp},
         {tr("&Evaluate"), tr("Scores it on the test set"), abilities.canEvaluate},
         {tr("&Pin"), tr("Keeps it forever: the run never deletes it")},
         {tr("Un&pin"), tr("The run may delete it again when it has newer ones")},
         {tr("&Show in Folder"), tr("Its file in the file manager")},
         {tr("&Save a Copy Here…"), tr("Fetches its file from the machine")}}};
    Offer offer = offers[static_cast<std::size_t>(act)];
    if (!abilities.machine.isEmpty() && act != CheckpointAct::SaveCopy) {
        offer.toolTip =
            tr("The checkpoint is on %1: save a copy here first").arg(abilities.machine);
        offer.isPossible = false;
    }
    return offer;
}

void CheckpointMenu::fill(
    QMenu& menu, const CheckpointItem& item, const CheckpointAbilities& abilities)
{
    using Act = CheckpointAct;
    const auto add = [&](Act act) {
        const Offer offer = offerOf(act, abilities);
        QAction* const action = menu.addAction(offer.text);
        action->setToolTip(offer.toolTip);
        action->setEnabled(offer.isPossible);
        connect(action, &QAction::triggered, this, [this, act, item] { emit chosen(act, item); });
    };
    add(Act::Resume);
    add(Act::Branch);
    menu.addSeparator();
    add(Act::NewRun);
    add(Act::FineTune);
    menu.addSeparator();
    add(Act::Evaluate);
    add(item.isPinned ? Act::Unpin : Act::Pin);
    add(abilities.machine.isEmpty() ? Act::ShowFolder : Act::SaveCopy);
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
      m_more(new QPushButton(tr("More")))
{
    makeTable();
    columnIn(this, {0, 0, 0, 4}, 4, {{m_table, 1}, makeButtons()});
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
        const auto item = selected(); // none behind the tab key: it selects nothing
        if (item && CheckpointMenu::offerOf(CheckpointAct::Branch, m_abilities).isPossible) {
            emit chosen(CheckpointAct::Branch, *item);
        }
    });
}

QLayout* CheckpointPanel::makeButtons()
{
    auto* const row = rowOf({}, kUsualSpacing, {8, 0, 8, 0});
    for (const CheckpointAct act :
         {CheckpointAct::Resume, CheckpointAct::Branch, CheckpointAct::Evaluate,
          CheckpointAct::Pin}) {
        auto* const button = new QPushButton;
        connect(button, &QPushButton::clicked, this, [this, place = m_buttons.size()] {
            emit chosen(m_buttons[place].second, *selected());
        });
        m_buttons.emplace_back(button, act);
        row->addWidget(button);
    }
    m_more->setToolTip(tr("All that can be done with this checkpoint"));
    connect(m_more, &QPushButton::clicked, this, [this] {
        showMenu(m_more->mapToGlobal(QPoint(0, m_more->height())));
    });
    row->addWidget(m_more);
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
    m_more->setEnabled(item.has_value());
    m_buttons.back().second = item && item->isPinned ? CheckpointAct::Unpin : CheckpointAct::Pin;
    for (const auto& [button, act] : m_buttons) {
        CheckpointMenu::Offer offer = CheckpointMenu::offerOf(act, m_abilities);
        button->setText(offer.text.remove(QLatin1Char('&')));
        button->setToolTip(offer.toolTip);
        button->setEnabled(item && offer.isPossible);
    }
}

} // namespace lockstep::ui
