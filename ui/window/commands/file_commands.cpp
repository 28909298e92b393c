// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/commands/file_commands.h"
#include "models/engine_text.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_library.h"
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
            tell(file, writeConfiguration(m_parts.panel.request().config, file));
        });
}

void FileCommands::exportCsv()
{
    const fs::path name = m_parts.run.folder().filename().string() + ".csv";
    chooseFile(
        m_parts.window,
        {tr("Export Metrics"), tr("Tables (*.csv)"), fs::current_path() / name,
         QStringLiteral("csv")},
        [this](const fs::path& file) { writeCsv(file); });
}

/// A million steps take seconds: not on this thread.
void FileCommands::writeCsv(const fs::path& file)
{
    m_writers.start([this, file, store = RunFolder::storeFileOf(m_parts.run.folder())] {
        QString error;
        try {
            lockstep::writeCsv(stepsAsCsv(RunStoreReader(store)), file);
        } catch (const std::exception& caught) {
            error = engineText(caught.what());
        }
        QMetaObject::invokeMethod(
            this, [this, file, error] { tell(file, error); }, Qt::QueuedConnection);
    });
}

void FileCommands::tell(const fs::path& file, const QString& error)
{
    const bool isWritten = error.isEmpty();
    const QString text = isWritten ? tr("Written: %1").arg(toQString(file)) : error;
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
