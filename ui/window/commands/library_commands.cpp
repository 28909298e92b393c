// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/commands/library_commands.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/overlay_runs.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_summaries.h"
#include "bridge/runs/run_title.h"
#include "bridge/session/live_run.h"
#include "dialogs/configuration_difference_dialog.h"
#include "engine/run.h"
#include "engine/storage.h"
#include "panels/runs/runs_panel.h"
#include "window/alerts/notices.h"

#include <QDesktopServices>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QUrl>

namespace lockstep::ui {

namespace fs = std::filesystem;

LibraryCommands::LibraryCommands(
    const CommandParts& parts, RunsPanel& panel, RunSummaries& summaries, OverlayRuns& overlays)
    : m_parts(parts), m_summaries(summaries), m_overlays(overlays)
{
    connect(&panel, &RunsPanel::compareRequested, this, &LibraryCommands::compare);
    connect(&panel, &RunsPanel::openFolderRequested, this, [](const fs::path& run) {
        QDesktopServices::openUrl(QUrl::fromLocalFile(toQString(run)));
    });
    connect(&panel, &RunsPanel::removeRequested, this, &LibraryCommands::remove);
    connect(&panel, &RunsPanel::trashRequested, this, &LibraryCommands::askToTrash);
}

void LibraryCommands::compare(const fs::path& first, const fs::path& second)
{
    m_parts.notices.attempt([&] {
        auto* const dialog = new ConfigurationDifferenceDialog(
            {titleOf(first), configOfRun(first)}, {titleOf(second), configOfRun(second)},
            &m_parts.window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
}

void LibraryCommands::remove(const fs::path& run)
{
    m_overlays.setOverlaid(toQString(run), false);
    m_parts.library.forgetRun(run);
}

void LibraryCommands::askToTrash(const fs::path& run)
{
    auto* const box = new QMessageBox(
        QMessageBox::Question, tr("Lockstep"), tr("Move %1 to the trash?").arg(titleOf(run)),
        QMessageBox::Cancel, &m_parts.window);
    box->setObjectName(QStringLiteral("trash_question"));
    box->setInformativeText(
        tr("Its curves, evaluations and checkpoints go with it: %1").arg(toQString(run)));
    const QPushButton* const move = box->addButton(tr("Move to Trash"), QMessageBox::AcceptRole);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(move, &QPushButton::clicked, this, [this, run] { moveToTrash(run); });
    box->open();
}

void LibraryCommands::moveToTrash(const fs::path& run)
{
    if (RunLock::writerOf(run) || run == m_parts.run.folder()) {
        return m_parts.notices.tell(
            Notices::Kind::Warning, tr("%1 is in use: it stays.").arg(titleOf(run)));
    }
    m_overlays.setOverlaid(toQString(run), false);
    if (!QFile::moveToTrash(toQString(run))) {
        return m_parts.notices.tell(
            Notices::Kind::Error,
            tr("%1 can't be moved to the trash: delete its folder by hand.").arg(toQString(run)));
    }
    m_parts.library.forgetRun(run);
    m_summaries.refresh();
}

} // namespace lockstep::ui
