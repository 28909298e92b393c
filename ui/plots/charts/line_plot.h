// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/cards/card_chart.h"
#include "plots/curves/curve.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {
/// A curve of a LinePlot: a few points that are all known.
struct LineCurve
{
    QString name;  ///< for legend and card; empty: it is a stair or limit without a name
    int color = 0; ///< for Ink::Tower: number of the tower's colour
    /// By ascending x; a line breaks at points that are not a number.
    std::vector<QPointF> points = {};
    KeyShape style = KeyShape::Line; ///< Line, Dashes or Dot
    Ink ink = Ink::Tower;
    /// For Dot: from where to where a value was found, as many as points, or none.
    std::vector<std::pair<double, double>> ranges = {};
};

/// Something to be noticed at a place of the x axis.
struct LineMark
{
    double position = 0.0;
    QString text;
    bool isLine = false; ///< down to the axis, with the text beside it; else a small triangle
};

/// A few curves that share a y axis, from 0 or their least value below it: quantities of devices
/// over time, of layers and towers over steps, a learning rate, a speed-up.
class LinePlot : public CardChart
{
    Q_OBJECT

public:
    struct Settings
    {
        QString title;
        QString meaning; ///< shown on hover
        ValueFormat format;
        XAxis axis = XAxis::WallTime;
        std::optional<double> ceiling = std::nullopt; ///< the least top of the y axis
        /// The y axis, from somewhat below the least value above 0.
        bool isLogarithmic = false;
        bool isXLogarithmic = false; ///< setSpan() begins above 0
        /// What the x axis counts, and a place of it in words; none: as the kind of axis says.
        QString xName = {};
        std::function<QString(double position)> placeText = {};
    };

    explicit LinePlot(const Settings& settings, QWidget* parent = nullptr);

    /// `caption` has the current values, with units.
    void setCurves(std::vector<LineCurve> curves, const QString& caption);
    [[nodiscard]] const std::vector<LineCurve>& curves() const noexcept { return m_curves; }
    void setMarks(std::vector<LineMark> marks);
    [[nodiscard]] const std::vector<LineMark>& marks() const noexcept { return m_marks; }
    /// Where the x axis begins and ends, whatever the curves have.
    void setSpan(double first, double last);
    /// Where the y axis begins and ends, whatever the curves have.
    void setValueSpan(double bottom, double top);

protected:
    [[nodiscard]] bool isEmpty() const override;
    [[nodiscard]] QString xName() const override { return m_settings.xName; }
    [[nodiscard]] std::vector<LegendKey> legend() const override;
    [[nodiscard]] PlotScale scaleWithin(const QRectF& area) const override;
    void paintBody(QPainter& painter, const PlotScale& scale) const override;
    [[nodiscard]] std::vector<double> places() const override;
    [[nodiscard]] HoverCard cardAt(const ChartPoint& point) const override;

private:
    void paintMarks(QPainter& painter, const PlotScale& scale) const;

    Settings m_settings;
    std::vector<LineCurve> m_curves;
    std::vector<LineMark> m_marks;
    double m_first = 0.0;
    double m_last = 1.0;
    std::optional<std::pair<double, double>> m_values; ///< none: as the curves have it
};

} // namespace lockstep::ui
