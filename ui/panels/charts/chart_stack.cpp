// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts/chart_stack.h"

#include "bridge/series/run_series.h"
#include "plots/charts/loss_plot.h"
#include "plots/charts/run_chart.h"

#include <QAction>
#include <QResizeEvent>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::ui {
namespace {

/// Heights of the stack below which a chart is folded unless a person wants it: the strips that
/// compare the last tower with the mean go first, of which the lights say what most want to know,
/// then the throughput, so that loss and accuracy can be read.
constexpr int kFoldBelow[] = {0, 420, 560, 820, 0, 900, 1000, 600};

constexpr int kLeaveOutBelow = 330;
constexpr int kHandleWidth = 6;

/// Whether the run has, or may have, what the chart shows.
bool isOf(std::size_t chart, const RunSeries* run)
{
    const bool isRecorded = run != nullptr && run->isRecorded();
    switch (chart) {
    case ChartPlaces::kAccuracy:
        return !isRecorded || run->hasAccuracy();
    case ChartPlaces::kTestLoss:
        return !isRecorded;
    case ChartPlaces::kAveragePrecision:
        return run != nullptr && run->isDetecting();
    default:
        return true;
    }
}

} // namespace

/// The loss has half of it. In the accuracy a percent can be seen.
ChartPlaces::ChartPlaces() : places{{470}, {90}, {90}, {110}, {190}, {110}, {90}, {110}} {}

QByteArray ChartPlaces::toText() const
{
    QByteArray text;
    for (const Place& place : places) {
        text += (text.isEmpty() ? "" : " ") + QByteArray::number(place.height)
                + static_cast<char>(place.choice);
    }
    return text;
}

void ChartPlaces::readText(const QByteArray& text)
{
    const QList<QByteArray> words = text.split(' ');
    std::vector<Place> read;
    for (const QByteArray& word : words) {
        bool isNumber = false;
        const int height = word.chopped(word.isEmpty() ? 0 : 1).toInt(&isNumber);
        const char choice = word.isEmpty() ? ' ' : word.back();
        if (isNumber && height > 0 && (choice == 'a' || choice == 'o' || choice == 'f')) {
            read.push_back({height, static_cast<Choice>(choice)});
        }
    }
    if (read.size() == places.size()) {
        places = read;
    }
}

bool ChartPlaces::isFolded(std::size_t chart, int heightOfAll) const
{
    const Choice choice = places[chart].choice;
    return chart > 0
           && (choice == Choice::Folded
               || (choice == Choice::Automatic && heightOfAll < kFoldBelow[chart]));
}

bool ChartPlaces::givesWay(std::size_t chart) const
{
    return isFolded(chart, 0) && places[chart].choice == Choice::Automatic;
}

bool ChartPlaces::mayBeLeftOut(std::size_t chart) const
{
    return chart >= kTestLoss && places[chart].choice == Choice::Automatic;
}

bool ChartPlaces::isLeftOut(std::size_t chart, int heightOfAll) const
{
    return mayBeLeftOut(chart) && heightOfAll < kLeaveOutBelow;
}

ChartStack::ChartStack(QWidget* parent)
    : QSplitter(Qt::Vertical, parent), m_loss(new LossPlot(m_range))
{
    addPlot(*m_loss, false);
    for (const auto specification :
         {throughputChart, biasChart, variationChart, accuracyChart, testLossChart,
          learningRateChart, averagePrecisionChart}) {
        addPlot(*new PlotView(m_range, specification()), true);
    }
    setHandleWidth(kHandleWidth);
    connect(this, &QSplitter::splitterMoved, this, &ChartStack::noteHeights);
    chooseShown(nullptr);
    arrange();
}

void ChartStack::addPlot(PlotView& plot, bool isFoldable)
{
    const std::size_t chart = m_plots.size();
    m_plots.push_back(&plot);
    addWidget(&plot);
    setCollapsible(count() - 1, false);
    setStretchFactor(count() - 1, m_places.places[chart].height);
    connect(&plot, &PlotView::maximizeRequested, this, [this, &plot] { toggleEnlarged(plot); });
    if (!isFoldable) {
        return;
    }
    plot.room().setFoldable(true);
    auto* const opening = new QAction(plot.accessibleName(), this);
    opening->setCheckable(true);
    m_openings.push_back(opening);
    connect(opening, &QAction::triggered, this, [this, chart](bool isOn) { setOpen(chart, isOn); });
    connect(&plot, &PlotView::foldRequested, this, [this, chart, &plot] {
        setOpen(chart, plot.room().isFolded());
    });
}

ChartStack::~ChartStack()
{
    m_range.forget(); // the curves may go before the charts do, which repaint no more
    // They use the range. As one goes, the others may be arranged anew.
    m_shown.clear();
    qDeleteAll(std::exchange(m_plots, {}));
}

void ChartStack::setRun(const RunSeries* run)
{
    m_run = run;
    m_range.setTimeline(run != nullptr ? &run->steps().timeline() : nullptr);
    for (PlotView* const plot : m_plots) {
        plot->setRun(run);
    }
    chooseShown(run);
    arrange();
    emit plotsChanged();
}

void ChartStack::chooseShown(const RunSeries* run)
{
    m_shown.clear();
    for (std::size_t chart = 0; chart < m_plots.size(); ++chart) {
        if (isOf(chart, run)) {
            m_shown.push_back(m_plots[chart]);
        } else if (m_enlarged == m_plots[chart]) {
            m_enlarged = nullptr;
        }
        if (chart > 0) {
            m_openings[chart - 1]->setText(m_plots[chart]->accessibleName());
            m_openings[chart - 1]->setVisible(isShown(*m_plots[chart]));
        }
    }
}

