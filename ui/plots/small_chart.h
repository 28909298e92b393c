// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/number_text.h"

#include <QPointF>
#include <QWidget>

#include <vector>

namespace lockstep::ui {

/// One axis of a small chart.
struct SmallAxis
{
    double first = 0.0;
    double last = 1.0;          ///< greater than the first
    bool isLogarithmic = false; ///< both ends are above 0 then
    bool isWhole = false;       ///< there is nothing between two whole numbers
    ValueFormat format = {1.0, 0, {}};
    QString title = {}; ///< stands beside the axis; empty: none
};

/// What is drawn in it.
struct SmallCurve
{
    enum class Style { Line, Dashes, Dots };
    enum class Ink { Accent, Muted, Text };

    QString name; ///< for the legend; empty: not in it
    std::vector<QPointF> points;
    Style style = Style::Line;
    Ink ink = Ink::Accent;
    /// For Dots: from where to where a value was found, as many as points, or none.
    std::vector<std::pair<double, double>> ranges = {};
};

/// A chart of a few points that are all known: no zoom, no cross-hair, no run. What lies outside of
/// the axes is cut off.
class SmallChart : public QWidget
{
    Q_OBJECT

public:
    explicit SmallChart(QWidget* parent = nullptr);

    void setAxes(const SmallAxis& x, const SmallAxis& y);
    /// Drawn in this order, the first one at the bottom.
    void setCurves(std::vector<SmallCurve> curves);
    [[nodiscard]] const std::vector<SmallCurve>& curves() const { return m_curves; }
    [[nodiscard]] const SmallAxis& xAxis() const { return m_x; }
    [[nodiscard]] const SmallAxis& yAxis() const { return m_y; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    SmallAxis m_x;
    SmallAxis m_y;
    std::vector<SmallCurve> m_curves;
};

} // namespace lockstep::ui
