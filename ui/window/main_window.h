// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/runs/overlay_runs.h"
#include "bridge/runs/run_checkpoints.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_summaries.h"
#include "bridge/session/live_run.h"
#include "models/figures/device_model.h"
#include "plots/parts/checklist_painting.h"
#include "plots/parts/tower_highlight.h"
#include "window/base/window_settings.h"

#include <QElapsedTimer>
#include <QMainWindow>
#include <QThreadPool>

#include <filesystem>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

class QMenu;
class QSettings;

namespace lockstep {
struct StepRecord;
}

namespace lockstep::ui {

class BarrierPanel;
class AlertDesk;
class ChangeDesk;
class ChartsPanel;
class CheckpointDesk;
class CheckpointPanel;
class Cifar10Dialog;
class FileCommands;
class DevicesPanel;
class EvaluationPanel;
class GradientPanel;
class MasksPanel;
class LogPanel;
class MessageBar;
class Panel;
class PanelDock;
class PinRow;
class PreviewPanel;
class ProgressReadout;
class RunDesk;
class RunPanel;
class RunsPanel;
class ScalingDialog;
class StartPage;
class StatusLine;
class TowerPanel;
class UserGuide;
class WeightsPanel;
class WindowActions;

/// The dashboard: panels around the charts of one run, menus, tool bar and status bar. Puts the
/// parts together and decides nothing about runs, which RunDesk does. GUI thread.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// Main: where people train; remembers what it was left at. Look: beside it, for another run.
    enum class Purpose { Main, Look };

    /// Begins where `settings` says that a person left; it must outlive the window.
    explicit MainWindow(QSettings& settings, Purpose purpose = Purpose::Main);
    /// Stops a run that is going on, which saves it, and waits for that.
    ~MainWindow() override;

    [[nodiscard]] SessionController& controller() noexcept { return m_controller; }
    [[nodiscard]] const LiveRun& run() const noexcept { return m_run; }
    [[nodiscard]] RunPanel& runPanel() noexcept { return *m_runPanel; }
    [[nodiscard]] RunDesk& desk() noexcept { return *m_desk; }
    [[nodiscard]] WindowActions& actions() noexcept { return *m_actions; }
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
    void makeCentre();
    void makeDocks();
    void findTabs();
    void onTabDoubleClicked(int tab);
    PanelDock* addDock(
        const char* name, const QString& title, Panel& panel, Qt::DockWidgetArea area);
    void makeBars();
    void connectRunActions();
    void connectFileActions();
    void connectViewActions();
    void connectHelpActions();
    void connectGuide();
    void connectPanels();
    void connectRuns();
    void connectStartPage();
    /// Shows a run in a window of its own: this one trains.
    void lookAt(const std::filesystem::path& run);
    void askForPresetName(
        const QString& title, const QString& proposed,
        const std::function<void(const QString&)>& save);
    void changePresets(const std::function<void()>& change);
    void nameWindow();
    void askToTrash(const std::filesystem::path& run);
    void moveToTrash(const std::filesystem::path& run);
    void compareRuns(const std::filesystem::path& first, const std::filesystem::path& second);
    void connectCheckpoints();
    void connectChecklist();
    void connectChanges();
    void connectAlerts();
    void fillPresets();
    void fillRecent(QMenu& menu, bool isRuns);
    void goTo(QWidget& widget);

    void updateActions();
    /// What is sent to a run as it is.
    [[nodiscard]] std::vector<std::pair<QAction*, RunCommand>> runCommands() const;
    void updateChanges();
    void updateReadiness();
    void onSteps(const std::vector<StepRecord>& records);
    void logStep(const StepRecord& record);
    void applyTheme(const QString& name);
    void resetLayout();
    void setTallBelow(bool isTall);
    void setHeightBelow(int height);
    void widenTowers();
    void restore();
    void save();
    void askBeforeClose();
    /// Looks for them, and for what they do now, unless somebody does already.
    void findDevices();
    void showCifar10Dialog();
    /// Empty: the chapter that was shown last.
    void showGuide(const QString& chapter);
    void showScalingRuler();
    void chooseLanguage(const QString& code);

    const Purpose m_purpose;
    WindowSettings m_settings;
    RunLibrary m_library;
    RunSummaries m_summaries;
    OverlayRuns m_overlays;
    TowerHighlight m_highlight;
    std::vector<DeviceRow> m_devices;
    QThreadPool m_finders;
    SessionController m_controller;
    LiveRun m_run;
    RunCheckpoints m_checkpoints;
    bool m_isClosing = false; ///< as soon as the run has stopped
    QElapsedTimer m_sinceLogged;
    QByteArray m_firstLayout;
    std::filesystem::path m_loggedRun; ///< whose history the log has

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
    Cifar10Dialog* m_cifar10 = nullptr;
    UserGuide* m_guide = nullptr;
    ScalingDialog* m_scaling = nullptr;
    PinRow* m_pins = nullptr;
    std::vector<ChecklistLine> m_checklist; ///< of the run that was started last
    std::unique_ptr<RunDesk> m_desk;
    std::unique_ptr<FileCommands> m_fileCommands;
    std::unique_ptr<CheckpointDesk> m_checkpointDesk;
    std::unique_ptr<ChangeDesk> m_changeDesk;
    std::unique_ptr<AlertDesk> m_alertDesk;
    bool m_isLookingForDevices = false;
};

} // namespace lockstep::ui
