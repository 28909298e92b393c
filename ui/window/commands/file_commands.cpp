// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/commands/file_commands.h"
#include "models/engine_text.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_title.h"
#include "engine/config.h"
#include "engine/storage.h"
#include "panels/run_form/run_panel.h"
#include "window/commands/file_choice.h"
#include "window/commands/open_commands.h"

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

} // namespace

FileCommands::FileCommands(const Parts& parts) : m_parts(parts) {}

FileCommands::~FileCommands()
{
    m_writers.waitForDone();
}

void FileCommands::openRun()
{
    const fs::path known = RunLibrary::knownRuns().empty()
                               ? fs::path()
                               : RunLibrary::knownRuns().front().parent_path();
    chooseFile(m_parts.window, {tr("Open Run"), {}, known, {}}, [this](const fs::path& folder) {
        m_parts.runs.openRun(folder);
    });
}

void FileCommands::loadCheckpoint()
{
    chooseFile(
        m_parts.window,
        {tr("Load Checkpoint"), tr("Checkpoints (*.safetensors)"), checkpointFolder(), {}},
        [this](const fs::path& file) { m_parts.runs.loadCheckpoint(file); });
}

void FileCommands::importConfiguration()
{
    chooseFile(
        m_parts.window, {tr("Import Configuration"), tr("Configurations (*.toml)"), {}, {}},
        [this](const fs::path& file) { m_parts.runs.importConfiguration(file); });
}

void FileCommands::saveCheckpointAs()
{
    chooseFile(
        m_parts.window,
        {tr("Save Checkpoint As"), tr("Checkpoints (*.safetensors)"), checkpointFolder(),
         QStringLiteral("safetensors")},
        [this](const fs::path& file) { m_parts.controller.send(command::SaveCheckpointAs{file}); });
}

void FileCommands::exportConfiguration()
{
    chooseFile(
        m_parts.window,
        {tr("Export Configuration"), tr("Configurations (*.toml)"), {}, QStringLiteral("toml")},
        [this](const fs::path& file) {
            tell({toQString(file)}, writeConfiguration(m_parts.panel.request().config, file));
        });
}

void FileCommands::exportCsv()
{
    const QString name = titleOf(m_parts.run.folder(), m_parts.run.config());
    constexpr auto kFolder = QStandardPaths::DocumentsLocation;
    chooseFile(
        m_parts.window,
        {tr("Export Metrics"), tr("Tables (*.csv)"),
         proposedFile(m_parts.settings, kFolder, name + QStringLiteral(".csv")),
         QStringLiteral("csv")},
        [this](const fs::path& file) {
            keepFolder(m_parts.settings, kFolder, file);
            writeCsv(file);
        });
}

/// A million steps take seconds: not on this thread.
void FileCommands::writeCsv(const fs::path& file)
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

void FileCommands::tell(const QStringList& files, const QString& error)
{
    const bool isWritten = error.isEmpty();
    const QString text =
        isWritten ? tr("Written: %1").arg(files.join(QStringLiteral(", "))) : error;
    emit noted(text, !isWritten);
    m_parts.messages.showMessage(
        isWritten ? MessageBar::Kind::Information : MessageBar::Kind::Error, text);
}

fs::path FileCommands::checkpointFolder() const
{
    return m_parts.run.folder().empty() ? fs::path()
                                        : RunFolder::checkpointsOf(m_parts.run.folder());
}

} // namespace lockstep::ui
