// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts_panel.h"

#include "bridge/live_run.h"
#include "plots/accuracy_plot.h"
#include "plots/last_vs_mean_plot.h"
#include "plots/loss_plot.h"
#include "plots/throughput_plot.h"
#include "theme/icons.h"
#include "widgets/wheel_guard.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QSplitter>
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

/// Shares of the height: the loss is what a person looks at.
const QList<int>& heights()
{
    static const QList<int> list{300, 130, 130, 140};
    return list;
}

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

ChartsPanel::ChartsPanel(LiveRun& run, QWidget* parent)
    : QWidget(parent), m_run(run), m_splitter(new QSplitter(Qt::Vertical, this))
{
    setObjectName(QStringLiteral("charts"));
    makePlots();
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 2, 6, 4);
    layout->setSpacing(2);
    layout->addLayout(makeControls());
    layout->addWidget(m_splitter, 1);
    showSmoothing();

    connect(&run, &LiveRun::begun, this, &ChartsPanel::onRunBegun);
    connect(&run, &LiveRun::stepsAppended, this, &ChartsPanel::onDataChanged);
    connect(&run, &LiveRun::curvesChanged, this, &ChartsPanel::onDataChanged);
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(kShortestInterval);
    connect(&m_refresh, &QTimer::timeout, this, &ChartsPanel::refresh);
    connect(&m_range, &XRange::modeChanged, this, [this] {
        m_follow->setChecked(m_range.mode() == XRange::Mode::Follow);
    });
}

ChartsPanel::~ChartsPanel()
{
    // The run's curves may go before the charts do, which repaint no more.
    m_range.setTimeline(nullptr);
    qDeleteAll(m_plots); // they use the range
}

void ChartsPanel::makePlots()
{
    auto* const loss = new LossPlot(m_range);
    m_plots = {
        loss, new ThroughputPlot(m_range), new LastVsMeanPlot(m_range), new AccuracyPlot(m_range)};
    for (PlotView* const plot : m_plots) {
        m_splitter->addWidget(plot);
        m_splitter->setCollapsible(m_splitter->count() - 1, false);
    }
    m_splitter->setHandleWidth(6);
    resetHeights();
    connect(loss, &PlotView::logarithmicChanged, this, [this](bool isLogarithmic) {
        const QSignalBlocker blocker(m_logarithm);
        m_logarithm->setChecked(isLogarithmic);
        emit logarithmicChanged(isLogarithmic);
    });
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
        m_range.setAxis(static_cast<XAxis>(m_axis->itemData(row).toInt()));
    });
    connect(&m_range, &XRange::axisChanged, this, [this] {
        m_axis->setCurrentIndex(m_axis->findData(static_cast<int>(m_range.axis())));
    });

    m_logarithm = flatButton(
        IconName::LogScale, tr("Log"), tr("Logarithmic y axis of the loss (L in the chart)"));
    m_logarithm->setCheckable(true);
    connect(m_logarithm, &QToolButton::toggled, this, &ChartsPanel::setLogarithmic);
    auto* const fit = flatButton(IconName::Fit, tr("Fit"), tr("Show the whole run (Home)"));
    connect(fit, &QToolButton::clicked, &m_range, &XRange::fit);
    m_follow = flatButton(
        IconName::Follow, tr("Follow"), tr("Keep the zoom and move with the newest step (End)"));
    m_follow->setCheckable(true);
    connect(m_follow, &QToolButton::clicked, this, [this](bool isOn) {
        isOn ? m_range.follow() : m_range.fit();
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
    return m_plots.front()->isLogarithmic();
}

void ChartsPanel::setLogarithmic(bool isLogarithmic)
{
    m_plots.front()->setLogarithmic(isLogarithmic);
}

void ChartsPanel::setSmoothing(int hundredths)
{
    m_run.setSmoothing(hundredths / 100.0);
    showSmoothing();
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
    m_range.setAxis(axis);
}

QByteArray ChartsPanel::saveState() const
{
    return m_splitter->saveState();
}

void ChartsPanel::restoreState(const QByteArray& state)
{
    m_splitter->restoreState(state);
}

void ChartsPanel::resetHeights()
{
    m_splitter->setSizes(heights());
    for (int i = 0; i < m_splitter->count(); ++i) {
        m_splitter->setStretchFactor(i, heights()[i]);
    }
}

void ChartsPanel::setEmptyText(const QString& text)
{
    m_plots.front()->setEmptyText(text);
}

void ChartsPanel::onRunBegun()
{
    m_range.setTimeline(m_run.series() ? &m_run.series()->steps().timeline() : nullptr);
    for (PlotView* const plot : m_plots) {
        plot->setRun(m_run.series());
    }
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
    m_range.dataChanged();
    for (PlotView* const plot : m_plots) {
        plot->dataChanged();
        plot->repaint();
    }
    const std::chrono::nanoseconds cost(clock.nsecsElapsed());
    m_refresh.setInterval(
        std::chrono::duration_cast<std::chrono::milliseconds>(std::clamp<std::chrono::nanoseconds>(
            cost * kFramesOfRest, kShortestInterval, kLongestInterval)));
}

} // namespace lockstep::ui
