// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with the selected runs.
#include "bridge/base/file_names.h"
#include "bridge/remote/machine_connection.h"
#include "bridge/runs/overlay_runs.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_summaries.h"
#include "bridge/runs/run_title.h"
#include "engine/base.h"
#include "models/engine_text.h"
#include "panels/runs/runs_panel.h"

#include <QAction>
#include <QMenu>
#include <QTableView>

#include <algorithm>

namespace lockstep::ui {

QAction* RunsPanel::addAction(
    const QString& text, const QString& toolTip, const std::function<void()>& act)
{
    auto* const action = new QAction(text, m_table);
    action->setToolTip(toolTip);
    action->setStatusTip(toolTip);
    m_table->addAction(action);
    connect(action, &QAction::triggered, this, act);
    return action;
}

void RunsPanel::makeActions()
{
    const auto ofSelected = [this](void (RunsPanel::*wanted)(const std::filesystem::path&)) {
        return [this, wanted] { emit(this->*wanted)(selectedRuns().front()); };
    };
    m_open = addAction(tr("&Open"), tr("Shows the run"), ofSelected(&RunsPanel::openRequested));
    m_fineTune = addAction(
        tr("Fine-&Tune from This Run…"),
        tr("Sets up another run at step 0 with the weights of its newest checkpoint"),
        ofSelected(&RunsPanel::fineTuneRequested));
    m_overlay =
        addAction(tr("Over&lay on Charts"), tr("Draws its curves behind the run's own"), [this] {
            toggleOverlays();
        });
    m_compare = addAction(
        tr("&Compare Runs"), tr("Of the two selected runs, or of one and the shown one"), [this] {
            const auto runs = comparedRuns();
            emit compareRequested(runs.front(), runs.back());
        });
    m_folder = addAction(
        tr("Show in &Folder"), tr("Shows its files in the file manager"),
        ofSelected(&RunsPanel::openFolderRequested));
    m_remove = addAction(
        tr("&Remove from List"), tr("Forgets a run outside the default folder; keeps its files"),
        ofSelected(&RunsPanel::removeRequested));
    m_rename = addAction(
        tr("Re&name"), tr("Gives the run another name; its folder keeps its own"), [this] {
            m_table->edit(m_table->selectionModel()->selectedRows(RunTableModel::Name).front());
        });
    m_trash = addAction(
        tr("Move to &Trash…"), tr("Deletes the run with all its files"),
        ofSelected(&RunsPanel::trashRequested));
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &RunsPanel::showMenu);
    connect(m_table, &QTableView::activated, this, [this] {
        if (m_open->isEnabled()) {
            m_open->trigger();
        }
    });
}

void RunsPanel::overlay(const QString& folder, bool isOn)
{
    if (isOn && m_machine != nullptr && m_machine->isMirror(toPath(folder))) {
        return m_machine->whenHere(toPath(folder), [this, folder] { layOver(folder, true); });
    }
    layOver(folder, isOn);
}

void RunsPanel::layOver(const QString& folder, bool isOn)
{
    if (!m_overlays.setOverlaid(folder, isOn)) {
        updateNote(
            tr("%1 runs lie over the charts, which is as many as can be told apart: take one away "
               "first")
                .arg(OverlayRuns::kMost));
    }
}

/// As the first of the selected ones is not.
void RunsPanel::toggleOverlays()
{
    const auto runs = selectedRuns();
    const bool isOn = !m_overlays.folders().contains(toQString(runs.front()));
    for (const std::filesystem::path& run : runs) {
        if (m_model.at(m_model.rowOf(toQString(run))).stage != RunStage::Unreadable) {
            overlay(toQString(run), isOn);
        }
    }
}

/// Its tool tips say why something can't be done.
void RunsPanel::showMenu(const QPoint& position)
{
    auto* const menu = new QMenu(m_table);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    menu->addActions(m_table->actions());
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

void RunsPanel::rename(const QString& folder, const QString& name)
{
    if (!machineName().isEmpty()) {
        return updateNote(onlyThereText());
    }
    try {
        setTitle(toPath(folder), name);
        m_summaries.refresh();
        emit renamed(toPath(folder));
    } catch (const Error& error) {
        updateNote(engineText(error.what()));
    }
}

std::vector<std::filesystem::path> RunsPanel::selectedRuns() const
{
    std::vector<std::filesystem::path> runs;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        runs.push_back(toPath(index.data(FileRole).toString()));
    }
    return runs;
}

/// Two, or none.
std::vector<std::filesystem::path> RunsPanel::comparedRuns() const
{
    std::vector<std::filesystem::path> runs = selectedRuns();
    if (runs.size() == 1 && !m_shown.empty() && runs.front() != m_shown) {
        runs.insert(runs.begin(), m_shown);
    }
    return runs.size() == 2 ? runs : std::vector<std::filesystem::path>();
}

void RunsPanel::updateActions()
{
    const auto runs = selectedRuns();
    m_open->setEnabled(runs.size() == 1);
    m_fineTune->setEnabled(m_isFineTuningEnabled && runs.size() == 1);
    m_overlay->setEnabled(!runs.empty());
    const auto compared = comparedRuns();
    m_compare->setEnabled(!compared.empty());
    const auto isRecorded = [this](const std::filesystem::path& run) {
        const int row = m_model.rowOf(toQString(run));
        return row >= 0 && !m_model.at(row).recordedBy.isEmpty();
    };
    const bool isAny = std::ranges::any_of(runs, isRecorded);
    m_fineTune->setVisible(!isAny); // there are no weights
    m_compare->setVisible(!isAny && std::ranges::none_of(compared, isRecorded)); // nor settings
    m_folder->setEnabled(runs.size() == 1);
    const RunRow* const single =
        runs.size() == 1 ? &m_model.at(m_model.rowOf(toQString(runs.front()))) : nullptr;
    m_rename->setEnabled(single != nullptr && single->stage != RunStage::Unreadable);
    m_trash->setEnabled(
        single != nullptr && single->stage != RunStage::Training && runs.front() != m_shown);
    m_remove->setEnabled(runs.size() == 1 && !RunLibrary::isInDefaultPlace(runs.front()));
    const bool isThere = !machineName().isEmpty();
    for (QAction* const action : {m_fineTune, m_folder, m_rename, m_trash, m_remove}) {
        if (isThere) {
            action->setEnabled(false);
        }
        action->setToolTip(isThere ? onlyThereText() : action->statusTip());
    }
}

QString RunsPanel::onlyThereText() const
{
    return tr("The run and its files are on %1: this can only be done there").arg(machineName());
}

} // namespace lockstep::ui
