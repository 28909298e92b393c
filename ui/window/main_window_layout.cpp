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
#include "panels/towers/tower_panel.h"
#include "widgets/bars/message_bar.h"
#include "widgets/bars/progress_readout.h"
#include "widgets/forms/still_box.h"
#include "window/base/window_actions.h"
#include "window/experiment_line.h"
#include "window/main_window.h"
#include "window/status_line.h"

#include <QDockWidget>
#include <QMenu>
#include <QResizeEvent>
#include <QScreen>
#include <QStatusBar>
#include <QStyle>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr QSize kFirstSize(1440, 900);
constexpr int kLogHeight = 160;
/// Of the window's width: what the towers may take by themselves. The rest is the charts'.
constexpr double kMostOfTowers = 0.4;
/// Of its height: what the log may take where room is short, and what needs more than that.
constexpr double kMostOfLog = 0.2;
constexpr double kMostOfTall = 0.3;

/// What the desktop will put around a window, which it tells only once it is shown.
QSize frameOf(const QWidget& window)
{
    const QStyle* const style = window.style();
    const int border = style->pixelMetric(QStyle::PM_MdiSubWindowFrameWidth, nullptr, &window);
    const int title = style->pixelMetric(QStyle::PM_TitleBarHeight, nullptr, &window);
    return {2 * border, title + 2 * border};
}

} // namespace

void MainWindow::makeCentre()
{
    m_charts = new ChartsPanel(m_run, m_overlays);
    auto* const centre = new QWidget(this);
    auto* const layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_messages);
    layout->addWidget(new ExperimentLine(m_run, centre));
    layout->addWidget(m_charts, 1);
    setCentralWidget(centre);
}

void MainWindow::makeDocks()
{
    setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    addDock(QStringLiteral("run"), tr("Run"), m_runPanel, Qt::LeftDockWidgetArea);
    m_actions->addPlace(tr("&Charts"));
    QDockWidget* const towers =
        addDock(QStringLiteral("towers"), tr("Towers"), m_towerPanel, Qt::RightDockWidgetArea);
    QDockWidget* const log =
        addDock(QStringLiteral("log"), tr("Log"), m_logPanel, Qt::BottomDockWidgetArea);
    QDockWidget* const preview = addDock(
        QStringLiteral("preview"), tr("Data Preview"), m_previewPanel, Qt::BottomDockWidgetArea);
    QDockWidget* const checkpoints = addDock(
        QStringLiteral("checkpoints"), tr("Checkpoints"), m_checkpointPanel,
        Qt::BottomDockWidgetArea);
    QDockWidget* const runs =
        addDock(QStringLiteral("runs"), tr("Runs"), m_runsPanel, Qt::BottomDockWidgetArea);
    QDockWidget* const barrier = addDock(
        QStringLiteral("barrier"), tr("Barrier Clock"), m_barrierPanel, Qt::RightDockWidgetArea);
    tabifyDockWidget(towers, barrier);
    towers->raise();
    QDockWidget* const gradients = addDock(
        QStringLiteral("gradients"), tr("Gradients"), m_gradientPanel, Qt::BottomDockWidgetArea);
    tabifyDockWidget(log, preview);
    connect(preview, &QDockWidget::visibilityChanged, this, [this](bool isVisible) {
        m_previewPanel->setInSight(isVisible);
        if (isVisible) {
            heighten(*m_previewPanel);
        }
    });
    tabifyDockWidget(preview, checkpoints);
    tabifyDockWidget(checkpoints, runs);
    tabifyDockWidget(runs, gradients);
    connect(gradients, &QDockWidget::visibilityChanged, this, [this](bool isVisible) {
        m_gradientPanel->setInSight(isVisible);
        if (isVisible) {
            heighten(*m_gradientPanel);
        }
    });
    QDockWidget* const weights =
        addDock(QStringLiteral("weights"), tr("Weights"), m_weightsPanel, Qt::BottomDockWidgetArea);
    tabifyDockWidget(gradients, weights);
    connect(weights, &QDockWidget::visibilityChanged, this, [this](bool isVisible) {
        m_weightsPanel->setInSight(isVisible);
        if (isVisible) {
            heighten(*m_weightsPanel);
        }
    });
    QDockWidget* const devices =
        addDock(QStringLiteral("devices"), tr("Devices"), m_devicesPanel, Qt::BottomDockWidgetArea);
    tabifyDockWidget(weights, devices);
    connect(devices, &QDockWidget::visibilityChanged, m_devicesPanel, &DevicesPanel::setInSight);
    QDockWidget* const masks =
        addDock(QStringLiteral("masks"), tr("Masks"), m_masksPanel, Qt::BottomDockWidgetArea);
    tabifyDockWidget(devices, masks);
    connect(masks, &QDockWidget::visibilityChanged, this, [this](bool isVisible) {
        m_masksPanel->setInSight(isVisible);
        if (isVisible) {
            heighten(*m_masksPanel);
        }
    });
    QDockWidget* const evaluation = addDock(
        QStringLiteral("evaluation"), tr("Evaluation"), m_evaluationPanel,
        Qt::BottomDockWidgetArea);
    tabifyDockWidget(masks, evaluation);
    connect(evaluation, &QDockWidget::visibilityChanged, this, [this](bool isVisible) {
        m_evaluationPanel->setInSight(isVisible);
        if (isVisible) {
            heighten(*m_evaluationPanel);
        }
    });
    log->raise();
    connect(this, &QMainWindow::tabifiedDockWidgetActivated, this, [this](QDockWidget* dock) {
        if (isActiveWindow()) { // a person chose it: not while a layout is restored
            goTo(*dock->widget());
        }
    });
    levelBottomDocks();
    // Until they were tabs the docks stood side by side, and the window was given room for that.
    layout()->invalidate();
    layout()->activate();
    resize(kFirstSize.boundedTo(screen()->availableSize() - frameOf(*this)));
    resizeDocks({log}, {std::min(kLogHeight, height() / 6)}, Qt::Vertical);
    m_firstLayout = saveState();
}

