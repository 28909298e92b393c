// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/axes/x_range.h"

#include "plots/axes/ticks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lockstep::ui {
namespace {

/// A fitted range ends on a multiple of a twentieth of it, or so.
constexpr int kFitSteps = 25;
constexpr int kFewestStepsShown = 4;
/// A run that was resumed late does not show the empty time before it.
constexpr double kLateStart = 0.3;
/// The same on a logarithmic axis, where ends lie this many to a decade.
constexpr double kFitStepsPerDecade = 25.0;
constexpr double kLeastEmptyRange = 100.0;

} // namespace

void XRange::setTimeline(const Timeline* timeline)
{
    m_timeline = timeline;
    m_view.yRanges.clear();
    forgetViews();
    m_crossHair.setRow(std::nullopt);
    setMode(Mode::Fit);
    dataChanged();
}

void XRange::setOthers(std::vector<const Timeline*> timelines)
{
    m_others = std::move(timelines);
    dataChanged();
}

void XRange::forget()
{
    m_timeline = nullptr;
    m_others.clear();
}

void XRange::dataChanged()
{
    findAxes();
    if (m_view.mode == Mode::Fit) {
        setRange(wholeRange());
    } else if (m_view.mode == Mode::Follow && !isEmpty()) {
        const double newest = timeline()->positionAt(m_axis, timeline()->size() - 1);
        const double width = m_transform.toLength(m_view.last) - m_transform.toLength(m_view.first);
        setRange({m_transform.toPosition(m_transform.toLength(newest) - width), newest});
    }
}

void XRange::findAxes()
{
    const std::vector<XAxis> axes = axesOf(*this);
    if (std::exchange(m_axes, axes) != axes) {
        emit axesChanged();
    }
    if (std::ranges::find(axes, m_axis) == axes.end()) {
        setAxis(XAxis::Step);
    }
}

void XRange::setAxis(XAxis axis)
{
    if (axis == m_axis) {
        return;
    }
    Range range{m_view.first, m_view.last};
    if (!isEmpty()) {
        const std::int64_t lastRow = timeline()->size() - 1;
        range.first = timeline()->positionAt(
            axis, std::min(lastRow, timeline()->firstRowFrom(m_axis, m_view.first)));
        range.last = timeline()->positionAt(
            axis, std::min(lastRow, timeline()->firstRowFrom(m_axis, m_view.last)));
    }
    m_axis = axis;
    forgetViews(); // their places are those of the other axis
    setRange(m_view.mode == Mode::Fit || isEmpty() ? wholeRange() : range);
    emit axisChanged();
}

void XRange::setLogarithmic(bool isLogarithmic)
{
    if (isLogarithmic == m_transform.isLogarithmic) {
        return;
    }
    m_transform.isLogarithmic = isLogarithmic;
    setRange(
        m_view.mode == Mode::Fit || isEmpty() ? wholeRange() : Range{m_view.first, m_view.last});
    emit axisChanged();
}

void XRange::setRobust(bool isRobust)
{
    if (isRobust != m_isRobust) {
        m_isRobust = isRobust;
        emit robustChanged();
    }
}

std::optional<XRange::YRange> XRange::yRange(const QObject& chart) const
{
    const auto found = m_view.yRanges.find(&chart);
    return found == m_view.yRanges.end() ? std::nullopt : std::optional(found->second);
}

/// Those that have rows, the run's own first.
std::vector<const Timeline*> XRange::shownTimelines() const
{
    std::vector<const Timeline*> timelines = m_others;
    timelines.insert(timelines.begin(), m_timeline);
    std::erase_if(timelines, [](const Timeline* timeline) {
        return timeline == nullptr || timeline->size() == 0;
    });
    return timelines;
}

const Timeline* XRange::timeline() const
{
    const std::vector<const Timeline*> timelines = shownTimelines();
    return timelines.empty() ? nullptr : timelines.front();
}