bool ChartStack::isShown(const PlotView& plot) const
{
    return std::ranges::find(m_shown, &plot) != m_shown.end();
}

void ChartStack::setOverlays(const std::vector<PlotOverlay>& overlays)
{
    std::vector<const Timeline*> timelines;
    timelines.reserve(overlays.size());
    for (const PlotOverlay& overlay : overlays) {
        timelines.push_back(&overlay.series->losses().timeline());
    }
    // The charts first: those of before may look at the range as it changes.
    for (PlotView* const plot : m_plots) {
        plot->setOverlays(overlays);
    }
    m_range.setOthers(std::move(timelines));
    m_overlays = overlays;
}

void ChartStack::showAs(const ChartStack& other, const PlotView* alone)
{
    setRun(other.m_run);
    setOverlays(other.m_overlays);
    m_range.setAxis(other.m_range.axis());
    m_range.setLogarithmic(other.m_range.isLogarithmic());
    m_range.setRobust(other.m_range.isRobust());
    if (other.m_range.mode() != XRange::Mode::Fit) {
        m_range.zoomTo(other.m_range.first(), other.m_range.last());
    }
    for (std::size_t chart = 0; chart < m_plots.size(); ++chart) {
        m_plots[chart]->showAs(*other.m_plots[chart]);
        m_plots[chart]->room().setFoldable(false);
        m_enlarged = other.m_plots[chart] == alone ? m_plots[chart] : m_enlarged;
    }
    setPlaces(other.m_places);
}

void ChartStack::repaintData()
{
    m_range.dataChanged();
    const std::size_t accuracy = ChartPlaces::kAccuracy;
    if (isShown(*m_plots[accuracy]) != isOf(accuracy, m_run)) { // it was not known before
        chooseShown(m_run);
        arrange();
        emit plotsChanged();
    }
    for (PlotView* const plot : m_plots) {
        plot->dataChanged();
    }
    repaint(); // all in one
}

void ChartStack::toggleEnlarged(PlotView& plot)
{
    m_enlarged = m_enlarged == nullptr ? &plot : nullptr;
    arrange();
    plot.setFocus(Qt::OtherFocusReason);
}

void ChartStack::setPlaces(const ChartPlaces& places)
{
    m_places = places;
    arrange();
}

/// Called when a person folds or unfolds a chart: a chart that is enlarged goes back first.
void ChartStack::setOpen(std::size_t chart, bool isOpen)
{
    using Choice = ChartPlaces::Choice;
    m_enlarged = nullptr;
    m_places.places[chart].choice = isOpen ? Choice::Open : Choice::Folded;
    arrange();
}

QSize ChartStack::minimumSizeHint() const
{
    QSize least = QSplitter::minimumSizeHint();
    for (std::size_t chart = 0; chart < m_plots.size(); ++chart) {
        const PlotView& plot = *m_plots[chart];
        if (plot.isHidden()) {
            continue;
        }
        if (!plot.room().isFolded() && m_places.givesWay(chart)) {
            least.rheight() -= plot.minimumSizeHint().height() - plot.room().foldedHeight();
        }
        if (m_places.mayBeLeftOut(chart)) {
            least.rheight() -= plot.room().foldedHeight() + handleWidth();
        }
    }
    return least;
}

void ChartStack::resizeEvent(QResizeEvent* event)
{
    QSplitter::resizeEvent(event);
    if (event->size().height() != event->oldSize().height()) {
        arrange();
    }
}

void ChartStack::arrange()
{
    for (std::size_t chart = 0; chart < m_plots.size(); ++chart) {
        PlotView* const plot = m_plots[chart];
        plot->room().setFolded(m_enlarged == nullptr && m_places.isFolded(chart, height()));
        const bool hasRoom =
            m_enlarged == nullptr ? !m_places.isLeftOut(chart, height()) : m_enlarged == plot;
        plot->setVisible(isShown(*plot) && hasRoom);
        if (chart > 0) {
            m_openings[chart - 1]->setChecked(!plot->room().isFolded());
        }
    }
    if (m_enlarged == nullptr) {
        QList<int> heights;
        std::ranges::transform(
            m_places.places, std::back_inserter(heights), &ChartPlaces::Place::height);
        setSizes(heights);
    }
    shareAxis();
}

/// By hand; a folded chart keeps what it had.
void ChartStack::noteHeights()
{
    const QList<int> sizes = this->sizes();
    int shown = 0;
    int known = 0;
    const auto isOpen = [this](std::size_t chart) {
        return isShown(*m_plots[chart]) && !m_plots[chart]->room().isFolded();
    };
    for (std::size_t chart = 0; chart < m_plots.size(); ++chart) {
        if (isOpen(chart)) {
            shown += sizes[static_cast<int>(chart)];
            known += m_places.places[chart].height;
        }
    }
    for (std::size_t chart = 0; chart < m_plots.size() && shown > 0; ++chart) {
        if (isOpen(chart)) {
            m_places.places[chart].height =
                std::max(1, sizes[static_cast<int>(chart)] * known / shown);
        }
    }
}

/// All share their x axis: low charts leave what stands on it to the highest and the lowest one.
void ChartStack::shareAxis()
{
    std::vector<PlotView*> shown = m_shown;
    std::erase_if(
        shown, [](const PlotView* plot) { return plot->isHidden() || plot->room().isFolded(); });
    for (PlotView* const plot : shown) {
        plot->room().setNeighbours(plot != shown.front(), plot != shown.back());
    }
}

} // namespace lockstep::ui
