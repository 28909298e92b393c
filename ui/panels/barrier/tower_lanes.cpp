// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/barrier/tower_lanes.h"

#include "panels/barrier/barrier_text.h"
#include "plots/axes/number_text.h"
#include "theme/tower_colors.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr int kLaneSwatch = 10;
constexpr int kGap = 6;
constexpr int kBetweenLanes = 5;
constexpr int kLowPitch = 9;
constexpr int kLeastLaneWidth = 60;

constexpr double kTick = 1.0;
constexpr double kTickOverhang = 2.0;
constexpr double kCursor = 1.5;

} // namespace

TowerLanes::TowerLanes()
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

int TowerLanes::pitch() const
{
    return rowsOfLane() * (hasNumbers() ? fontMetrics().height() + 2 : kLowPitch);
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
    const ThemeColors theme = themeColors(*this);
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

BarrierStrip::BarrierStrip()
{
    setFocusPolicy(Qt::StrongFocus);
    showCursor();
}

void BarrierStrip::setSteps(const std::vector<StepRecord>& steps)
{
    m_steps = steps;
    m_seconds = 0.0;
    for (const StepRecord& step : steps) {
        m_seconds += step.stepSeconds;
    }
    setTowers(steps.empty() ? 0 : static_cast<int>(steps.back().towers.size()));
}

/// `begin` counts from the first step that is shown.
QRectF BarrierStrip::placeOf(int tower, double begin, double seconds) const
{
    const QRectF place = lane(tower);
    const double perSecond = m_seconds > 0.0 ? place.width() / m_seconds : 0.0;
    return {place.left() + begin * perSecond, place.top(), seconds * perSecond, place.height()};
}

void BarrierStrip::paintLanes(QPainter& painter)
{
    painter.setRenderHint(QPainter::Antialiasing); // a step may be narrower than a pixel
    double begin = 0.0;
    for (const StepRecord& step : m_steps) {
        paintStep(painter, step, begin);
        begin += step.stepSeconds;
    }
    if (m_cursor && hasFocus() && !m_steps.empty()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), kCursor));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(placeOf(*m_cursor).adjusted(-kCursor, -kCursor, kCursor, kCursor));
    }
}

void BarrierStrip::paintStep(QPainter& painter, const StepRecord& step, double begin) const
{
    const ThemeColors theme = themeColors(*this);
    const auto straggler = stragglerOf(step);
    for (int tower = 0; tower < static_cast<int>(step.towers.size()); ++tower) {
        const TowerRecord& record = step.towers[static_cast<std::size_t>(tower)];
        const auto arrival = arrivalSeconds(record);
        if (!arrival) {
            painter.fillRect(
                placeOf(tower, begin, step.stepSeconds), phaseBrush(StepPhase::Unknown, theme));
            continue;
        }
        const QRectF work = placeOf(
            tower, begin + step.inputSeconds + record.startSeconds, *arrival - record.startSeconds);
        painter.fillRect(work, towerColor(tower, theme));
        if (straggler && straggler->tower == tower) {
            painter.fillRect(
                QRectF(work.right() - kTick / 2, work.top(), kTick, work.height())
                    .adjusted(0, -kTickOverhang, 0, kTickOverhang),
                theme.text);
        }
    }
}

QString BarrierStrip::toolTipAt(int tower, QPointF position) const
{
    double begin = 0.0;
    for (const StepRecord& step : m_steps) {
        const QRectF whole = placeOf(tower, begin, step.stepSeconds);
        begin += step.stepSeconds;
        if (position.x() >= whole.left() && position.x() < whole.right()) {
            return textOf(step, tower);
        }
    }
    return {};
}

QString BarrierStrip::textOf(const StepRecord& step, int tower) const
{
    const TowerRecord& record = step.towers[static_cast<std::size_t>(tower)];
    const QString name = tr("Step %1, tower %2").arg(countText(step.step), QString::number(tower));
    const auto waiting = waitingSeconds(step, record);
    if (!waiting) {
        return name + QLatin1Char('\n') + phaseMeaning(StepPhase::Unknown);
    }
    return name + QLatin1Char('\n')
           + tr("%1 at work, %2 waiting at the barrier")
                 .arg(
                     millisecondsText(workSeconds(record).value_or(0.0)),
                     millisecondsText(*waiting));
}

void BarrierStrip::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return moveCursor(-1, 0);
    case Qt::Key_Right:
        return moveCursor(1, 0);
    case Qt::Key_Up:
        return moveCursor(0, -1);
    case Qt::Key_Down:
        return moveCursor(0, 1);
    default:
        TowerLanes::keyPressEvent(event);
    }
}

/// From nowhere to the newest step. Steps come and go meanwhile: of one that is gone, to the
/// oldest.
void BarrierStrip::moveCursor(int steps, int towers)
{
    if (m_steps.empty()) {
        return;
    }
    const bool isNew = !m_cursor;
    const Cursor from = m_cursor.value_or(Cursor{m_steps.back().step, 0});
    const auto index = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(indexOf(from)) + (isNew ? 0 : steps), 0, std::ssize(m_steps) - 1);
    m_cursor = Cursor{
        m_steps[static_cast<std::size_t>(index)].step,
        std::clamp(from.tower + (isNew ? 0 : towers), 0, this->towers() - 1)};
    showCursor();
}

void BarrierStrip::showCursor()
{
    if (!m_cursor || m_steps.empty()) {
        setAccessibleDescription(tr("When each tower worked in the last steps, and when it waited. "
                                    "The arrow keys go through steps and towers."));
        return;
    }
    const QString text = textOf(m_steps[indexOf(*m_cursor)], m_cursor->tower);
    setAccessibleDescription(text);
    QToolTip::showText(mapToGlobal(placeOf(*m_cursor).bottomLeft().toPoint()), text, this);
    update();
}

std::size_t BarrierStrip::indexOf(const Cursor& cursor) const
{
    const auto found = std::ranges::lower_bound(m_steps, cursor.step, {}, &StepRecord::step);
    const auto last = m_steps.size() - 1;
    return std::min(last, static_cast<std::size_t>(found - m_steps.begin()));
}

QRectF BarrierStrip::placeOf(const Cursor& cursor) const
{
    const std::size_t index = indexOf(cursor);
    double begin = 0.0;
    for (std::size_t i = 0; i < index; ++i) {
        begin += m_steps[i].stepSeconds;
    }
    return placeOf(std::min(cursor.tower, towers() - 1), begin, m_steps[index].stepSeconds);
}

void BarrierStrip::focusOutEvent(QFocusEvent* event)
{
    TowerLanes::focusOutEvent(event);
    m_cursor.reset();
    showCursor();
}

} // namespace lockstep::ui
