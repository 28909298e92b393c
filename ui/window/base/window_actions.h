// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/icons.h"

#include <QActionGroup>
#include <QKeySequence>
#include <QList>
#include <QObject>

#include <optional>
#include <utility>
#include <variant>
#include <vector>

class QMainWindow;
class QMenu;
class QToolBar;

namespace lockstep::ui {

/// Everything that the window's menus and tool bar offer: texts, icons, keys and places. What an
/// entry does is connected by the window.
class WindowActions : public QObject
{
    Q_OBJECT

public:
    /// Fills the window's menu bar.
    explicit WindowActions(QMainWindow& window);

    /// The tool bar with what is wanted most.
    [[nodiscard]] QToolBar* makeToolBar(QMainWindow& window);
    /// Whether those are there that are about a training of ours, and settings for one.
    void setOfTrainingVisible(bool areVisible);
    /// All entries with their menu's name as property "group", for the list of shortcuts.
    [[nodiscard]] QList<QAction*> all() const { return m_all; }
    /// Adds an entry to the View menu that goes to a part of the window; the first nine by Ctrl and
    /// their number, those behind them by Ctrl, Shift and a number from 1 on.
    QAction* addPlace(const QString& text);

    // File
    QAction* newRun = nullptr;
    QMenu* presets = nullptr;
    QAction* savePreset = nullptr;
    QAction* openRun = nullptr;
    QMenu* recentRuns = nullptr;
    QAction* loadCheckpoint = nullptr;
    QAction* saveCheckpoint = nullptr;
    QAction* saveCheckpointAs = nullptr;
    QMenu* recentCheckpoints = nullptr;
    QAction* importConfiguration = nullptr;
    QAction* exportConfiguration = nullptr;
    QAction* exportCharts = nullptr;
    QMenu* exportOne = nullptr; ///< filled by the window
    QAction* exportCsv = nullptr;
    QAction* exportSummary = nullptr;
    QAction* connectMachine = nullptr;
    QAction* disconnectMachine = nullptr;
    QAction* quit = nullptr;
    // Run
    QAction* start = nullptr;
    QAction* pause = nullptr;
    QAction* resume = nullptr;
    QAction* stepOnce = nullptr;
    QAction* stop = nullptr;
    QAction* evaluate = nullptr;
    QAction* continueRun = nullptr;
    QAction* changeLearningRate = nullptr;
    QAction* changeSteps = nullptr;
    QAction* stopAfterEpoch = nullptr; ///< checked: the run will
    QAction* keepTraining = nullptr;
    QAction* keepAwake = nullptr;
    QAction* findRate = nullptr;
    QAction* scalingRuler = nullptr;
    QAction* getCifar10 = nullptr;
    // View
    QMenu* docks = nullptr;
    QMenu* charts = nullptr; ///< filled by the window
    QMenu* places = nullptr;
    QAction* logarithmic = nullptr;
    QAction* logarithmicX = nullptr;
    QAction* robust = nullptr;
    QAction* enlarge = nullptr;
    QAction* zoomBack = nullptr;
    QAction* zoomForward = nullptr;
    QAction* fit = nullptr;
    QAction* follow = nullptr;
    QAction* smoothMore = nullptr;
    QAction* smoothLess = nullptr;
    QActionGroup* axis = nullptr;     ///< data: XAxis as int
    QActionGroup* theme = nullptr;    ///< data: "system", "light", "dark"
    QActionGroup* language = nullptr; ///< data: code, or kSystemLanguage
    QAction* notifications = nullptr;
    QAction* tallBelow = nullptr;
    QAction* resetLayout = nullptr;
    QAction* fullScreen = nullptr;
    // Help
    QAction* userGuide = nullptr;
    QAction* shortcuts = nullptr;
    QAction* devices = nullptr;
    QAction* about = nullptr;
    QAction* aboutQt = nullptr;

private:
    struct Entry
    {
        std::variant<std::monostate, QAction**, QMenu**> made = {}; ///< neither: a separator
        QString text = {};
        QKeySequence keys = {};
        QString toolTip = {};
        std::optional<IconName> icon = {};
    };

    QAction* add(QMenu& menu, const QString& text, const QKeySequence& keys = {});
    void fill(QMenu& menu, const std::vector<Entry>& entries);
    /// One of them is chosen at a time; each has its value as data.
    QActionGroup* addChoices(QMenu& menu, const std::vector<std::pair<QString, QVariant>>& choices);
    void fillFileMenu(QMenu& menu);
    void fillRunMenu(QMenu& menu);
    void fillViewMenu(QMenu& menu);
    void fillHelpMenu(QMenu& menu);

    QList<QAction*> m_all;
    QAction* m_toolSeparator = nullptr;
};

} // namespace lockstep::ui
