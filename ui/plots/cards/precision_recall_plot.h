// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/cards/card_chart.h"

#include <QPointF>

#include <cstddef>
#include <vector>

namespace lockstep::ui {

/// What follows from a threshold.
struct RecallPoint
{
    double threshold = 0.0;
    double recall = 0.0;
    double precision = 0.0;
};

/// Precision over recall, in steps, as the average precision adds it up: from the recall of one
/// threshold to that of the next there is the precision of the latter. Marks the points of best F1
/// and of full recall, and the one that is chosen, which a click or Return at the cross-hair
/// changes.
class PrecisionRecallPlot : public CardChart
{
    Q_OBJECT

public:
    /// Numbers of points that are marked.
    struct Marks
    {
        std::size_t best = 0;
        std::size_t fullRecall = 0;
    };

    explicit PrecisionRecallPlot(QWidget* parent = nullptr);

    /// By descending threshold, so by ascending recall; none empties the chart.
    void setPoints(std::vector<RecallPoint> points, const Marks& marks, const QString& caption);
    [[nodiscard]] const std::vector<RecallPoint>& points() const noexcept { return m_points; }
    [[nodiscard]] const Marks& marks() const noexcept { return m_marks; }
    /// Marks the point of a threshold; tells nobody.
    void setChosen(std::size_t number);
    [[nodiscard]] std::size_t chosen() const noexcept { return m_chosen; }
    /// Where a point is painted, in pixels of the widget.
    [[nodiscard]] QPointF placeOf(std::size_t number) const;

signals:
    /// A person chose this point.
    void chosenChanged(std::size_t number);

protected:
    [[nodiscard]] bool isEmpty() const override { return m_points.empty(); }
    [[nodiscard]] std::vector<LegendKey> legend() const override;
    [[nodiscard]] QString xName() const override { return tr("recall"); }
    [[nodiscard]] PlotScale scaleWithin(const QRectF& area) const override;
    void paintBody(QPainter& painter, const PlotScale& scale) const override;
    [[nodiscard]] std::vector<double> places() const override;
    [[nodiscard]] HoverCard cardAt(const ChartPoint& point) const override;

    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] std::size_t nearest(const ChartPoint& point) const;
    void choose(std::size_t number);

    std::vector<RecallPoint> m_points;
    Marks m_marks;
    std::size_t m_chosen = 0;
};

} // namespace lockstep::ui
