// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of the window stand.
#include "panels/barrier/barrier_panel.h"
#include "panels/charts/charts_panel.h"
#include "panels/devices/devices_panel.h"
#include "panels/evaluation/evaluation_panel.h"
#include "panels/gradients/gradient_panel.h"
#include "panels/layers/weights_panel.h"
#include "panels/log/log_panel.h"
#include "panels/masks/masks_panel.h"
#include "panels/preview/preview_panel.h"
#include "panels/run_form/run_panel.h"
#include "panels/runs/checkpoint_panel.h"
#include "panels/runs/runs_panel.h"
#include "panels/start/start_page.h"
#include "panels/towers/tower_panel.h"
#include "widgets/bars/message_bar.h"
#include "widgets/forms/layouts.h"
#include "window/main_window.h"
#include "window/panel_dock.h"

#include <QDockWidget>
#include <QMenu>
#include <QMouseEvent>
#include <QResizeEvent>
#include <QScreen>
#include <QStatusBar>
#include <QStyle>
#include <QTabBar>

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr QSize kFirstSize(1440, 900);
constexpr int kLogHeight = 132; // five lines and the tabs
constexpr int kToldFor = 8000;  // milliseconds
/// Of the window's width: what the towers may take by themselves. The rest is the charts'.
constexpr double kMostOfTowers = 0.42;
/// Of its height: what lies below the charts may take where room is short.
constexpr double kMostBelow = 0.3;

/// From which on there is room for charts and a tall panel below them.
constexpr int kHighWindow = 720;

/// Docks for which five lines are too little.
constexpr std::array<QLatin1String, 5> kWantingRoom{
    QLatin1String("preview_dock"), QLatin1String("gradients_dock"), QLatin1String("weights_dock"),
    QLatin1String("masks_dock"), QLatin1String("evaluation_dock")};

/// What the desktop will put around a window, which it tells only once it is shown.
QSize frameOf(const QWidget& window)
{
    const QStyle* const style = window.style();
    const int border = style->pixelMetric(QStyle::PM_MdiSubWindowFrameWidth, nullptr, &window);
    const int title = style->pixelMetric(QStyle::PM_TitleBarHeight, nullptr, &window);
    return {2 * border, title + 2 * border};
}

/// Messages, each on a line of its own; below them the charts, and over those the start page while
/// it is wanted.
class Centre : public QWidget
{
public:
    Centre(MessageBar& messages, MessageBar& line, QWidget& start, QWidget& charts)
        : m_charts(charts), m_start(start)
    {
        columnIn(this, {}, 0, {&messages, &line, {&charts, 1}});
        m_start.setParent(this);
        charts.installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Resize || event->type() == QEvent::Move) {
            m_start.setGeometry(m_charts.geometry());
        }
        return QWidget::eventFilter(watched, event);
    }

private:
    QWidget& m_charts;
    QWidget& m_start;
};

} // namespace

/// The charts, and the docks around them.
void MainWindow::makePanels()
{
    m_charts = new ChartsPanel(m_run, m_overlays, m_highlight);
    m_startPage = new StartPage(m_summaries, *m_actions->start);
    setCentralWidget(new Centre(*m_messages, *m_lineBar, *m_startPage, *m_charts));
    setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    addDock("run", tr("Run"), *m_runPanel, Qt::LeftDockWidgetArea);
    m_actions->addPlace(tr("&Charts"));
    PanelDock* const towers =
        addDock("towers", tr("Towers"), *m_towerPanel, Qt::RightDockWidgetArea);
    PanelDock* const log = addDock("log", tr("Log"), *m_logPanel, Qt::BottomDockWidgetArea);
    addDock("preview", tr("Data Preview"), *m_previewPanel, Qt::BottomDockWidgetArea);
    addDock("checkpoints", tr("Checkpoints"), *m_checkpointPanel, Qt::BottomDockWidgetArea);
    addDock("runs", tr("Runs"), *m_runsPanel, Qt::BottomDockWidgetArea);
    PanelDock* const barrier =
        addDock("barrier", tr("Barrier Clock"), *new BarrierPanel(m_run), Qt::RightDockWidgetArea);
    addDock("gradients", tr("Gradients"), *new GradientPanel(m_run), Qt::BottomDockWidgetArea);
    addDock("weights", tr("Weights"), *new WeightsPanel(m_run), Qt::BottomDockWidgetArea);
    addDock("devices", tr("Devices"), *new DevicesPanel(m_run), Qt::BottomDockWidgetArea);
    addDock("masks", tr("Masks"), *new MasksPanel(m_controller, m_run), Qt::BottomDockWidgetArea);
    addDock("evaluation", tr("Evaluation"), *new EvaluationPanel(m_run), Qt::BottomDockWidgetArea);
    PanelDock* before = log;
    for (PanelDock* const dock : m_docks) {
        if (dock != log && dockWidgetArea(dock) == Qt::BottomDockWidgetArea) {
            tabifyDockWidget(std::exchange(before, dock), dock);
        }
    }
    log->raise();
    connect(this, &QMainWindow::tabifiedDockWidgetActivated, this, [this](QDockWidget* dock) {
        if (isActiveWindow()) { // a person chose it: not while a layout is restored
            goTo(static_cast<PanelDock*>(dock)->panel());
        }
    });
    findTabs();
    // Until they were tabs the docks stood side by side, and the window was given room for that.
    layout()->invalidate();
    layout()->activate();
    resize(kFirstSize.boundedTo(screen()->availableSize() - frameOf(*this)));
    setHeightBelow(std::min(kLogHeight, height() / 6));
    constexpr int kTowers = WindowSettings::kTowersHeight;
    resizeDocks({towers, barrier}, {kTowers, height() - kTowers}, Qt::Vertical);
    m_firstLayout = saveState();
}

