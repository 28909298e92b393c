// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/runs/overlay_runs.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_summaries.h"
#include "bridge/runs/run_title.h"
#include "dialogs/configuration_difference_dialog.h"
#include "engine/run.h"
#include "engine/storage.h"
#include "panels/run_form/run_form.h"
#include "panels/runs/run_results.h"
#include "panels/runs/runs_panel.h"
#include "window/commands/window_commands.h"

#include <QDesktopServices>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QUrl>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

class LibraryCommands : public QObject
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::LibraryCommands)

public:
    explicit LibraryCommands(const WindowParts& parts) : QObject(&parts.owner), m_parts(parts)
    {
        connect(&parts.runsPanel, &RunsPanel::compareRequested, this, &LibraryCommands::compare);
        connect(&parts.runsPanel, &RunsPanel::openFolderRequested, this, [](const fs::path& run) {
            QDesktopServices::openUrl(QUrl::fromLocalFile(toQString(run)));
        });
        connect(&parts.runsPanel, &RunsPanel::removeRequested, this, &LibraryCommands::remove);
        connect(&parts.runsPanel, &RunsPanel::trashRequested, this, &LibraryCommands::askToTrash);
    }

private:
    void compare(const fs::path& first, const fs::path& second)
    {
        m_parts.notices.attempt([&] {
            auto* const dialog = new ConfigurationDifferenceDialog(
                {titleOf(first), RunForm::settingsInWords(configOfRun(first))},
                {titleOf(second), RunForm::settingsInWords(configOfRun(second))},
                compareResults(first, second), &m_parts.window);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->show();
        });
    }

    void remove(const fs::path& run)
    {
        m_parts.overlays.setOverlaid(toQString(run), false);
        m_parts.library.forgetRun(run);
    }

    void askToTrash(const fs::path& run)
    {
        auto* const box = new QMessageBox(
            QMessageBox::Question, tr("Lockstep"), tr("Move %1 to the trash?").arg(titleOf(run)),
            QMessageBox::Cancel, &m_parts.window);
        box->setObjectName(QStringLiteral("trash_question"));
        box->setInformativeText(
            tr("Its curves, evaluations and checkpoints go with it: %1").arg(toQString(run)));
        const QPushButton* const move =
            box->addButton(tr("Move to Trash"), QMessageBox::AcceptRole);
        box->setAttribute(Qt::WA_DeleteOnClose);
        connect(move, &QPushButton::clicked, this, [this, run] { moveToTrash(run); });
        box->open();
    }

    void moveToTrash(const fs::path& run)
    {
        if (RunLock::writerOf(run) || run == m_parts.run.folder()) {
            return m_parts.notices.tell(
                Notices::Kind::Warning, tr("%1 is in use: it stays.").arg(titleOf(run)));
        }
        m_parts.overlays.setOverlaid(toQString(run), false);
        if (!QFile::moveToTrash(toQString(run))) {
            return m_parts.notices.reportError(
                tr("%1 can't be moved to the trash: delete its folder by hand.")
                    .arg(toQString(run)));
        }
        m_parts.library.forgetRun(run);
        m_parts.summaries.refresh();
    }

    const WindowParts m_parts;
};

} // namespace

void addLibraryCommands(const WindowParts& parts)
{
    new LibraryCommands(parts);
}

} // namespace lockstep::ui
