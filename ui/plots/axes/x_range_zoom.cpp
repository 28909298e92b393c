// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does with the part of the run that is shown.
#include "plots/axes/x_range.h"

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr std::size_t kMost = 50;
constexpr qint64 kMillisecondsOfOneGesture = 800;

} // namespace

void XRange::fit()
{
    if (m_view.mode == Mode::Fit && m_view.yRanges.empty()) {
        return;
    }
    leaveView();
    show({Mode::Fit, m_view.first, m_view.last, {}});
}

void XRange::follow()
{
    if (m_view.mode != Mode::Follow) {
        leaveView();
    }
    setMode(Mode::Follow);
    dataChanged();
}

void XRange::zoomTo(double first, double last, const QObject* chart, YRange values)
{
    leaveView();
    if (chart != nullptr) {
        m_view.yRanges[chart] = values;
    }
    applyFixed({first, last});
    emit rangeChanged(); // the values, too
}

void XRange::zoomValues(const QObject& chart, YRange values, bool isGoingOn)
{
    leaveView(isGoingOn);
    m_view.yRanges[&chart] = values;
    emit rangeChanged();
}

void XRange::zoom(double factor, double anchor)
{
    dataChanged(); // rows may have come since the last frame
    const AxisTransform& x = m_transform;
    const Range whole = wholeRange();
    const double width = x.toLength(m_view.last) - x.toLength(m_view.first);
    if (width * factor >= x.toLength(whole.last) - x.toLength(whole.first)) {
        fit(); // there is nothing beside it
        return;
    }
    leaveView(true);
    const double at = x.toLength(anchor);
    applyFixed(
        {x.toPosition(at - (at - x.toLength(m_view.first)) * factor),
         x.toPosition(at + (x.toLength(m_view.last) - at) * factor)});
}

void XRange::pan(double share)
{
    leaveView(true);
    const double first = m_transform.toLength(m_view.first);
    const double last = m_transform.toLength(m_view.last);
    const double distance = share * (last - first);
    applyFixed({m_transform.toPosition(first + distance), m_transform.toPosition(last + distance)});
}

/// For a new one; nothing lies ahead any more. Turns of a wheel that follow each other closely
/// (`isGoingOn`) are one step back.
void XRange::leaveView(bool isGoingOn)
{
    const bool isSameGesture =
        isGoingOn && m_sinceTurn.isValid() && !m_sinceTurn.hasExpired(kMillisecondsOfOneGesture);
    isGoingOn ? m_sinceTurn.start() : m_sinceTurn.invalidate();
    m_forward.clear();
    if (!isSameGesture) {
        m_back.push_back(m_view);
    }
    if (m_back.size() > kMost) {
        m_back.erase(m_back.begin());
    }
    emit historyChanged();
}

void XRange::go(std::vector<View>& from, std::vector<View>& to)
{
    m_sinceTurn.invalidate();
    if (!from.empty()) {
        to.push_back(m_view);
        const View view = from.back();
        from.pop_back();
        show(view);
    }
}

void XRange::forgetViews()
{
    m_back.clear();
    m_forward.clear();
    m_sinceTurn.invalidate();
    emit historyChanged();
}

void XRange::show(const View& view)
{
    m_view.yRanges = view.yRanges;
    setMode(view.mode);
    if (view.mode == Mode::Fixed) {
        setRange({view.first, view.last});
    } else {
        m_view.first = view.first; // of which Follow keeps the width
        m_view.last = view.last;
        dataChanged();
    }
    emit rangeChanged(); // the values, too
    emit historyChanged();
}

/// Some of the run always stays in sight, and it never gets smaller than half the area.
void XRange::applyFixed(Range range)
{
    const AxisTransform& x = m_transform;
    const Range whole = wholeRange();
    const double begin = x.toLength(whole.first);
    const double end = x.toLength(whole.last);
    const double first =
        x.toLength(std::max(range.first, isLogarithmic() ? whole.first : range.first));
    const double last =
        x.toLength(std::max(range.last, isLogarithmic() ? whole.first : range.last));
    const double least = x.toLength(x.toPosition(first) + leastWidth()) - first;
    const double width =
        std::clamp(last - first, std::min(least, end - begin), 2.0 * (end - begin));
    const double centre = std::clamp(0.5 * (first + last), begin, end);
    setMode(Mode::Fixed);
    setRange({x.toPosition(centre - 0.5 * width), x.toPosition(centre + 0.5 * width)});
}

} // namespace lockstep::ui
