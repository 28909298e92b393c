// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts_panel.h"

#include "bridge/file_names.h"
#include "bridge/live_run.h"
#include "bridge/overlay_runs.h"
#include "panels/chart_stack.h"
#include "plots/plot_view.h"
#include "theme/icons.h"
#include "widgets/wheel_guard.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace lockstep::ui {
namespace {

/// Times between frames: the cost of one, so many times over, within these bounds.
constexpr int kFramesOfRest = 16;
constexpr std::chrono::milliseconds kShortestInterval(33);
constexpr std::chrono::milliseconds kLongestInterval(500);

constexpr int kLeastSlider = 44;
constexpr int kMostSlider = 140;

QToolButton* flatButton(IconName name, const QString& text, const QString& toolTip)
{
    auto* const button = new QToolButton;
    button->setIcon(icon(name));
    button->setText(text);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAutoRaise(true);
    button->setToolTip(toolTip);
    button->setAccessibleName(text);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace

ChartsPanel::ChartsPanel(LiveRun& run, OverlayRuns& overlays, QWidget* parent)
    : QWidget(parent), m_run(run), m_overlays(overlays), m_charts(new ChartStack(this))
{
    setObjectName(QStringLiteral("charts"));
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 2, 6, 4);
    layout->setSpacing(2);
    layout->addLayout(makeControls());
    layout->addWidget(m_charts, 1);
    showSmoothing();

    connect(&run, &LiveRun::begun, this, &ChartsPanel::onRunBegun);
    connect(&run, &LiveRun::stepsAppended, this, &ChartsPanel::onDataChanged);
    connect(&run, &LiveRun::curvesChanged, this, &ChartsPanel::onDataChanged);
    connect(&overlays, &OverlayRuns::changed, this, &ChartsPanel::showOverlays);
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(kShortestInterval);
    connect(&m_refresh, &QTimer::timeout, this, &ChartsPanel::refresh);
    connect(&range(), &XRange::modeChanged, this, [this] {
        m_follow->setChecked(range().mode() == XRange::Mode::Follow);
    });
    connect(plots().front(), &PlotView::logarithmicChanged, this, [this](bool isLogarithmic) {
        const QSignalBlocker blocker(m_logarithm);
        m_logarithm->setChecked(isLogarithmic);
        emit logarithmicChanged(isLogarithmic);
    });
}

XRange& ChartsPanel::range() const
{
    return m_charts->range();
}

const std::vector<PlotView*>& ChartsPanel::plots() const
{
    return m_charts->plots();
}

QLayout* ChartsPanel::makeControls()
{
    auto* const label = new QLabel(tr("Smoothing"));
    m_smoothing = new QSlider(Qt::Horizontal);
    m_smoothing->setRange(0, kMostSmoothing);
    m_smoothing->setMinimumWidth(kLeastSlider);
    m_smoothing->setMaximumWidth(kMostSlider);
    m_smoothing->setAccessibleName(tr("Smoothing"));
    const QString meaning =
        tr("Weight of the debiased exponential moving average that draws the lines;\n"
           "the values as they are stay visible behind it.");
    m_smoothing->setToolTip(meaning);
    new WheelGuard(m_smoothing);
    label->setBuddy(m_smoothing);
    m_smoothingText = new QLabel;
    m_smoothingText->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0.000")));
    connect(m_smoothing, &QSlider::valueChanged, this, &ChartsPanel::setSmoothing);

    auto* const axisLabel = new QLabel(tr("&X axis"));
    m_axis = new QComboBox;
    m_axis->addItem(tr("Step"), QVariant::fromValue(static_cast<int>(XAxis::Step)));
    m_axis->addItem(tr("Epoch"), QVariant::fromValue(static_cast<int>(XAxis::Epoch)));
    m_axis->addItem(tr("Training time"), QVariant::fromValue(static_cast<int>(XAxis::WallTime)));
    m_axis->setAccessibleName(tr("X axis of all charts"));
    m_axis->setToolTip(tr("What the x axis of all charts counts"));
    new WheelGuard(m_axis);
    axisLabel->setBuddy(m_axis);
    connect(m_axis, &QComboBox::activated, this, [this](int row) {
        range().setAxis(static_cast<XAxis>(m_axis->itemData(row).toInt()));
    });
    connect(&range(), &XRange::axisChanged, this, [this] {
        m_axis->setCurrentIndex(m_axis->findData(static_cast<int>(range().axis())));
    });

    m_logarithm = flatButton(
        IconName::LogScale, tr("Log"), tr("Logarithmic y axis of the loss (L in the chart)"));
    m_logarithm->setCheckable(true);
    connect(m_logarithm, &QToolButton::toggled, this, &ChartsPanel::setLogarithmic);
    auto* const fit = flatButton(IconName::Fit, tr("Fit"), tr("Show the whole run (Home)"));
    connect(fit, &QToolButton::clicked, &range(), &XRange::fit);
    m_follow = flatButton(
        IconName::Follow, tr("Follow"), tr("Keep the zoom and move with the newest step (End)"));
    m_follow->setCheckable(true);
    connect(m_follow, &QToolButton::clicked, this, [this](bool isOn) {
        isOn ? range().follow() : range().fit();
    });

    auto* const row = new QHBoxLayout;
    row->setContentsMargins(4, 0, 4, 0);
    for (QWidget* const widget :
         std::initializer_list<QWidget*>{label, m_smoothing, m_smoothingText, axisLabel, m_axis}) {
        row->addWidget(widget);
    }
    row->addStretch(1);
    for (QWidget* const widget : {m_logarithm, fit, m_follow}) {
        row->addWidget(widget);
    }
    return row;
}

bool ChartsPanel::isLogarithmic() const
{
    return plots().front()->isLogarithmic();
}

void ChartsPanel::setLogarithmic(bool isLogarithmic)
{
    plots().front()->setLogarithmic(isLogarithmic);
}

void ChartsPanel::setSmoothing(int hundredths)
{
    m_run.setSmoothing(hundredths / 100.0);
    m_overlays.setSmoothing(m_run.smoothing());
    showSmoothing();
    onDataChanged();
    emit smoothingChanged(hundredths);
}

void ChartsPanel::showSmoothing()
{
    const QSignalBlocker blocker(m_smoothing);
    m_smoothing->setValue(qRound(m_run.smoothing() * 100.0));
    m_smoothingText->setText(QLocale().toString(m_run.smoothing(), 'f', 2));
}

void ChartsPanel::setAxis(XAxis axis)
{
    range().setAxis(axis);
}

QByteArray ChartsPanel::saveState() const
{
    return m_charts->saveState();
}

void ChartsPanel::restoreState(const QByteArray& state)
{
    m_charts->restoreState(state);
}

void ChartsPanel::resetHeights()
{
    m_charts->resetHeights();
}

void ChartsPanel::setChecklist(std::vector<ChecklistLine> lines)
{
    plots().front()->setChecklist(std::move(lines));
}

void ChartsPanel::setEmptyText(const QString& text)
{
    plots().front()->setEmptyText(text);
}

void ChartsPanel::onRunBegun()
{
    m_charts->setRun(m_run.series());
    showOverlays();
}

/// The run that is shown is not laid over itself.
void ChartsPanel::showOverlays()
{
    std::vector<PlotOverlay> shown;
    for (const OverlayRuns::Overlay& overlay : m_overlays.overlays()) {
        if (overlay.series && toPath(overlay.folder) != m_run.folder()) {
            shown.push_back({overlay.name, overlay.color, overlay.series.get()});
        }
    }
    m_charts->setOverlays(shown);
}

void ChartsPanel::onDataChanged()
{
    if (!m_refresh.isActive()) {
        m_refresh.start();
    }
}

/// The towers may need every processor: painting takes its turn only as often as it stays a small
/// share of one.
void ChartsPanel::refresh()
{
    QElapsedTimer clock;
    clock.start();
    m_charts->repaintData();
    const std::chrono::nanoseconds cost(clock.nsecsElapsed());
    m_refresh.setInterval(
        std::chrono::duration_cast<std::chrono::milliseconds>(std::clamp<std::chrono::nanoseconds>(
            cost * kFramesOfRest, kShortestInterval, kLongestInterval)));
}

} // namespace lockstep::ui
