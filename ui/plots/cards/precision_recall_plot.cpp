// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/cards/precision_recall_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr double kLineWidth = 1.8;
constexpr double kDotRadius = 3.5;
constexpr double kRingRadius = 6.0;
/// So that a curve along the edge is seen.
constexpr double kRoomAbove = 1.04;

} // namespace

PrecisionRecallPlot::PrecisionRecallPlot(QWidget* parent)
    : CardChart(
        tr("Precision and recall"),
        tr("Recall: share of the defective images that are called so. Precision: share of those "
           "called so that are.\n"
           "A point for each score: a click makes it the threshold (ring). Dots: the best F1, the "
           "highest with all found."),
        {1.0, 2, {}}, parent)
{
}

void PrecisionRecallPlot::setPoints(
    std::vector<RecallPoint> points, const Marks& marks, const QString& caption)
{
    m_points = std::move(points);
    m_marks = marks;
    m_chosen = std::min(m_chosen, m_points.empty() ? 0 : m_points.size() - 1);
    setCrossHair(std::nullopt);
    setCaption(caption);
}

void PrecisionRecallPlot::setChosen(std::size_t number)
{
    if (number < m_points.size() && number != m_chosen) {
        m_chosen = number;
        dataChanged();
    }
}

QPointF PrecisionRecallPlot::placeOf(std::size_t number) const
{
    const PlotScale painted = scale();
    return {painted.pixelX(m_points[number].recall), painted.pixelY(m_points[number].precision)};
}

std::vector<LegendKey> PrecisionRecallPlot::legend() const
{
    return {
        {tr("best F1"), KeyShape::Dot, {theme().text}},
        {tr("full recall"), KeyShape::Dot, {theme().mutedText}},
        {tr("threshold"), KeyShape::Dot, {theme().alert}}};
}

PlotScale PrecisionRecallPlot::scaleWithin(const QRectF& area) const
{
    return {.area = area, .axis = XAxis::Epoch, .top = kRoomAbove}; // labels with fractions
}

void PrecisionRecallPlot::paintBody(QPainter& painter, const PlotScale& scale) const
{
    QPolygonF line;
    double before = 0.0;
    for (const RecallPoint& point : m_points) {
        line << QPointF(scale.pixelX(before), scale.pixelY(point.precision))
             << QPointF(scale.pixelX(point.recall), scale.pixelY(point.precision));
        before = point.recall;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().accent, kLineWidth));
    painter.drawPolyline(line);
    painter.setPen(QPen(theme().card, 1.0));
    painter.setBrush(theme().mutedText);
    painter.drawEllipse(placeOf(m_marks.fullRecall), kDotRadius, kDotRadius);
    painter.setBrush(theme().text);
    painter.drawEllipse(placeOf(m_marks.best), kDotRadius, kDotRadius);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().alert, kLineWidth));
    painter.drawEllipse(placeOf(m_chosen), kRingRadius, kRingRadius);
}

/// By recall alone where the cross-hair has no height; else by both.
std::size_t PrecisionRecallPlot::nearest(const ChartPoint& point) const
{
    const auto distance = [&](const RecallPoint& each) {
        const double height = point.value ? each.precision - *point.value : 0.0;
        return std::hypot(each.recall - point.position, height);
    };
    return static_cast<std::size_t>(
        std::ranges::min_element(m_points, {}, distance) - m_points.begin());
}

std::vector<double> PrecisionRecallPlot::places() const
{
    std::vector<double> recalls; // several thresholds may have one
    for (const RecallPoint& point : m_points) {
        if (recalls.empty() || recalls.back() != point.recall) {
            recalls.push_back(point.recall);
        }
    }
    return recalls;
}

HoverCard PrecisionRecallPlot::cardAt(const ChartPoint& point) const
{
    const RecallPoint& nearestPoint = m_points[nearest(point)];
    const ValueFormat format{1.0, 4, {}};
    HoverCard card;
    card.title = tr("threshold %1").arg(numberText(nearestPoint.threshold, format));
    card.rows.push_back({tr("recall"), {}, numberText(nearestPoint.recall, format)});
    card.rows.push_back({tr("precision"), {}, numberText(nearestPoint.precision, format)});
    return card;
}

void PrecisionRecallPlot::choose(std::size_t number)
{
    setChosen(number);
    emit chosenChanged(number);
}

void PrecisionRecallPlot::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && !m_points.empty()) {
        const PlotScale painted = scale();
        choose(nearest(
            {painted.positionAtPixel(event->position().x()),
             painted.valueAtPixel(event->position().y())}));
    }
    CardChart::mousePressEvent(event);
}

void PrecisionRecallPlot::keyPressEvent(QKeyEvent* event)
{
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isReturn && crossHair() && !m_points.empty()) {
        choose(nearest(*crossHair()));
        return;
    }
    CardChart::keyPressEvent(event);
}

} // namespace lockstep::ui
