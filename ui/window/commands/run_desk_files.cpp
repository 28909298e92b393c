// SPDX-License-Identifier: GPL-3.0-or-later
// What RunDesk asks a person for: which file to read, and where to write.
#include "bridge/base/file_names.h"
#include "engine/base.h"
#include "engine/config.h"
#include "engine/storage.h"
#include "panels/run_form/run_panel.h"
#include "window/commands/file_choice.h"
#include "window/commands/run_desk.h"

#include <QSaveFile>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

void writeConfiguration(const RunConfig& config, const fs::path& file)
{
    QSaveFile target(toQString(file));
    const bool isWritten = target.open(QIODevice::WriteOnly)
                           && target.write(QByteArray::fromStdString(toToml(config))) >= 0
                           && target.commit();
    if (!isWritten) {
        fail(ErrorCode::Io, "{}: {}", file.string(), target.errorString().toStdString());
    }
}

} // namespace

void RunDesk::chooseRun()
{
    std::error_code ignored;
    const fs::path known = RunLibrary::knownRuns().empty()
                               ? fs::path()
                               : RunLibrary::knownRuns().front().parent_path();
    chooseFile(m_parts.window, {tr("Open Run"), {}, known, {}}, [this](const fs::path& folder) {
        openRun(folder);
    });
}

void RunDesk::chooseCheckpoint()
{
    chooseFile(
        m_parts.window,
        {tr("Load Checkpoint"), tr("Checkpoints (*.safetensors)"), checkpointFolder(), {}},
        [this](const fs::path& file) { loadCheckpoint(file); });
}

void RunDesk::chooseConfiguration()
{
    chooseFile(
        m_parts.window, {tr("Import Configuration"), tr("Configurations (*.toml)"), {}, {}},
        [this](const fs::path& file) { importConfiguration(file); });
}

void RunDesk::chooseCheckpointTarget()
{
    chooseFile(
        m_parts.window,
        {tr("Save Checkpoint As"), tr("Checkpoints (*.safetensors)"), checkpointFolder(),
         QStringLiteral("safetensors")},
        [this](const fs::path& file) { m_parts.controller.send(command::SaveCheckpointAs{file}); });
}

void RunDesk::chooseConfigurationTarget()
{
    chooseFile(
        m_parts.window,
        {tr("Export Configuration"), tr("Configurations (*.toml)"), {}, QStringLiteral("toml")},
        [this](const fs::path& file) {
            attempt([&] {
                writeConfiguration(m_parts.panel.request().config, file);
                tell(MessageBar::Kind::Information, tr("Written: %1").arg(toQString(file)));
            });
        });
}

void RunDesk::chooseCsvTarget()
{
    const fs::path name = m_parts.run.folder().filename().string() + ".csv";
    chooseFile(
        m_parts.window,
        {tr("Export Metrics"), tr("Tables (*.csv)"), fs::current_path() / name,
         QStringLiteral("csv")},
        [this](const fs::path& file) { writeCsv(file); });
}

/// A million steps take seconds: not on this thread.
void RunDesk::writeCsv(const fs::path& file)
{
    m_writers.start([this, file, store = RunFolder::storeFileOf(m_parts.run.folder())] {
        QString error;
        try {
            lockstep::writeCsv(stepsAsCsv(RunStoreReader(store)), file);
        } catch (const std::exception& caught) {
            error = QString::fromStdString(caught.what());
        }
        QMetaObject::invokeMethod(
            this,
            [this, file, error] {
                tell(
                    error.isEmpty() ? MessageBar::Kind::Information : MessageBar::Kind::Error,
                    error.isEmpty() ? tr("Written: %1").arg(toQString(file)) : error);
            },
            Qt::QueuedConnection);
    });
}

fs::path RunDesk::checkpointFolder() const
{
    return m_parts.run.folder().empty() ? fs::path()
                                        : RunFolder::checkpointsOf(m_parts.run.folder());
}

} // namespace lockstep::ui
