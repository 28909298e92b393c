// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does with all runs together.
#include "bridge/base/file_names.h"
#include "bridge/runs/run_title.h"
#include "dialogs/configuration_difference_dialog.h"
#include "engine/base.h"
#include "engine/run.h"
#include "engine/storage.h"
#include "models/engine_text.h"
#include "panels/runs/runs_panel.h"
#include "widgets/bars/message_bar.h"
#include "window/commands/run_desk.h"
#include "window/main_window.h"

#include <QDesktopServices>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QUrl>

namespace lockstep::ui {

namespace fs = std::filesystem;

void MainWindow::connectRuns()
{
    m_summaries.setOthers(m_library.recentRuns());
    connect(&m_library, &RunLibrary::recentChanged, this, [this] {
        m_summaries.setOthers(m_library.recentRuns());
    });
    connect(
        &m_controller, &SessionController::stateChanged, &m_summaries, &RunSummaries::refreshSoon);
    connect(&m_run, &LiveRun::begun, this, [this] {
        m_runsPanel->setShownRun(m_run.folder());
        m_summaries.refreshSoon();
    });
    connect(m_runsPanel, &RunsPanel::openRequested, m_desk.get(), &RunDesk::openRun);
    connect(m_runsPanel, &RunsPanel::fineTuneRequested, m_desk.get(), &RunDesk::setUpToFineTune);
    connect(m_runsPanel, &RunsPanel::compareRequested, this, &MainWindow::compareRuns);
    connect(m_runsPanel, &RunsPanel::openFolderRequested, this, [](const fs::path& run) {
        QDesktopServices::openUrl(QUrl::fromLocalFile(toQString(run)));
    });
    connect(m_runsPanel, &RunsPanel::removeRequested, this, [this](const fs::path& run) {
        m_overlays.setOverlaid(toQString(run), false);
        m_library.forgetRun(run);
    });
    connect(m_runsPanel, &RunsPanel::trashRequested, this, &MainWindow::askToTrash);
    connect(m_runsPanel, &RunsPanel::renamed, this, &MainWindow::nameWindow);
}

void MainWindow::nameWindow()
{
    const fs::path& run = m_run.folder();
    setWindowTitle(run.empty() ? tr("Lockstep") : tr("%1 – Lockstep").arg(titleOf(run)));
}

void MainWindow::askToTrash(const fs::path& run)
{
    auto* const box = new QMessageBox(
        QMessageBox::Question, tr("Lockstep"), tr("Move %1 to the trash?").arg(titleOf(run)),
        QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("trash_question"));
    box->setInformativeText(
        tr("Its curves, evaluations and checkpoints go with it: %1").arg(toQString(run)));
    const QPushButton* const move = box->addButton(tr("Move to Trash"), QMessageBox::AcceptRole);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(move, &QPushButton::clicked, this, [this, run] { moveToTrash(run); });
    box->open();
}

void MainWindow::moveToTrash(const fs::path& run)
{
    if (RunLock::writerOf(run) || run == m_run.folder()) {
        m_messages->showMessage(
            MessageBar::Kind::Warning, tr("%1 is in use: it stays.").arg(titleOf(run)));
        return;
    }
    m_overlays.setOverlaid(toQString(run), false);
    if (!QFile::moveToTrash(toQString(run))) {
        m_messages->showMessage(
            MessageBar::Kind::Error,
            tr("%1 can't be moved to the trash: delete its folder by hand.").arg(toQString(run)));
        return;
    }
    m_library.forgetRun(run);
    m_summaries.refresh();
}

void MainWindow::compareRuns(const fs::path& first, const fs::path& second)
{
    try {
        auto* const dialog = new ConfigurationDifferenceDialog(
            {titleOf(first), configOfRun(first)}, {titleOf(second), configOfRun(second)}, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    } catch (const Error& error) {
        m_messages->showMessage(MessageBar::Kind::Error, engineText(error.what()));
    }
}

} // namespace lockstep::ui
