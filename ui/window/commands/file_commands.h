// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/live_run.h"
#include "widgets/bars/message_bar.h"

#include <QObject>
#include <QStringList>
#include <QThreadPool>

#include <filesystem>

class QSettings;

namespace lockstep::ui {

class OpenCommands;
class RunPanel;

/// What a person reads and writes by the File menu: asks for the file beside the window, and hands
/// what was read to OpenCommands. GUI thread.
class FileCommands : public QObject
{
    Q_OBJECT

public:
    /// What it works with, all of which must outlive it.
    struct Parts
    {
        SessionController& controller;
        LiveRun& run;
        OpenCommands& runs;
        RunPanel& panel;
        MessageBar& messages;
        QSettings& settings;
        QWidget& window; ///< owns the file dialogs
    };

    explicit FileCommands(const Parts& parts);
    /// Waits for what is being written.
    ~FileCommands() override;

public slots:
    void openRun();
    void loadCheckpoint();
    void importConfiguration();
    void saveCheckpointAs();
    void exportConfiguration();
    void exportCsv();

signals:
    /// For the log.
    void noted(const QString& text, bool isWarning);

private:
    /// Says which files are written, or the error.
    void tell(const QStringList& files, const QString& error);
    void writeCsv(const std::filesystem::path& file);
    [[nodiscard]] std::filesystem::path checkpointFolder() const;

    Parts m_parts;
    QThreadPool m_writers;
};

} // namespace lockstep::ui
