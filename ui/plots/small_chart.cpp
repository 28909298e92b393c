// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/small_chart.h"

#include "plots/plot_header.h"
#include "plots/ticks.h"
#include "theme/palette.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kGap = 6.0;
constexpr double kDotRadius = 3.5;
constexpr double kLineWidth = 1.6;
constexpr int kFewestTicks = 3;   ///< or a short axis has none but 0
constexpr double kLeast = 1e-300; ///< what is 0 or less lies far below a logarithmic axis
/// Of the font's height: how far apart labels are at least.
constexpr double kYSpacing = 1.9;
constexpr double kXSpacing = 5.0;

double fractionOf(const SmallAxis& axis, double value)
{
    return axis.isLogarithmic
               ? std::log(std::max(value, kLeast) / axis.first) / std::log(axis.last / axis.first)
               : (value - axis.first) / (axis.last - axis.first);
}

std::vector<Tick> ticksOf(const SmallAxis& axis, double length, double spacing)
{
    const int most = std::max(kFewestTicks, static_cast<int>(length / spacing));
    auto ticks = axis.isLogarithmic ? logarithmicTicks(axis.first, axis.last, most, axis.format)
                                    : linearTicks(axis.first, axis.last, most, axis.format);
    if (axis.isWhole) {
        std::erase_if(ticks, [](const Tick& tick) { return std::floor(tick.value) != tick.value; });
    }
    return ticks;
}

/// One picture of a chart.
class Picture
{
public:
    Picture(QPainter& painter, const SmallChart& chart)
        : m_painter(painter), m_chart(chart), m_theme(themeColors(chart.palette())),
          m_metrics(chart.font())
    {
        layOut();
    }

    void paint()
    {
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setFont(m_chart.font());
        paintKeys(m_painter, m_legend, keys(), m_chart.font(), m_theme);
        paintGrid();
        m_painter.setClipRect(
            m_area.adjusted(-kDotRadius - 1, -kDotRadius - 1, kDotRadius + 1, kDotRadius + 1));
        for (const SmallCurve& curve : m_chart.curves()) {
            paintCurve(curve);
        }
    }

private:
    void layOut()
    {
        const double line = m_metrics.height();
        const QRectF all = m_chart.rect();
        const double top = keys().empty() ? line / 2 : 1.6 * line;
        const double bottom = (m_chart.xAxis().title.isEmpty() ? 1.3 : 2.5) * line;
        const double height = all.height() - top - bottom;
        m_yTicks = ticksOf(m_chart.yAxis(), height, kYSpacing * line);
        double labels = 0.0;
        for (const Tick& tick : m_yTicks) {
            labels = std::max(labels, m_metrics.horizontalAdvance(tick.label));
        }
        const double left = labels + kGap + (m_chart.yAxis().title.isEmpty() ? 0.0 : 1.3 * line);
        m_area = QRectF(left, top, all.width() - left - 1.5 * line, height);
        m_xTicks = ticksOf(m_chart.xAxis(), m_area.width(), kXSpacing * line);
        m_legend = QRectF(left, 0.0, m_area.width(), line);
    }

    [[nodiscard]] std::vector<LegendKey> keys() const
    {
        std::vector<LegendKey> keys;
        for (const SmallCurve& curve : m_chart.curves()) {
            if (!curve.name.isEmpty()) {
                const KeyShape shape = curve.style == SmallCurve::Style::Dots     ? KeyShape::Dot
                                       : curve.style == SmallCurve::Style::Dashes ? KeyShape::Dashes
                                                                                  : KeyShape::Line;
                keys.push_back({curve.name, shape, {colorOf(curve)}});
            }
        }
        return keys;
    }

    [[nodiscard]] QColor colorOf(const SmallCurve& curve) const
    {
        switch (curve.ink) {
        case SmallCurve::Ink::Muted:
            return m_theme.mutedText;
        case SmallCurve::Ink::Text:
            return m_theme.text;
        case SmallCurve::Ink::Accent:
            break;
        }
        return m_theme.accent;
    }

    /// Far outside it ends where painting still can count.
    [[nodiscard]] QPointF at(const QPointF& value) const
    {
        constexpr double kFar = 1e3;
        const double x = std::clamp(fractionOf(m_chart.xAxis(), value.x()), -kFar, kFar);
        const double y = std::clamp(fractionOf(m_chart.yAxis(), value.y()), -kFar, kFar);
        return {m_area.left() + m_area.width() * x, m_area.bottom() - m_area.height() * y};
    }

