// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/rows/pin_row.h"

#include "plots/axes/number_text.h"

#include <QLocale>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lockstep::ui {
namespace {

/// Markers whose middles are closer than this, in pixels, become one.
constexpr double kLeastPinDistance = 20.0;

constexpr double kHeight = 5.0; // of the markers' middles above the plot area
constexpr double kRadius = 3.4;
constexpr double kStarRadius = 5.6;
constexpr double kStem = 3.0; // into the plot area
constexpr double kPillHeight = 11.0;
constexpr double kPillPadding = 4.0;
constexpr double kPillFontShare = 0.78;
constexpr double kOutline = 1.4;

/// How a marker is drawn: what the pins behind it have in common.
struct Look
{
    bool isKept = false;
    bool isBest = false;
    bool isMarked = false;
    std::size_t count = 1;
};

Look lookOf(const PinRow& row, const MarkerGroup& group)
{
    Look look;
    look.count = group.members.size();
    for (const std::size_t member : group.members) {
        look.isKept = look.isKept || row.pins()[member].isKept;
        look.isBest = look.isBest || row.pins()[member].isBest;
        look.isMarked = look.isMarked || row.marked() == member;
    }
    return look;
}

QPolygonF star(QPointF centre)
{
    constexpr int kCorners = 10;
    constexpr double kInnerShare = 0.45;
    QPolygonF shape;
    for (int i = 0; i < kCorners; ++i) {
        const double radius = kStarRadius * (i % 2 == 0 ? 1.0 : kInnerShare);
        const double angle = std::numbers::pi * (i / 5.0 - 0.5);
        shape << centre + QPointF(radius * std::cos(angle), radius * std::sin(angle));
    }
    return shape;
}

void paintCount(QPainter& painter, QPointF centre, const Look& look, const ThemeColors& theme)
{
    const QString text = QLocale().toString(static_cast<qulonglong>(look.count));
    const double width =
        std::max(kPillHeight, painter.fontMetrics().horizontalAdvance(text) + 2 * kPillPadding);
    QRectF pill(0, 0, width, kPillHeight);
    pill.moveCenter(centre);
    painter.drawRoundedRect(pill, kPillHeight / 2, kPillHeight / 2);
    painter.setPen(look.isKept ? theme.card : theme.text);
    painter.drawText(pill, Qt::AlignCenter, text);
}

void paintMarker(QPainter& painter, QPointF centre, const Look& look, const ThemeColors& theme)
{
    const bool isProminent = look.isKept || look.isBest || look.isMarked;
    const QColor color = isProminent ? theme.accent : theme.mutedText;
    painter.setPen(QPen(color, kOutline));
    painter.drawLine(centre + QPointF(0, kHeight), centre + QPointF(0, kHeight + kStem));
    painter.setPen(QPen(color, kOutline, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(look.isKept ? color : theme.card);
    if (look.count > 1) {
        paintCount(painter, centre, look, theme);
    } else if (look.isBest) {
        painter.drawPolygon(star(centre));
    } else {
        painter.drawEllipse(centre, kRadius, kRadius);
    }
}

} // namespace

PinRow::PinRow(const XRange& range, QObject* parent)
    : AxisMarks(range, {.beside = 9.0, .above = 13.0, .below = 5.0, .isAtTop = true}, parent)
{
}

void PinRow::setPins(std::vector<PlotPin> pins)
{
    m_pins = std::move(pins);
    renew();
}

std::vector<MarkerGroup> PinRow::groups(const PlotScale& scale) const
{
    std::vector<MarkerGroup> groups;
    double begin = 0.0; // of the newest group
    for (std::size_t i = 0; i < m_pins.size(); ++i) {
        const std::optional<double> x = pixelOf(scale, m_pins[i].step);
        if (x && !groups.empty() && *x - begin < kLeastPinDistance) {
            groups.back().members.push_back(i);
            groups.back().x = (begin + *x) / 2.0;
        } else if (x) {
            groups.push_back({*x, {i}});
            begin = *x;
        }
    }
    return groups;
}

HoverCard PinRow::card(const MarkerGroup& group) const
{
    HoverCard card;
    if (group.members.size() == 1) {
        const PlotPin& pin = m_pins[group.members.front()];
        card.title = tr("Checkpoint of step %1").arg(countText(pin.step));
        for (const auto& [name, what] : pin.facts) {
            card.rows.push_back({name, {}, what});
        }
        return card;
    }
    card.title = tr("%1 checkpoints").arg(countText(std::ssize(group.members)));
    for (const std::size_t member : group.members) {
        const PlotPin& pin = m_pins[member];
        card.rows.push_back(
            {tr("step %1").arg(countText(pin.step)), {}, pin.figure, {}, pin.isKept || pin.isBest});
    }
    return card;
}

QString PinRow::summary() const
{
    if (m_pins.empty()) {
        return {};
    }
    QStringList steps;
    for (const PlotPin& pin : m_pins) {
        steps.append(countText(pin.step));
    }
    return tr("Checkpoints of steps %1.").arg(steps.join(QStringLiteral(", ")));
}

void paintPins(
    QPainter& painter, const PlotScale& scale, const PinRow& row, const QFont& font,
    const ThemeColors& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QFont small(font);
    small.setPointSizeF(small.pointSizeF() * kPillFontShare);
    small.setWeight(QFont::DemiBold);
    painter.setFont(small);
    for (const MarkerGroup& group : row.groups(scale)) {
        const Look look = lookOf(row, group);
        const double x = std::floor(group.x) + 0.5;
        if (look.isMarked) {
            painter.setPen(QPen(theme.accent, 1.0, Qt::DotLine));
            painter.drawLine(QPointF(x, scale.area.top()), QPointF(x, scale.area.bottom()));
        }
        paintMarker(painter, {x, scale.area.top() - kHeight}, look, theme);
    }
    painter.restore();
}

} // namespace lockstep::ui
