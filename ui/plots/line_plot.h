// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/card_chart.h"

#include <QPointF>

#include <vector>

namespace lockstep::ui {

/// A line of a LinePlot.
struct LineCurve
{
    QString name;
    int color = 0; ///< number of a tower's colour
    /// By ascending x; the line breaks at points that are not a number.
    std::vector<QPointF> points = {};
};

/// Something to be noticed at a place of the x axis.
struct LineMark
{
    double position = 0.0;
    QString text;
};

/// A few lines that share a y axis, from 0 or their least value below it, in the colours of towers:
/// quantities of devices over time, of layers and towers over steps.
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
        std::optional<double> ceiling; ///< the least top of the y axis
    };

    explicit LinePlot(const Settings& settings, QWidget* parent = nullptr);

    /// `caption` has the current values, with units.
    void setCurves(std::vector<LineCurve> curves, const QString& caption);
    [[nodiscard]] const std::vector<LineCurve>& curves() const noexcept { return m_curves; }
    void setMarks(std::vector<LineMark> marks);
    [[nodiscard]] const std::vector<LineMark>& marks() const noexcept { return m_marks; }
    /// Where the x axis begins and ends, whatever the curves have.
    void setSpan(double first, double last);

protected:
    [[nodiscard]] bool isEmpty() const override;
    [[nodiscard]] QString captionText() const override { return m_caption; }
    [[nodiscard]] QString explanation() const override { return m_settings.meaning; }
    [[nodiscard]] std::vector<LegendKey> legend() const override;
    [[nodiscard]] PlotScale scaleWithin(const QRectF& area) const override;
    void paintBody(QPainter& painter, const PlotScale& scale) const override;
    [[nodiscard]] double placeNear(double position, int steps) const override;
    [[nodiscard]] HoverCard cardAt(const ChartPoint& point) const override;

private:
    void paintMarks(QPainter& painter, const PlotScale& scale) const;
    [[nodiscard]] QString titleAt(double position) const;

    Settings m_settings;
    QString m_caption;
    std::vector<LineCurve> m_curves;
    std::vector<LineMark> m_marks;
    double m_first = 0.0;
    double m_last = 1.0;
};

} // namespace lockstep::ui