    void paintGrid()
    {
        const double line = m_metrics.height();
        for (const Tick& tick : m_yTicks) {
            const double y = at({m_chart.xAxis().first, tick.value}).y();
            m_painter.setPen(QPen(m_theme.grid, 1.0));
            m_painter.drawLine(QPointF(m_area.left(), y), QPointF(m_area.right(), y));
            m_painter.setPen(m_theme.mutedText);
            m_painter.drawText(
                QRectF(0.0, y - line / 2, m_area.left() - kGap, line),
                Qt::AlignRight | Qt::AlignVCenter, tick.label);
        }
        for (const Tick& tick : m_xTicks) {
            const double x = at({tick.value, m_chart.yAxis().first}).x();
            const double width = m_metrics.horizontalAdvance(tick.label);
            // The last label may end at the edge of the widget, not beyond.
            const double left = std::min(x - width / 2, m_chart.width() - width);
            m_painter.drawText(
                QRectF(left, m_area.bottom() + 0.25 * line, width + 1, line), Qt::AlignLeft,
                tick.label);
        }
        paintTitles(line);
    }

    void paintTitles(double line)
    {
        m_painter.setPen(m_theme.mutedText);
        m_painter.drawText(
            QRectF(m_area.left(), m_chart.height() - line, m_area.width(), line),
            Qt::AlignHCenter | Qt::AlignBottom, m_chart.xAxis().title);
        if (!m_chart.yAxis().title.isEmpty()) {
            m_painter.save();
            m_painter.translate(0.0, m_area.bottom());
            m_painter.rotate(-90.0);
            m_painter.drawText(
                QRectF(0.0, 0.0, m_area.height(), line), Qt::AlignHCenter | Qt::AlignTop,
                m_chart.yAxis().title);
            m_painter.restore();
        }
    }

    void paintCurve(const SmallCurve& curve)
    {
        const QColor color = colorOf(curve);
        if (curve.style == SmallCurve::Style::Dots) {
            paintDots(curve, color);
            return;
        }
        QList<QPointF> points;
        for (const QPointF& point : curve.points) {
            points.append(at(point));
        }
        QPen pen(color, kLineWidth, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
        if (curve.style == SmallCurve::Style::Dashes) {
            pen.setDashPattern({4.0, 3.0});
        }
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPolyline(points.constData(), static_cast<int>(points.size()));
    }

    void paintDots(const SmallCurve& curve, const QColor& color)
    {
        for (std::size_t i = 0; i < curve.points.size(); ++i) {
            const QPointF point = curve.points[i];
            if (i < curve.ranges.size()) {
                m_painter.setPen(QPen(color, 1.0));
                m_painter.drawLine(
                    at({point.x(), curve.ranges[i].first}),
                    at({point.x(), curve.ranges[i].second}));
            }
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(color);
            m_painter.drawEllipse(at(point), kDotRadius, kDotRadius);
        }
    }

    QPainter& m_painter;
    const SmallChart& m_chart;
    ThemeColors m_theme;
    QFontMetricsF m_metrics;
    QRectF m_area;
    QRectF m_legend;
    std::vector<Tick> m_xTicks;
    std::vector<Tick> m_yTicks;
};

} // namespace

SmallChart::SmallChart(QWidget* parent) : QWidget(parent) {}

void SmallChart::setAxes(const SmallAxis& x, const SmallAxis& y)
{
    m_x = x;
    m_y = y;
    update();
}

void SmallChart::setCurves(std::vector<SmallCurve> curves)
{
    m_curves = std::move(curves);
    update();
}

QSize SmallChart::sizeHint() const
{
    return {36 * fontMetrics().height(), 16 * fontMetrics().height()};
}

QSize SmallChart::minimumSizeHint() const
{
    return {8 * fontMetrics().height(), 5 * fontMetrics().height()};
}

void SmallChart::paintEvent(QPaintEvent* event)
{
    QWidget::paintEvent(event);
    QPainter painter(this);
    Picture(painter, *this).paint();
}

} // namespace lockstep::ui
