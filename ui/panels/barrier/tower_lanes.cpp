// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/barrier/tower_lanes.h"

#include "plots/axes/number_text.h"
#include "theme/tower_colors.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr int kLaneSwatch = 10;
constexpr int kGap = 6;
constexpr int kBetweenLanes = 5;
/// From here on there is no room for their numbers.
constexpr int kMostNumbers = 16;
constexpr int kLowPitch = 9;
constexpr int kLeastLaneWidth = 60;

} // namespace

TowerLanes::TowerLanes(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TowerLanes::setTowers(int towers)
{
    if (towers != m_towers) {
        m_towers = towers;
        updateGeometry();
    }
    update();
}

bool TowerLanes::hasNumbers() const
{
    return m_towers <= kMostNumbers;
}

int TowerLanes::pitch() const
{
    return hasNumbers() ? fontMetrics().height() + 2 : kLowPitch;
}

int TowerLanes::labelWidth() const
{
    const int number =
        hasNumbers() ? fontMetrics().horizontalAdvance(countText(std::max(9, m_towers - 1))) : 0;
    return kLaneSwatch + kGap + (number > 0 ? number + kGap : 0);
}

QRectF TowerLanes::lane(int tower) const
{
    const double left = labelWidth();
    const double space = hasNumbers() ? kBetweenLanes : 2;
    return {left, tower * pitch() + space / 2, width() - left, pitch() - space};
}

QSize TowerLanes::sizeHint() const
{
    return {labelWidth() + 3 * kLeastLaneWidth, m_towers * pitch()};
}

QSize TowerLanes::minimumSizeHint() const
{
    return {labelWidth() + kLeastLaneWidth, m_towers * pitch()};
}

void TowerLanes::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const ThemeColors theme = themeColors(palette());
    for (int tower = 0; tower < m_towers; ++tower) {
        const QRectF place = lane(tower);
        const double side = std::min<double>(kLaneSwatch, place.height());
        painter.fillRect(
            QRectF(0, place.center().y() - side / 2, side, side), towerColor(tower, theme));
        if (hasNumbers()) {
            painter.setPen(palette().color(QPalette::WindowText));
            painter.drawText(
                QRectF(kLaneSwatch, tower * pitch(), place.left() - kLaneSwatch - kGap, pitch()),
                Qt::AlignRight | Qt::AlignVCenter, countText(tower));
        }
    }
    paintLanes(painter);
}

bool TowerLanes::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* const help = static_cast<QHelpEvent*>(event);
    const int tower = help->pos().y() / pitch();
    const QString text = tower < m_towers ? toolTipAt(tower, help->pos()) : QString();
    text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace lockstep::ui
