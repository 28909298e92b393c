// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/cosine_chart.h"

#include "plots/number_text.h"
#include "theme/tower_colors.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kGap = 6.0;
constexpr double kLine = 1.4;
constexpr double kLineStep = 0.2; // of the grid
constexpr int kLeastLines = 2;
const ValueFormat kCosine{1.0, 2, {}};

} // namespace

CosineChart::CosineChart(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("cosine_chart"));
    setAccessibleName(tr("Cosine of each tower's gradient to their mean"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void CosineChart::setPoints(std::vector<CosinePoint> points)
{
    m_points = std::move(points);
    m_towers = 0;
    for (const CosinePoint& point : m_points) {
        m_towers = std::max(m_towers, point.least.size());
    }
    setAccessibleDescription(m_points.empty() ? QString() : textAt(plotArea().right()));
    update();
}

QSize CosineChart::sizeHint() const
{
    return {320, 120};
}

QSize CosineChart::minimumSizeHint() const
{
    return {120, 48};
}

QRectF CosineChart::plotArea() const
{
    const QFontMetricsF metrics(font());
    const double left =
        metrics.horizontalAdvance(numberText(-1.0, {1.0, 1, {}})) + kGap; // the widest label
    return QRectF(rect()).adjusted(
        left, metrics.height() / 2.0, -kGap, -metrics.height() - kGap / 2.0);
}

/// A line of the grid below all values, so that nothing lies on the edge.
double CosineChart::leastShown() const
{
    double least = 1.0 - kLeastLines * kLineStep;
    for (const CosinePoint& point : m_points) {
        for (const double value : point.least) {
            least = std::isfinite(value) ? std::min(least, value) : least;
        }
    }
    return std::max(-1.0, std::floor(least / kLineStep + 1e-9) * kLineStep);
}

double CosineChart::xOf(qint64 step, const QRectF& area) const
{
    const qint64 first = m_points.front().firstStep;
    const qint64 length = std::max<qint64>(1, m_points.back().lastStep - first);
    return area.left()
           + area.width() * static_cast<double>(step - first) / static_cast<double>(length);
}

void CosineChart::paintEvent(QPaintEvent* /*event*/)
{
    if (m_points.empty()) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = plotArea();
    paintGrid(painter, area);
    for (std::size_t tower = 0; tower < m_towers; ++tower) {
        paintTower(painter, area, tower);
    }
}

void CosineChart::paintGrid(QPainter& painter, const QRectF& area) const
{
    const ThemeColors theme = themeColors(palette());
    const double least = leastShown();
    const auto lines = static_cast<int>(std::lround((1.0 - least) / kLineStep));
    const QFontMetricsF metrics(font());
    // No more labels than there is room for.
    const int every = std::max(
        1, static_cast<int>(std::ceil(metrics.height() * lines / std::max(area.height(), 1.0))));
    for (int line = 0; line <= lines; line += every) {
        const double y = area.top() + area.height() * line / lines;
        painter.setPen(QPen(theme.grid, 1.0));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(theme.mutedText);
        const QString label = numberText(1.0 - line * kLineStep, {1.0, 1, {}});
        painter.drawText(
            QRectF(0.0, y - metrics.height() / 2.0, area.left() - kGap, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, label);
    }
    const QRectF below(area.left(), area.bottom() + kGap / 2.0, area.width(), metrics.height());
    const QString first = countText(m_points.front().firstStep);
    const QString last = tr("step %1").arg(countText(m_points.back().lastStep));
    const double sides =
        2.0 * (kGap + std::max(metrics.horizontalAdvance(first), metrics.horizontalAdvance(last)));
    painter.drawText(below, Qt::AlignLeft, first);
    if (metrics.horizontalAdvance(accessibleName()) <= below.width() - sides) {
        painter.drawText(below, Qt::AlignHCenter, accessibleName());
    }
    if (m_points.back().lastStep > m_points.front().firstStep) {
        painter.drawText(below, Qt::AlignRight, last);
    }
}

/// A line through the middle of each point, and its extent where that is more than one value.
void CosineChart::paintTower(QPainter& painter, const QRectF& area, std::size_t tower) const
{
    const double least = leastShown();
    const auto yOf = [&](double value) {
        return area.top() + area.height() * (1.0 - value) / (1.0 - least);
    };
    const QColor color = towerColor(static_cast<int>(tower), themeColors(palette()));
    painter.setPen(QPen(color, kLine, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    QPolygonF line;
    for (const CosinePoint& point : m_points) {
        if (tower >= point.least.size() || !std::isfinite(point.least[tower])) {
            painter.drawPolyline(line);
            line.clear();
            continue;
        }
        const double x = xOf((point.firstStep + point.lastStep) / 2, area);
        if (point.most[tower] > point.least[tower]) {
            painter.drawLine(
                QPointF(x, yOf(point.least[tower])), QPointF(x, yOf(point.most[tower])));
        }
        line << QPointF(x, yOf((point.least[tower] + point.most[tower]) / 2.0));
    }
    painter.drawPolyline(line);
    if (line.size() == 1) {
        painter.setBrush(color);
        painter.drawEllipse(line.front(), kLine, kLine);
    }
}

QString CosineChart::textAt(double x) const
{
    const QRectF area = plotArea();
    const auto nearest = std::min_element(
        m_points.begin(), m_points.end(), [&](const CosinePoint& a, const CosinePoint& b) {
            return std::abs(xOf(a.lastStep, area) - x) < std::abs(xOf(b.lastStep, area) - x);
        });
    QStringList lines{
        nearest->firstStep == nearest->lastStep
            ? tr("Step %1").arg(countText(nearest->lastStep))
            : tr("Steps %1 to %2")
                  .arg(countText(nearest->firstStep), countText(nearest->lastStep))};
    for (std::size_t tower = 0; tower < nearest->least.size(); ++tower) {
        const QString low = numberText(nearest->least[tower], kCosine);
        const QString high = numberText(nearest->most[tower], kCosine);
        lines
            << (low == high ? tr("Tower %1: %2").arg(tower).arg(low)
                            : tr("Tower %1: %2 to %3").arg(tower).arg(low, high));
    }
    return lines.join(QLatin1Char('\n'));
}

bool CosineChart::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && !m_points.empty()) {
        auto* const help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), textAt(help->pos().x()), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace lockstep::ui