XRange::Range XRange::wholeRange() const
{
    const std::vector<const Timeline*> timelines = shownTimelines();
    if (timelines.empty()) {
        const double last = m_axis == XAxis::Epoch ? 1.0 : kLeastEmptyRange;
        return {isLogarithmic() ? last / kLeastEmptyRange : 0.0, last};
    }
    double oldest = std::numeric_limits<double>::infinity();
    double newest = 0.0;
    for (const Timeline* const each : timelines) {
        oldest = std::min(oldest, each->positionAt(m_axis, 0));
        newest = std::max(newest, each->positionAt(m_axis, each->size() - 1));
    }
    if (isLogarithmic()) {
        const double end = std::log10(std::max(newest, 2.0 * leastPositive()));
        return {
            leastPositive(),
            std::pow(10.0, std::ceil(end * kFitStepsPerDecade) / kFitStepsPerDecade)};
    }
    const double first = oldest > kLateStart * newest ? oldest : 0.0;
    const double width = std::max(newest - first, leastWidth());
    const double step = xTickStep(m_axis, width, kFitSteps);
    return {first, std::ceil((first + width) / step) * step};
}

/// Where a logarithmic axis begins: the first row that has a place on it.
double XRange::leastPositive() const
{
    double least = std::numeric_limits<double>::infinity();
    for (const Timeline* const each : shownTimelines()) {
        const std::int64_t row =
            each->firstRowFrom(m_axis, std::numeric_limits<double>::denorm_min());
        if (row < each->size()) {
            least = std::min(least, each->positionAt(m_axis, row));
        }
    }
    return std::isfinite(least) ? least : 1.0;
}

/// As wide as a few steps are: there is nothing to see between them.
double XRange::leastWidth() const
{
    if (m_axis == XAxis::Step || isEmpty()) {
        return kFewestStepsShown;
    }
    const std::int64_t newest = timeline()->size() - 1;
    const double perStep = timeline()->positionAt(m_axis, newest)
                           / static_cast<double>(timeline()->stepAt(newest) + 1);
    return std::max(1e-6, kFewestStepsShown * perStep);
}

std::vector<XAxis> axesOf(const XRange& range)
{
    const Timeline* const timeline = range.timeline();
    std::vector<XAxis> axes(kXAxes.begin(), kXAxes.end());
    std::erase_if(axes, [&](XAxis axis) { return timeline != nullptr && !timeline->knows(axis); });
    return axes;
}

double positionAfter(const XRange& range, std::int64_t updates)
{
    const Timeline* const timeline = range.timeline();
    if (range.axis() == XAxis::Step || timeline == nullptr) {
        return static_cast<double>(updates);
    }
    const double lastStep = static_cast<double>(updates) - 1.0;
    return timeline->positionAt(range.axis(), timeline->nearestRow(XAxis::Step, lastStep));
}

void XRange::setMode(Mode mode)
{
    if (mode != m_view.mode) {
        m_view.mode = mode;
        emit modeChanged();
    }
}

void XRange::setRange(Range range)
{
    if (isLogarithmic()) {
        range.first = std::max(range.first, leastPositive());
    }
    if (range.last - range.first < leastWidth()) {
        range.last = range.first + leastWidth();
    }
    if (range.first != m_view.first || range.last != m_view.last) {
        m_view.first = range.first;
        m_view.last = range.last;
        emit rangeChanged();
    }
}

std::optional<Moment> CrossHair::moment() const
{
    const Timeline* const timeline = m_range.timeline();
    const bool isThere = m_row && timeline != nullptr && *m_row < timeline->size();
    return isThere ? std::optional(timeline->momentAt(*m_row)) : std::nullopt;
}

void CrossHair::setRow(std::optional<std::int64_t> row)
{
    if (row != m_row) {
        m_row = row;
        m_reader = row ? m_reader : nullptr;
        emit changed();
    }
}

void CrossHair::setReader(const QObject* chart)
{
    if (chart != std::exchange(m_reader, chart) && m_row) {
        emit changed();
    }
}

void CrossHair::setAt(double position)
{
    if (const Timeline* const timeline = m_range.timeline()) {
        setRow(timeline->nearestRow(m_range.axis(), position));
    }
}

void CrossHair::move(std::int64_t rows)
{
    if (const Timeline* const timeline = m_range.timeline()) {
        const std::int64_t newest = timeline->size() - 1;
        setRow(m_row ? std::clamp<std::int64_t>(*m_row + rows, 0, newest) : newest);
    }
}

} // namespace lockstep::ui
