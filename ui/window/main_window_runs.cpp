// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does with all runs together.
#include "bridge/base/file_names.h"
#include "dialogs/configuration_difference_dialog.h"
#include "engine/base.h"
#include "engine/run.h"
#include "panels/runs/runs_panel.h"
#include "widgets/bars/message_bar.h"
#include "window/commands/run_desk.h"
#include "window/main_window.h"

#include <QDesktopServices>
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
}

void MainWindow::compareRuns(const fs::path& first, const fs::path& second)
{
    try {
        auto* const dialog = new ConfigurationDifferenceDialog(
            {nameOf(first), configOfRun(first)}, {nameOf(second), configOfRun(second)}, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    } catch (const Error& error) {
        m_messages->showMessage(MessageBar::Kind::Error, QString::fromUtf8(error.what()));
    }
}

} // namespace lockstep::ui