/// A dock that is a tab needs no title.
void MainWindow::findTabs()
{
    for (PanelDock* const dock : m_docks) {
        const auto isOpen = [](const QDockWidget* other) {
            return other->toggleViewAction()->isChecked();
        };
        dock->setTabbed(std::ranges::any_of(tabifiedDockWidgets(dock), isOpen));
    }
    for (QTabBar* const bar : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        connect(
            bar, &QTabBar::tabBarDoubleClicked, this, &MainWindow::onTabDoubleClicked,
            Qt::UniqueConnection);
    }
}

void MainWindow::onTabDoubleClicked(int tab)
{
    const QString title = qobject_cast<QTabBar*>(sender())->tabText(tab);
    const auto isMeant = [&](PanelDock* dock) {
        return dock->windowTitle() == title && dockWidgetArea(dock) == Qt::BottomDockWidgetArea;
    };
    if (std::ranges::any_of(m_docks, isMeant)) {
        m_actions->tallBelow->trigger();
    }
}

PanelDock* MainWindow::addDock(
    const char* name, const QString& title, Panel& panel, Qt::DockWidgetArea area)
{
    const bool isBelow = area == Qt::BottomDockWidgetArea; // where room is given to the charts
    auto* const dock = new PanelDock(QString::fromLatin1(name), title, panel, isBelow, this);
    m_docks.push_back(dock);
    addDockWidget(area, dock);
    QAction* const toggle = dock->toggleViewAction();
    m_actions->docks->addAction(toggle);
    QAction* const place = m_actions->addPlace(title);
    connect(place, &QAction::triggered, this, [this, &panel] { goTo(panel); });
    connect(toggle, &QAction::visibleChanged, place, [place, toggle] {
        place->setVisible(toggle->isVisible());
    });
    // Once all that moves with it stands where it will.
    connect(dock, &PanelDock::moved, this, &MainWindow::findTabs, Qt::QueuedConnection);
    return dock;
}

/// Brings a panel to the front and puts the keyboard into it.
void MainWindow::goTo(QWidget& widget)
{
    for (QWidget* parent = &widget; parent != nullptr; parent = parent->parentWidget()) {
        if (auto* const dock = qobject_cast<QDockWidget*>(parent)) {
            dock->show();
            dock->raise();
            fitBelow(static_cast<PanelDock&>(*dock));
        }
    }
    QWidget* next = &widget;
    do {
        next = next->nextInFocusChain();
    } while (next != &widget
             && !(
                 widget.isAncestorOf(next) && next->isVisible() && next->isEnabled()
                 && (next->focusPolicy() & Qt::TabFocus)));
    next->setFocus(Qt::ShortcutFocusReason);
}

/// Those that are about a training of ours, or settings for one, are not there for a recorded run.
void MainWindow::fitDocks(bool isRecorded)
{
    for (const char* const name :
         {"run_dock", "preview_dock", "checkpoints_dock", "weights_dock", "masks_dock",
          "evaluation_dock"}) {
        findChild<PanelDock*>(QLatin1String(name))->setOffered(!isRecorded);
    }
}

void MainWindow::resetLayout()
{
    fitDocks(false);
    restoreState(m_firstLayout);
    fitDocks(m_run.isRecorded());
    m_settings.towersHeight.set(WindowSettings::kTowersHeight);
    m_actions->tallBelow->setChecked(false);
    m_isLowChosen = false;
    m_lowHeight.reset();
    m_charts->resetHeights();
}

/// By a person: what is tall by itself gets low.
void MainWindow::setTallBelow(bool isTall)
{
    isTall = isTall && !m_lowHeight;
    m_isLowChosen = !isTall;
    m_lowHeight.reset();
    m_actions->tallBelow->setChecked(isTall);
    setHeightBelow(isTall ? height() / 2 : kLogHeight);
}

