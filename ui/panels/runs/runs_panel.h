// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runs/run_table_model.h"
#include "panels/shared/panel.h"

#include <filesystem>
#include <functional>

class QAction;
class QTableView;

namespace lockstep::ui {

class MachineConnection;
class NoteLabel;
class OverlayRuns;
class RunSummaries;
class SearchLine;

/// "Runs": all that are known, in a table that is sorted by any column and filtered by typing; what
/// is checked lies over the charts.
class RunsPanel : public Panel
{
    Q_OBJECT

public:
    /// Both must outlive the panel.
    RunsPanel(RunSummaries& summaries, OverlayRuns& overlays, QWidget* parent = nullptr);

    /// The run that the charts show, for its row; empty for none.
    void setShownRun(const std::filesystem::path& folder);
    /// Whose runs are listed, while there is a machine; it must outlive the panel.
    void setMachine(MachineConnection& machine);
    /// Whether another run may be set up now.
    void setFineTuningEnabled(bool isEnabled);

    /// Lays a run over the charts, or takes it away; says so where there are too many.
    void overlay(const QString& folder, bool isOn);

    /// Widths and order of the columns, for keeping and restoring.
    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

    [[nodiscard]] QSize sizeHint() const override;

signals:
    void openRequested(const std::filesystem::path& run);
    void fineTuneRequested(const std::filesystem::path& run);
    void compareRequested(const std::filesystem::path& a, const std::filesystem::path& b);
    void openFolderRequested(const std::filesystem::path& run);
    void renamed(const std::filesystem::path& run);
    /// Its folder shall go to the trash. Not for the run that is shown.
    void trashRequested(const std::filesystem::path& run);
    /// Of a run outside the default place: it shall not be listed any more.
    void removeRequested(const std::filesystem::path& run);

protected:
    void inSightChanged() override { updateWatching(); }
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeTable();
    void setFirstWidths();
    void makeColumnMenu();
    void makeActions();
    QAction* addAction(
        const QString& text, const QString& toolTip, const std::function<void()>& act);
    void follow();
    void layOver(const QString& folder, bool isOn);
    void toggleOverlays();
    void rename(const QString& folder, const QString& name);
    void updateActions();
    void showMenu(const QPoint& position);
    [[nodiscard]] QString machineName() const;
    [[nodiscard]] QString onlyThereText() const;
    void updateNote(const QString& problem = {});
    void updateWatching();
    [[nodiscard]] std::vector<std::filesystem::path> selectedRuns() const;
    [[nodiscard]] std::vector<std::filesystem::path> comparedRuns() const;

    RunSummaries& m_summaries;
    OverlayRuns& m_overlays;
    MachineConnection* m_machine = nullptr;
    RunTableModel m_model;
    RunFilterModel m_filtered{m_model};
    std::filesystem::path m_shown;
    bool m_isFineTuningEnabled = true;
    SearchLine* m_filter;
    NoteLabel* m_note;
    QTableView* m_table;
    QAction* m_open = nullptr;
    QAction* m_fineTune = nullptr;
    QAction* m_overlay = nullptr;
    QAction* m_compare = nullptr;
    QAction* m_folder = nullptr;
    QAction* m_rename = nullptr;
    QAction* m_remove = nullptr;
    QAction* m_trash = nullptr;
};

} // namespace lockstep::ui
