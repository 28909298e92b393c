// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does with the part of the run that is shown.
#include "plots/axes/x_range.h"

#include <algorithm>

namespace lockstep::ui {

void XRange::fit()
{
    if (m_mode == Mode::Fit && m_yRanges.empty()) {
        return;
    }
    leaveView();
    show({Mode::Fit, m_first, m_last, {}});
}

void XRange::follow()
{
    if (m_mode != Mode::Follow) {
        leaveView();
    }
    setMode(Mode::Follow);
    dataChanged();
}

void XRange::zoomTo(double first, double last, const QObject* chart, YRange values)
{
    leaveView();
    if (chart != nullptr) {
        m_yRanges[chart] = values;
    }
    applyFixed({first, last});
    emit rangeChanged(); // the values, too
}

void XRange::zoomValues(const QObject& chart, YRange values, bool isGoingOn)
{
    leaveView(isGoingOn);
    m_yRanges[&chart] = values;
    emit rangeChanged();
}

void XRange::zoom(double factor, double anchor)
{
    const AxisTransform& x = m_transform;
    const Range whole = wholeRange();
    const double width = x.toLength(m_last) - x.toLength(m_first);
    if (width * factor >= x.toLength(whole.last) - x.toLength(whole.first)) {
        fit(); // there is nothing beside it
        return;
    }
    leaveView(true);
    const double at = x.toLength(anchor);
    applyFixed(
        {x.toPosition(at - (at - x.toLength(m_first)) * factor),
         x.toPosition(at + (x.toLength(m_last) - at) * factor)});
}

void XRange::pan(double share)
{
    leaveView(true);
    const double first = m_transform.toLength(m_first);
    const double last = m_transform.toLength(m_last);
    const double distance = share * (last - first);
    applyFixed({m_transform.toPosition(first + distance), m_transform.toPosition(last + distance)});
}

void XRange::back()
{
    if (const auto view = m_history.back(this->view())) {
        show(*view);
    }
}

void XRange::forward()
{
    if (const auto view = m_history.forward(this->view())) {
        show(*view);
    }
}

void XRange::leaveView(bool isGoingOn)
{
    m_history.leave(view(), isGoingOn);
    emit historyChanged();
}

void XRange::show(const ZoomView& view)
{
    m_yRanges = view.yRanges;
    setMode(view.mode);
    if (view.mode == Mode::Fixed) {
        setRange({view.first, view.last});
    } else {
        m_first = view.first; // of which Follow keeps the width
        m_last = view.last;
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
