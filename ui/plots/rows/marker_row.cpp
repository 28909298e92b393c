// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/rows/marker_row.h"

#include "plots/axes/number_text.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lockstep::ui {
namespace {

constexpr double kLeastDistance = 13.0; // of the middles of drawn markers, in pixels
constexpr std::size_t kMostRows = 12;   // of a card
constexpr qsizetype kMostInWords = 20;

constexpr double kHalf = 4.0;
constexpr double kDotRadius = 2.4;
constexpr double kStroke = 1.6;

/// Through the whole chart: what is left and right of it is not alike.
bool hasLine(PlotMarker::Kind kind)
{
    return kind == PlotMarker::Kind::LearningRate || kind == PlotMarker::Kind::Branch;
}

void paintGlyph(QPainter& painter, QPointF centre, PlotMarker::Kind kind, const ThemeColors& theme)
{
    painter.setPen(QPen(theme.card, 1.0));
    switch (kind) {
    case PlotMarker::Kind::Fault:
        painter.setPen(QPen(theme.alert, kStroke + 0.4, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(
            centre - QPointF(kHalf, kHalf) * 0.8, centre + QPointF(kHalf, kHalf) * 0.8);
        painter.drawLine(
            centre - QPointF(kHalf, -kHalf) * 0.8, centre + QPointF(kHalf, -kHalf) * 0.8);
        break;
    case PlotMarker::Kind::LearningRate: // a diamond
        painter.setBrush(theme.accent);
        painter.drawPolygon(QPolygonF{
            centre + QPointF(0, -kHalf - 1), centre + QPointF(kHalf + 1, 0),
            centre + QPointF(0, kHalf + 1), centre + QPointF(-kHalf - 1, 0)});
        break;
    case PlotMarker::Kind::Branch: // a square
        painter.setBrush(theme.mutedText);
        painter.drawRect(QRectF(centre - QPointF(kHalf, kHalf) * 0.9, QSizeF(7.2, 7.2)));
        break;
    case PlotMarker::Kind::Evaluation:
        painter.setBrush(theme.mutedText);
        painter.drawEllipse(centre, kDotRadius + 0.5, kDotRadius + 0.5);
        break;
    }
}

} // namespace

MarkerRow::MarkerRow(const XRange& range, QObject* parent)
    : AxisMarks(range, {.beside = 7.0, .above = 8.0, .below = 8.0, .isAtTop = false}, parent)
{
}

void MarkerRow::setMarkers(std::vector<PlotMarker> markers)
{
    m_markers = std::move(markers);
    renew();
}

std::vector<MarkerGroup> MarkerRow::groups(const PlotScale& scale) const
{
    std::vector<std::pair<double, std::size_t>> visible;
    for (std::size_t i = 0; i < m_markers.size(); ++i) {
        if (const auto x = pixelOf(scale, m_markers[i].updates)) {
            visible.emplace_back(*x, i);
        }
    }
    std::ranges::stable_sort(
        visible, {}, [this](const auto& entry) { return m_markers[entry.second].kind; });
    constexpr double kFar = 1e9;
    std::vector<MarkerGroup> drawn;
    for (const auto& [x, marker] : visible) {
        const auto behind = std::ranges::lower_bound(drawn, x, {}, &MarkerGroup::x);
        const double toNext = behind == drawn.end() ? kFar : behind->x - x;
        const double toLast = behind == drawn.begin() ? kFar : x - std::prev(behind)->x;
        if (std::min(toNext, toLast) < kLeastDistance) {
            (toNext < toLast ? behind : std::prev(behind))->members.push_back(marker);
        } else {
            drawn.insert(behind, {x, {marker}});
        }
    }
    return drawn;
}

HoverCard MarkerRow::card(const MarkerGroup& group) const
{
    HoverCard card;
    const PlotMarker& first = m_markers[group.members.front()];
    card.title = tr("step %1: %2").arg(countText(first.updates), first.title);
    for (const auto& [name, what] : first.facts) {
        card.rows.push_back({name, {}, what});
    }
    const std::size_t others = group.members.size() - 1;
    const std::size_t shown = std::min(others, kMostRows);
    for (std::size_t i = 1; i <= shown; ++i) {
        const PlotMarker& marker = m_markers[group.members[i]];
        card.rows.push_back({tr("step %1").arg(countText(marker.updates)), {}, marker.title});
    }
    if (shown < others) {
        const auto more = static_cast<qint64>(others - shown);
        card.rows.push_back({tr("and %1 more").arg(countText(more)), {}, {}});
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

void paintMarkers(
    QPainter& painter, const PlotScale& scale, const MarkerRow& row, const ThemeColors& theme)
{
    const std::vector<MarkerGroup> groups = row.groups(scale);
    painter.save();
    for (const MarkerGroup& group : groups) {
        const PlotMarker& marker = row.markers()[group.members.front()];
        const bool isMarked = row.marked() == group.members.front();
        if (isMarked || hasLine(marker.kind)) {
            const double x = std::floor(group.x) + 0.5;
            painter.setPen(QPen(isMarked ? theme.accent : theme.mutedText, 1.0, Qt::DotLine));
            painter.drawLine(QPointF(x, scale.area.top()), QPointF(x, scale.area.bottom()));
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const MarkerGroup& group : groups) {
        paintGlyph(
            painter, {std::floor(group.x) + 0.5, scale.area.bottom()},
            row.markers()[group.members.front()].kind, theme);
    }
    painter.restore();
}

} // namespace lockstep::ui
