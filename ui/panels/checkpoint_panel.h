// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoint_model.h"

#include <QWidget>

#include <filesystem>

class QLabel;
class QPushButton;
class QTableView;

namespace lockstep::ui {

/// "Checkpoints": those of the run that is shown, and what can be done with one.
class CheckpointPanel : public QWidget
{
    Q_OBJECT

public:
    explicit CheckpointPanel(QWidget* parent = nullptr);

    /// Lists the folder of a run anew; an empty path lists nothing.
    void showRun(const std::filesystem::path& run);
    /// Whether a run may be started from a checkpoint now.
    void setLoadingEnabled(bool isEnabled);

signals:
    /// Go on with the run of this checkpoint, from it.
    void continueRequested(const std::filesystem::path& file);
    /// Start another run from its weights.
    void newRunRequested(const std::filesystem::path& file);
    void openFolderRequested(const std::filesystem::path& folder);

private:
    void makeTable();
    [[nodiscard]] QLayout* makeButtons();
    [[nodiscard]] std::filesystem::path selectedFile() const;
    void updateButtons();

    CheckpointModel m_model;
    std::filesystem::path m_run;
    bool m_isLoadingEnabled = true;
    QTableView* m_table;
    QPushButton* m_continue;
    QPushButton* m_newRun;
    QPushButton* m_folder;
};

} // namespace lockstep::ui
