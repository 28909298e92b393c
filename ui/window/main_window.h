// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/runs/overlay_runs.h"
#include "bridge/runs/run_checkpoints.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_summaries.h"
#include "bridge/session/live_run.h"
#include "models/figures/device_model.h"
#include "plots/parts/tower_highlight.h"
#include "window/base/window_settings.h"

#include <QMainWindow>

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

class QSettings;

namespace lockstep::ui {

class AlertDesk;
class BarrierPanel;
class ChangeCommands;
class ChartsPanel;
class CheckpointCommands;
class CheckpointPanel;
class DevicesPanel;
class EvaluationPanel;
class FileCommands;
class GradientPanel;
class LibraryCommands;
class LogPanel;
class MasksPanel;
class MessageBar;
class Notices;
class OpenCommands;
class Panel;
class PanelDock;
class PinRow;
class PreviewPanel;
class ProgressReadout;
class Readiness;
class RunPanel;
class RunsPanel;
class SetUpCommands;
class SideWindows;
class StartCommands;
class StartMenus;
class StartPage;
class StatusLine;
class TowerPanel;
class WeightsPanel;
class WindowActions;

/// The dashboard: panels around the charts of one run, menus, tool bar and status bar. Puts the
/// parts together and decides nothing about runs, which the commands do. GUI thread.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// Main: where people train; remembers what it was left at. Look: beside it, for another run;
    /// trains nothing.
    enum class Purpose { Main, Look };

    /// Begins where `settings` says that a person left; it must outlive the window.
    explicit MainWindow(QSettings& settings, Purpose purpose = Purpose::Main);
    /// Stops a run that is going on, which saves it, and waits for that.
    ~MainWindow() override;

    [[nodiscard]] SessionController& controller() noexcept { return m_controller; }
    [[nodiscard]] const LiveRun& run() const noexcept { return m_run; }
    [[nodiscard]] RunPanel& runPanel() noexcept { return *m_runPanel; }
    [[nodiscard]] SetUpCommands& setUpCommands() noexcept { return *m_setUps; }
    [[nodiscard]] StartCommands& startCommands() noexcept { return *m_starts; }
    [[nodiscard]] OpenCommands& openCommands() noexcept { return *m_opens; }
    [[nodiscard]] WindowActions& actions() noexcept { return *m_actions; }
    [[nodiscard]] Notices& notices() noexcept { return *m_notices; }
    [[nodiscard]] MessageBar& messages() noexcept { return *m_messages; }

public slots:
    /// Ends without asking: a run is stopped and saved first. For a signal of the system.
    void stopAndClose();

signals:
    void closed();

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    // Where the parts stand.
    void makeCentre();
    void makeDocks();
    void findTabs();
    void onTabDoubleClicked(int tab);
    PanelDock* addDock(
        const char* name, const QString& title, Panel& panel, Qt::DockWidgetArea area);
    void makeBars();
    void goTo(QWidget& widget);
    void resetLayout();
    void setTallBelow(bool isTall);
    void setHeightBelow(int height);
    void widenTowers();
    [[nodiscard]] int mostOfTowers(const QWidget& dock) const;

    // What belongs together.
    void makeCommands();
    void connectRunActions();
    void connectFileActions();
    void connectViewActions();
    void connectChartRange();
    void connectPanels();
    void connectRuns();
    void connectCheckpoints();
    void connectChanges();
    void connectAlerts();

    void updateActions();
    /// What is sent to a run as it is.
    [[nodiscard]] std::vector<std::pair<QAction*, RunCommand>> runCommands() const;
    void updateChanges();
    void nameWindow();
    /// Shows a run in a window of its own: this one trains.
    void lookAt(const std::filesystem::path& run);
    void applyTheme(const QString& name);
    void restore();
    void save();
    void askBeforeClose();
    /// Looks for devices, and for what they do now.
    void findDevices();

    const Purpose m_purpose;
    WindowSettings m_settings;
    RunLibrary m_library;
    RunSummaries m_summaries;
    OverlayRuns m_overlays;
    TowerHighlight m_highlight;
    SessionController m_controller;
    LiveRun m_run;
    RunCheckpoints m_checkpoints;
    std::vector<DeviceRow> m_devices;
    LatestRequest<bool, std::vector<DeviceRow>> m_finder;
    bool m_isClosing = false; ///< as soon as the run has stopped
    QByteArray m_firstLayout;

    WindowActions* m_actions;
    std::vector<PanelDock*> m_docks;
    MessageBar* m_messages;
    ChartsPanel* m_charts = nullptr;
    RunPanel* m_runPanel;
    TowerPanel* m_towerPanel;
    BarrierPanel* m_barrierPanel;
    GradientPanel* m_gradientPanel;
    MasksPanel* m_masksPanel;
    LogPanel* m_logPanel;
    PreviewPanel* m_previewPanel;
    CheckpointPanel* m_checkpointPanel;
    RunsPanel* m_runsPanel;
    WeightsPanel* m_weightsPanel;
    DevicesPanel* m_devicesPanel;
    EvaluationPanel* m_evaluationPanel;
    StartPage* m_startPage = nullptr;
    ProgressReadout* m_progress = nullptr;
    StatusLine* m_status = nullptr;
    std::unique_ptr<Notices> m_notices;
    std::unique_ptr<Readiness> m_readiness;
    std::unique_ptr<SetUpCommands> m_setUps;
    std::unique_ptr<StartCommands> m_starts;
    std::unique_ptr<OpenCommands> m_opens;
    std::unique_ptr<FileCommands> m_files;
    std::unique_ptr<CheckpointCommands> m_checkpointCommands;
    std::unique_ptr<ChangeCommands> m_changes;
    std::unique_ptr<LibraryCommands> m_libraryCommands;
    std::unique_ptr<AlertDesk> m_alertDesk;
    std::unique_ptr<StartMenus> m_startMenus;
    std::unique_ptr<SideWindows> m_sideWindows;
};

} // namespace lockstep::ui
