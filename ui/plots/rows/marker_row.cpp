// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/rows/marker_row.h"

#include "plots/axes/number_text.h"
#include "plots/axes/x_range.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <map>

namespace lockstep::ui {
namespace {

constexpr double kLeastDistance = 13.0; // of the middles of drawn markers, in pixels
constexpr double kReach = 7.0;          // of the pointer
constexpr double kReachAcross = 8.0;
constexpr std::size_t kMostRows = 12; // of a card
constexpr qsizetype kMostInWords = 20;

bool isTouching(const std::map<double, MarkerGroup>& drawn, double x)
{
    const auto behind = drawn.lower_bound(x - kLeastDistance);
    return behind != drawn.end() && behind->first < x + kLeastDistance;
}

MarkerGroup& nearest(std::map<double, MarkerGroup>& drawn, double x)
{
    const auto behind = drawn.lower_bound(x);
    if (behind == drawn.begin()) {
        return behind->second;
    }
    const auto before = std::prev(behind);
    const bool isBehindCloser = behind != drawn.end() && behind->first - x < x - before->first;
    return isBehindCloser ? behind->second : before->second;
}

} // namespace

MarkerRow::MarkerRow(const XRange& range, QObject* parent) : QObject(parent), m_range(range) {}

void MarkerRow::setMarkers(std::vector<PlotMarker> markers)
{
    m_markers = std::move(markers);
    m_marked.reset();
    emit changed();
}

std::vector<MarkerGroup> MarkerRow::groups(const PlotScale& scale) const
{
    std::vector<std::pair<double, std::size_t>> visible;
    for (std::size_t i = 0; i < m_markers.size(); ++i) {
        const double x = scale.pixelX(positionAfter(m_range, m_markers[i].updates));
        if (x >= scale.area.left() - 0.5 && x <= scale.area.right() + 0.5) {
            visible.emplace_back(x, i);
        }
    }
    std::ranges::stable_sort(
        visible, {}, [this](const auto& entry) { return m_markers[entry.second].kind; });
    std::map<double, MarkerGroup> drawn;
    for (const auto& [x, marker] : visible) {
        if (isTouching(drawn, x)) {
            nearest(drawn, x).members.push_back(marker);
        } else {
            drawn[x] = {x, {marker}};
        }
    }
    std::vector<MarkerGroup> groups;
    groups.reserve(drawn.size());
    for (auto& [x, group] : drawn) {
        groups.push_back(std::move(group));
    }
    return groups;
}

std::optional<MarkerGroup> MarkerRow::groupAt(const PlotScale& scale, QPointF point) const
{
    if (m_markers.empty() || std::abs(point.y() - scale.area.bottom()) > kReachAcross) {
        return std::nullopt;
    }
    std::optional<MarkerGroup> found;
    for (const MarkerGroup& group : groups(scale)) {
        const double distance = std::abs(group.x - point.x());
        if (distance <= kReach && (!found || distance < std::abs(found->x - point.x()))) {
            found = group;
        }
    }
    return found;
}

void MarkerRow::mark(std::optional<std::size_t> marker)
{
    if (marker != m_marked) {
        m_marked = marker;
        emit changed();
    }
}

void MarkerRow::moveMark(const PlotScale& scale, int markers)
{
    const std::vector<MarkerGroup> all = groups(scale);
    if (all.empty()) {
        return;
    }
    const auto last = std::ssize(all) - 1;
    const auto at = std::ranges::find_if(
        all, [&](const MarkerGroup& group) { return m_marked == group.members.front(); });
    const auto next =
        at == all.end() ? last : std::clamp<std::ptrdiff_t>(at - all.begin() + markers, 0, last);
    mark(all[static_cast<std::size_t>(next)].members.front());
}

std::optional<MarkerGroup> MarkerRow::markedGroup(const PlotScale& scale) const
{
    if (!m_marked) {
        return std::nullopt;
    }
    const std::vector<MarkerGroup> all = groups(scale);
    const auto at = std::ranges::find_if(all, [&](const MarkerGroup& group) {
        return std::ranges::find(group.members, *m_marked) != group.members.end();
    });
    return at == all.end() ? std::nullopt : std::optional(*at);
}

HoverCard MarkerRow::card(const MarkerGroup& group) const
{
    HoverCard card;
    const PlotMarker& first = m_markers[group.members.front()];
    card.title = tr("step %1: %2").arg(countText(first.updates), first.title);
    for (const auto& [name, what] : first.facts) {
        card.rows.push_back({name, {}, what, {}, false});
    }
    const std::size_t others = group.members.size() - 1;
    const std::size_t shown = std::min(others, kMostRows);
    for (std::size_t i = 1; i <= shown; ++i) {
        const PlotMarker& marker = m_markers[group.members[i]];
        card.rows.push_back(
            {tr("step %1").arg(countText(marker.updates)), {}, marker.title, {}, false});
    }
    if (shown < others) {
        const auto more = static_cast<qint64>(others - shown);
        card.rows.push_back({tr("and %1 more").arg(countText(more)), {}, {}, {}, false});
    }
    return card;
}

QString MarkerRow::summary() const
{
    QStringList parts;
    for (const PlotMarker& marker : m_markers) {
        if (marker.kind != PlotMarker::Kind::Evaluation && parts.size() < kMostInWords) {
            parts << tr("%1 at step %2").arg(marker.title, countText(marker.updates));
        }
    }
    return parts.isEmpty() ? QString() : parts.join(QStringLiteral("; ")) + QLatin1Char('.');
}

} // namespace lockstep::ui
