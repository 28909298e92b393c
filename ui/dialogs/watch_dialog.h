// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTimer>

#include <filesystem>

class QPlainTextEdit;

namespace lockstep::ui {

class FolderEditor;
class NoteLabel;

/// "Watch a PyTorch Training": the lines that a script needs so that its ranks write down what they
/// do, for a folder that a person chooses, and a look at that folder every second: as soon as a
/// rank has written something the run is asked for, and the dialog closes. Not modal; closed
/// before, it looks no more. GUI thread.
class WatchDialog : public QDialog
{
    Q_OBJECT

public:
    /// `folder` is proposed.
    explicit WatchDialog(const std::filesystem::path& folder, QWidget* parent = nullptr);

    /// Looks now.
    void look();

signals:
    /// Ranks write into this folder.
    void found(const std::filesystem::path& run);

private:
    [[nodiscard]] std::filesystem::path folder() const;
    void showLines();

    FolderEditor* m_folder;
    QPlainTextEdit* m_lines;
    NoteLabel* m_status;
    QTimer m_clock;
};

} // namespace lockstep::ui