/// All those below are as high as the one that needs most, or the tabs would jump under the hand
/// that goes from one to the next.
void MainWindow::levelBottomDocks()
{
    int height = 0;
    QList<QWidget*> contents;
    for (QDockWidget* const dock : findChildren<QDockWidget*>()) {
        if (dockWidgetArea(dock) == Qt::BottomDockWidgetArea) {
            contents.append(dock->widget());
            height = std::max(height, dock->widget()->minimumSizeHint().height());
        }
    }
    for (QWidget* const content : contents) {
        content->setMinimumHeight(height);
    }
}

QDockWidget* MainWindow::addDock(
    const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area)
{
    auto* const dock = new QDockWidget(title, this);
    dock->setObjectName(name + QStringLiteral("_dock"));
    dock->setWidget(content);
    addDockWidget(area, dock);
    m_actions->docks->addAction(dock->toggleViewAction());
    connect(
        m_actions->addPlace(title), &QAction::triggered, this, [this, content] { goTo(*content); });
    return dock;
}

/// Brings a panel to the front and puts the keyboard into it.
void MainWindow::goTo(QWidget& widget)
{
    for (QWidget* parent = &widget; parent != nullptr; parent = parent->parentWidget()) {
        if (auto* const dock = qobject_cast<QDockWidget*>(parent)) {
            dock->show();
            dock->raise();
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

void MainWindow::makeBars()
{
    QToolBar* const bar = m_actions->makeToolBar(*this);
    auto* const space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    m_progress = new ProgressReadout(bar);
    bar->addWidget(new StillBox(m_progress, StillBox::Width::Grows, bar));
    m_status = new StatusLine(m_controller, m_run, *statusBar(), *m_progress);
}

void MainWindow::resetLayout()
{
    restoreState(m_firstLayout);
    m_charts->resetHeights();
}

/// Makes room for what the towers' devices tell. Where it is short they have to be scrolled to.
void MainWindow::widenTowers()
{
    auto* const dock = qobject_cast<QDockWidget*>(m_towerPanel->parentWidget());
    const int frame = dock->width() - m_towerPanel->width();
    const int wanted = m_towerPanel->sizeHint().width() + frame;
    const int most = static_cast<int>(kMostOfTowers * width());
    if (!dock->isFloating() && dock->width() < std::min(wanted, most)) {
        resizeDocks({dock}, {std::min(wanted, most)}, Qt::Horizontal);
    }
}

/// Some need more room than the log that stood in their place. Once: a person may like it lower.
void MainWindow::heighten(const QWidget& panel)
{
    auto* const dock = qobject_cast<QDockWidget*>(panel.parentWidget());
    if (m_isHeightened || dock->isFloating() || dockWidgetArea(dock) != Qt::BottomDockWidgetArea) {
        return;
    }
    const int wanted = panel.sizeHint().height() + dock->height() - panel.height();
    const int most = static_cast<int>(kMostOfTall * height());
    m_isHeightened = wanted <= most;
    if (dock->height() < std::min(wanted, most)) {
        resizeDocks({dock}, {std::min(wanted, most)}, Qt::Vertical);
    }
}

/// Where room gets short, it is what lies below that gives way, not the charts.
void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if (event->size().height() >= event->oldSize().height()) {
        return;
    }
    for (QDockWidget* const dock : findChildren<QDockWidget*>()) {
        const bool isTall = m_previewPanel->isInSight() || m_runsPanel->isInSight()
                            || m_gradientPanel->isInSight() || m_weightsPanel->isInSight()
                            || m_masksPanel->isInSight() || m_evaluationPanel->isInSight();
        const double share = isTall ? kMostOfTall : kMostOfLog;
        const int most = static_cast<int>(share * height());
        if (dockWidgetArea(dock) == Qt::BottomDockWidgetArea && dock->height() > most) {
            resizeDocks({dock}, {most}, Qt::Vertical);
        }
    }
}

} // namespace lockstep::ui
