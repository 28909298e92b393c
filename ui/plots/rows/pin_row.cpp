// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/rows/pin_row.h"

#include "plots/axes/number_text.h"
#include "plots/axes/x_range.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

/// Markers whose middles are closer than this, in pixels, become one.
constexpr double kLeastPinDistance = 20.0;
constexpr double kPinReach = 9.0; // of the pointer
constexpr double kPinReachBelow = 5.0;
constexpr double kPinReachAbove = 13.0;

} // namespace

PinRow::PinRow(const XRange& range, QObject* parent) : QObject(parent), m_range(range) {}

void PinRow::setPins(std::vector<PlotPin> pins)
{
    m_pins = std::move(pins);
    m_marked.reset();
    emit changed();
}

std::vector<PinGroup> PinRow::groups(const PlotScale& scale) const
{
    std::vector<PinGroup> groups;
    double begin = 0.0; // of the newest group
    for (std::size_t i = 0; i < m_pins.size(); ++i) {
        const double x = scale.pixelX(positionAfter(m_range, m_pins[i].step));
        if (x < scale.area.left() - 0.5 || x > scale.area.right() + 0.5) {
            continue;
        }
        if (!groups.empty() && x - begin < kLeastPinDistance) {
            groups.back().end = i + 1;
            groups.back().x = (begin + x) / 2.0;
        } else {
            groups.push_back({x, i, i + 1});
            begin = x;
        }
    }
    return groups;
}

std::optional<PinGroup> PinRow::groupAt(const PlotScale& scale, QPointF point) const
{
    const double below = point.y() - scale.area.top();
    if (m_pins.empty() || below > kPinReachBelow || below < -kPinReachAbove) {
        return std::nullopt;
    }
    std::optional<PinGroup> nearest;
    for (const PinGroup& group : groups(scale)) {
        const double distance = std::abs(group.x - point.x());
        if (distance <= kPinReach && (!nearest || distance < std::abs(nearest->x - point.x()))) {
            nearest = group;
        }
    }
    return nearest;
}

void PinRow::mark(std::optional<std::size_t> pin)
{
    if (pin != m_marked) {
        m_marked = pin;
        emit changed();
    }
}

void PinRow::moveMark(const PlotScale& scale, int markers)
{
    const std::vector<PinGroup> all = groups(scale);
    if (all.empty()) {
        return;
    }
    const auto last = std::ssize(all) - 1;
    const auto at = std::find_if(all.begin(), all.end(), [&](const PinGroup& group) {
        return m_marked && *m_marked >= group.first && *m_marked < group.end;
    });
    const auto next =
        at == all.end() ? last : std::clamp<std::ptrdiff_t>(at - all.begin() + markers, 0, last);
    mark(all[static_cast<std::size_t>(next)].first);
}

std::optional<PinGroup> PinRow::markedGroup(const PlotScale& scale) const
{
    if (!m_marked) {
        return std::nullopt;
    }
    const std::vector<PinGroup> all = groups(scale);
    const auto at = std::find_if(all.begin(), all.end(), [&](const PinGroup& group) {
        return *m_marked >= group.first && *m_marked < group.end;
    });
    return at == all.end() ? std::nullopt : std::optional(*at);
}

HoverCard PinRow::card(const PinGroup& group) const
{
    HoverCard card;
    if (group.end - group.first == 1) {
        const PlotPin& pin = m_pins[group.first];
        card.title = tr("Checkpoint of step %1").arg(countText(pin.step));
        for (const auto& [name, what] : pin.facts) {
            card.rows.push_back({name, {}, what, {}, false});
        }
        return card;
    }
    card.title = tr("%1 checkpoints").arg(countText(static_cast<qint64>(group.end - group.first)));
    for (std::size_t i = group.first; i < group.end; ++i) {
        const PlotPin& pin = m_pins[i];
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

void PinRow::choose(const PinGroup& group, const QPoint& globalPosition)
{
    emit chosen(group, globalPosition);
}

} // namespace lockstep::ui
