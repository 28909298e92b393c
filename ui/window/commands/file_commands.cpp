// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_title.h"
#include "engine/config.h"
#include "engine/storage.h"
#include "models/engine_text.h"
#include "panels/run_form/run_panel.h"
#include "window/commands/files.h"
#include "window/commands/run_commands.h"
#include "window/commands/window_commands.h"

#include <QSaveFile>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

/// Returns the reason if it can't be written.
QString writeConfiguration(const RunConfig& config, const fs::path& file)
{
    QSaveFile target(toQString(file));
    const bool isWritten = target.open(QIODevice::WriteOnly)
                           && target.write(QByteArray::fromStdString(toToml(config))) >= 0
                           && target.commit();
    return isWritten ? QString()
                     : QStringLiteral("%1: %2").arg(toQString(file), target.errorString());
}

/// Steps, and beside them evaluations where there are any: "a.csv", "a-evaluations.csv".
QStringList writeTables(const RunStoreReader& store, const fs::path& file)
{
    writeCsv(stepsAsCsv(store), file);
    if (store.evaluations().empty()) {
        return {toQString(file)};
    }
    fs::path evaluations = file;
    evaluations.replace_filename(file.stem().string() + "-evaluations.csv");
    writeCsv(evaluationsAsCsv(store), evaluations);
    return {toQString(file), nameOf(evaluations)};
}

class FileCommands : public QObject
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::FileCommands)

public:
    FileCommands(const WindowParts& parts, OpenCommands& opens)
        : QObject(&parts.owner), m_parts(parts), m_opens(opens)
    {
        const WindowActions& actions = parts.actions;
        connect(actions.openRun, &QAction::triggered, this, [this] {
            const auto known = RunLibrary::knownRuns();
            chooseFile(
                m_parts.window,
                {tr("Open Run"), QString(), QString(),
                 known.empty() ? fs::path() : known.front().parent_path()},
                [this](const fs::path& folder) { m_opens.open({folder}); });
        });
        connect(actions.loadCheckpoint, &QAction::triggered, this, [this] {
            chooseFile(
                m_parts.window,
                {tr("Load Checkpoint"), tr("Checkpoints (*.safetensors)"), QString(),
                 checkpointFolder()},
                [this](const fs::path& file) { m_opens.loadCheckpoint(file); });
        });
        connect(actions.saveCheckpointAs, &QAction::triggered, this, [this] {
            chooseFile(
                m_parts.window,
                {tr("Save Checkpoint As"), tr("Checkpoints (*.safetensors)"),
                 QStringLiteral("safetensors"), checkpointFolder()},
                [this, run = m_parts.run.folder()](const fs::path& file) {
                    saveCheckpoint(run, file);
                });
        });
        connect(actions.importConfiguration, &QAction::triggered, this, [this] {
            chooseFile(
                m_parts.window, {tr("Import Configuration"), tr("Configurations (*.toml)")},
                [this](const fs::path& file) { m_opens.importConfiguration(file); });
        });
        connect(actions.exportConfiguration, &QAction::triggered, this, [this] {
            chooseFile(
                m_parts.window,
                {tr("Export Configuration"), tr("Configurations (*.toml)"), QStringLiteral("toml")},
                [this](const fs::path& file) {
                    const RunConfig config = m_parts.panel.request().config;
                    tell({toQString(file)}, writeConfiguration(config, file));
                });
        });
        connect(actions.exportCsv, &QAction::triggered, this, &FileCommands::exportCsv);
    }

private:
    /// The run may have ended, or be about to, since the file was asked for.
    void saveCheckpoint(const fs::path& run, const fs::path& file)
    {
        const command::SaveCheckpointAs save{file};
        if (run == m_parts.run.folder() && m_parts.controller.can(save)) {
            m_parts.controller.send(save);
        } else {
            m_parts.notices.reportError(
                tr("The run can't be saved now: %1 was not written.").arg(toQString(file)));
        }
    }

    void exportCsv()
    {
        const QString name = titleOf(m_parts.run.folder(), m_parts.run.config());
        chooseTarget(
            m_parts.window, m_parts.settings.settings(), QStandardPaths::DocumentsLocation,
            {tr("Export Metrics"), tr("Tables (*.csv)"), QStringLiteral("csv"),
             toPath(name + QStringLiteral(".csv"))},
            [this](const fs::path& file) { writeTable(file); });
    }

    /// A million steps take seconds: not on this thread.
    void writeTable(const fs::path& file)
    {
        m_writers.start([this, file, store = RunFolder::storeFileOf(m_parts.run.folder())] {
            QStringList files;
            QString error;
            try {
                files = writeTables(RunStoreReader(store), file);
            } catch (const std::exception& caught) {
                error = engineText(caught.what());
            }
            QMetaObject::invokeMethod(
                this, [this, files, error] { tell(files, error); }, Qt::QueuedConnection);
        });
    }

    /// Which files are written, or the error.
    void tell(const QStringList& files, const QString& error)
    {
        error.isEmpty()
            ? m_parts.notices.inform(tr("Written: %1").arg(files.join(QStringLiteral(", "))))
            : m_parts.notices.reportError(error);
    }

    [[nodiscard]] fs::path checkpointFolder() const
    {
        return m_parts.run.folder().empty() ? fs::path()
                                            : RunFolder::checkpointsOf(m_parts.run.folder());
    }

    const WindowParts m_parts;
    OpenCommands& m_opens;
    QThreadPool m_writers; ///< its end waits for what is being written
};

} // namespace

void addFileCommands(const WindowParts& parts, OpenCommands& opens)
{
    new FileCommands(parts, opens);
}

} // namespace lockstep::ui
