// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/rows/axis_marks.h"

#include "plots/axes/x_range.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

auto groupOf(const std::vector<MarkerGroup>& groups, std::optional<std::size_t> number)
{
    return std::ranges::find_if(groups, [&](const MarkerGroup& group) {
        return number && std::ranges::find(group.members, *number) != group.members.end();
    });
}

} // namespace

void AxisMarks::renew()
{
    m_marked.reset();
    emit changed();
}

std::optional<double> AxisMarks::pixelOf(const PlotScale& scale, std::int64_t updates) const
{
    const double x = scale.pixelX(positionAfter(m_range, updates));
    const bool isVisible = x >= scale.area.left() - 0.5 && x <= scale.area.right() + 0.5;
    return isVisible ? std::optional(x) : std::nullopt;
}

std::optional<MarkerGroup> AxisMarks::groupAt(const PlotScale& scale, QPointF point) const
{
    const double below = point.y() - (m_reach.isAtTop ? scale.area.top() : scale.area.bottom());
    if (below > m_reach.below || below < -m_reach.above) {
        return std::nullopt;
    }
    const auto distance = [&](const MarkerGroup& group) { return std::abs(group.x - point.x()); };
    const std::vector<MarkerGroup> all = groups(scale);
    const auto nearest = std::ranges::min_element(all, {}, distance);
    return nearest == all.end() || distance(*nearest) > m_reach.beside ? std::nullopt
                                                                       : std::optional(*nearest);
}

void AxisMarks::mark(std::optional<std::size_t> number)
{
    if (number != m_marked) {
        m_marked = number;
        emit changed();
    }
}

void AxisMarks::moveMark(const PlotScale& scale, int markers)
{
    const std::vector<MarkerGroup> all = groups(scale);
    if (all.empty()) {
        return;
    }
    const auto last = std::ssize(all) - 1;
    const auto at = groupOf(all, m_marked);
    const auto next =
        at == all.end() ? last : std::clamp<std::ptrdiff_t>(at - all.begin() + markers, 0, last);
    mark(all[static_cast<std::size_t>(next)].members.front());
}

std::optional<MarkerGroup> AxisMarks::markedGroup(const PlotScale& scale) const
{
    if (!m_marked) {
        return std::nullopt;
    }
    const std::vector<MarkerGroup> all = groups(scale);
    const auto at = groupOf(all, m_marked);
    return at == all.end() ? std::nullopt : std::optional(*at);
}

} // namespace lockstep::ui
