// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/readers/evaluation_reader.h"
#include "models/evaluation/image_models.h"
#include "panels/shared/panel.h"

#include <QWidget>

#include <filesystem>
#include <memory>
#include <vector>

class QProgressBar;
class QPushButton;

namespace lockstep::ui {

class ExampleTable;
class NoteLabel;

/// What a network says of many image files: a table that grows while it is asked, and can be saved
/// as CSV.
class FilesPage : public QWidget
{
    Q_OBJECT

public:
    explicit FilesPage(QWidget* parent = nullptr);

    /// Asks about these files, and those of these folders; instead of those of before.
    void start(const TrialRequest& of, const std::vector<std::filesystem::path>& places);
    /// Asks about the same ones again; nothing where there are none.
    void again(const TrialRequest& of);
    /// Another run.
    void clear();

signals:
    /// A person wants to see this one.
    void fileWanted(const std::filesystem::path& file);
    /// A person has seen enough.
    void closed();

private:
    void makeTable();
    [[nodiscard]] QLayout* makeHead();
    void showRows();
    void showState();
    void end(const QString& problem);
    void chooseFile();
    void save(const std::filesystem::path& file);

    FilePredictionModel m_model;
    QSortFilterProxyModel m_order;
    std::vector<std::filesystem::path> m_places;
    std::vector<FilePrediction> m_predictions;
    std::shared_ptr<DataAccount> m_account; ///< of the folders
    qint64 m_images = 0;                    ///< to be asked about; 0: not known yet
    TrialSeries m_series;
    CancellableWork m_saving{*this};
    RefreshTimer m_refresh;

    NoteLabel* m_state;
    NoteLabel* m_problem;
    QProgressBar* m_bar;
    QPushButton* m_cancel;
    QPushButton* m_save;
    QPushButton* m_close;
    ExampleTable* m_table;
};

} // namespace lockstep::ui