/// Pictures and tables get half of the window while they are in front, unless a person has said
/// how tall the panels below are; then the others are as low as they were.
void MainWindow::fitBelow(PanelDock& dock)
{
    const bool isWantingRoom = std::ranges::count(kWantingRoom, dock.objectName()) > 0;
    if (m_actions->tallBelow->isChecked() || m_isLowChosen || dock.isFloating()
        || dockWidgetArea(&dock) != Qt::BottomDockWidgetArea
        || isWantingRoom == m_lowHeight.has_value()) {
        return;
    }
    if (m_lowHeight) {
        setHeightBelow(*std::exchange(m_lowHeight, std::nullopt));
        return;
    }
    m_lowHeight = dock.height();
    for (const QTabBar* const bar : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        const bool isIts =
            bar->isVisible() && bar->tabText(bar->currentIndex()) == dock.windowTitle();
        *m_lowHeight += isIts ? bar->height() : 0; // is resized with it
    }
    m_tallShare = 0.5;
    setHeightBelow(height() / 2);
    statusBar()->showMessage(
        tr("%1 has half of the window. Fewer lines: %2, or a double click on its tab.")
            .arg(
                dock.windowTitle(),
                m_actions->tallBelow->shortcut().toString(QKeySequence::NativeText)),
        kToldFor);
}

void MainWindow::setHeightBelow(int height)
{
    for (PanelDock* const dock : m_docks) {
        if (!dock->isFloating() && dockWidgetArea(dock) == Qt::BottomDockWidgetArea) {
            resizeDocks({dock}, {height}, Qt::Vertical);
        }
    }
}

/// With the tabs.
int MainWindow::heightBelow() const
{
    const int edge = style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, this);
    return statusBar()->y() - centralWidget()->y() - centralWidget()->height() - edge;
}

/// Makes room for what the towers' devices tell. Where it is short they have to be scrolled to.
void MainWindow::widenTowers()
{
    auto* const dock = qobject_cast<QDockWidget*>(m_towerPanel->parentWidget());
    const int frame = dock->width() - m_towerPanel->width();
    const int wanted = std::min(m_towerPanel->sizeHint().width() + frame, mostOfTowers(*dock));
    if (!dock->isFloating() && dock->width() < wanted) {
        resizeDocks({dock}, {wanted}, Qt::Horizontal);
    }
}

/// Where they stand above the clock: as high, or as high as what they say.
void MainWindow::fitTowers(int height)
{
    auto* const towers = qobject_cast<QDockWidget*>(m_towerPanel->parentWidget());
    auto* const clock = findChild<PanelDock*>(QStringLiteral("barrier_dock"));
    const auto isInPlace = [&](QDockWidget* dock) {
        return !dock->isHidden() && !dock->isFloating()
               && dockWidgetArea(dock) == Qt::RightDockWidgetArea
               && tabifiedDockWidgets(dock).isEmpty();
    };
    const int wanted = std::max(height, towers->minimumSizeHint().height());
    if (isInPlace(towers) && isInPlace(clock) && towers->x() == clock->x()
        && towers->height() != wanted) {
        const int rest = towers->height() + clock->height() - wanted;
        resizeDocks({towers, clock}, {wanted, std::max(rest, 1)}, Qt::Vertical);
    }
}

/// What the charts can do without.
int MainWindow::mostOfTowers(const QWidget& dock) const
{
    const int both = dock.width() + centralWidget()->width();
    return std::min(
        static_cast<int>(kMostOfTowers * width()),
        both - centralWidget()->minimumSizeHint().width());
}

/// However it came, by the window manager or as it was left, too.
void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange) {
        m_actions->fullScreen->setChecked(isFullScreen());
    }
}

/// A person who drags the edge of the towers' table chooses its height, and that of the panels
/// below while they are tall by themselves.
bool MainWindow::event(QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress) {
        m_isEdgeHeld = isSeparator(static_cast<QMouseEvent*>(event)->pos());
    }
    const bool isDone = QMainWindow::event(event);
    if (event->type() == QEvent::LayoutRequest) {
        fitTowers(m_towerPanel->parentWidget()->height()); // a sentence may have got longer
    }
    if (event->type() == QEvent::MouseButtonRelease && std::exchange(m_isEdgeHeld, false)) {
        m_settings.towersHeight.set(m_towerPanel->parentWidget()->height());
        m_tallShare = static_cast<double>(heightBelow()) / height();
    }
    return isDone;
}

/// Where room gets short, it is what lies below that gives way, not the charts; in the right column
/// it is the clock.
void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    auto* const towers = qobject_cast<QDockWidget*>(m_towerPanel->parentWidget());
    if (!towers->isFloating() && dockWidgetArea(towers) == Qt::RightDockWidgetArea
        && towers->width() > mostOfTowers(*towers)) {
        resizeDocks({towers}, {mostOfTowers(*towers)}, Qt::Horizontal);
    }
    fitTowers(m_settings.towersHeight());
    const int more = event->size().height() - event->oldSize().height();
    if (m_lowHeight && height() >= kHighWindow) { // what gave way comes back
        setHeightBelow(
            std::min(static_cast<int>(m_tallShare * height()), heightBelow() + std::max(more, 0)));
    }
    if (more >= 0) {
        return;
    }
    const int most = static_cast<int>(kMostBelow * height());
    const auto isTooTall = [&](PanelDock* dock) {
        return dockWidgetArea(dock) == Qt::BottomDockWidgetArea && dock->height() > most;
    };
    if (!m_actions->tallBelow->isChecked() && !m_lowHeight
        && std::ranges::any_of(m_docks, isTooTall)) {
        setHeightBelow(most);
    }
}

} // namespace lockstep::ui
