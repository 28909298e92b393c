// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/runs/overlay_runs.h"
#include "bridge/runs/run_checkpoints.h"
#include "bridge/runs/run_summaries.h"
#include "plots/parts/tower_highlight.h"
#include "window/commands/run_commands.h"

#include <functional>
#include <memory>

namespace lockstep::ui {

class AlertDesk;
class LogPanel;
class Panel;
class PanelDock;
class PreviewPanel;
class TowerPanel;

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
    /// `machine`: that of the window that this one stands beside.
    explicit MainWindow(
        QSettings& settings, Purpose purpose = Purpose::Main,
        std::shared_ptr<MachineConnection> machine = nullptr);
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
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    // Where the parts stand.
    void makePanels();
    void findTabs();
    void onTabDoubleClicked(int tab);
    PanelDock* addDock(
        const char* name, const QString& title, Panel& panel, Qt::DockWidgetArea area);
    void goTo(QWidget& widget);
    void fitDocks(bool isRecorded);
    void resetLayout();
    void setTallBelow(bool isTall);
    void fitBelow(PanelDock& dock);
    void fitTowers(int height);
    void setHeightBelow(int height);
    [[nodiscard]] int heightBelow() const;
    void widenTowers();
    [[nodiscard]] int mostOfTowers(const QWidget& dock) const;

    // What belongs together.
    void makeCommands();
    void connectRunActions();
    void connectViewActions();
    void connectChartRange();
    void connectPanels();
    void connectRuns();
    void connectAlerts();

    void updateActions();
    /// What is sent to a run as it is.
    [[nodiscard]] std::vector<std::pair<QAction*, RunCommand>> runCommands() const;
    void nameWindow();
    /// Shows a run in a window of its own: this one trains.
    void lookAt(const std::filesystem::path& run);
    void applyTheme(const QString& name);
    void restore();
    void save();
    void askBeforeClose();
    void closeAfterRun();
    /// Looks for devices, and for what they do now.
    void findDevices();

    const Purpose m_purpose;
    std::shared_ptr<MachineConnection> m_machine;
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
    bool m_isLeft = false;    ///< it goes on without the window, which closes once it does
    QByteArray m_firstLayout;
    bool m_isEdgeHeld = false;      ///< one between docks, by the mouse
    bool m_isLowChosen = false;     ///< what is below the charts, by a person
    std::optional<int> m_lowHeight; ///< of the panels below, while they are tall by themselves
    double m_tallShare = 0.5;       ///< of the window's height, which they have then

    WindowActions* m_actions;
    std::vector<PanelDock*> m_docks;
    MessageBar* m_messages;
    MessageBar* m_lineBar;
    ChartsPanel* m_charts = nullptr;
    RunPanel* m_runPanel;
    TowerPanel* m_towerPanel;
    LogPanel* m_logPanel;
    PreviewPanel* m_previewPanel;
    CheckpointPanel* m_checkpointPanel;
    RunsPanel* m_runsPanel;
    StartPage* m_startPage = nullptr;
    StatusLine* m_status = nullptr;
    std::function<void()> m_leaveStrip;
    Notices* m_notices = nullptr;
    SetUpCommands* m_setUps = nullptr;
    StartCommands* m_starts = nullptr;
    OpenCommands* m_opens = nullptr;
    AlertDesk* m_alertDesk = nullptr;
    QObject m_commands; ///< owns them: goes before what they work with
};

} // namespace lockstep::ui
