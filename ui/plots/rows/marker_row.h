// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/rows/axis_marks.h"

namespace lockstep::ui {

/// Something that happened in the run, as the charts show it on their x axis.
struct PlotMarker
{
    /// The more important first: where markers would touch, it is the one that is seen.
    enum class Kind { Fault, LearningRate, Branch, Evaluation };

    Kind kind = Kind::Evaluation;
    std::int64_t updates = 0;                       ///< made when it happened
    QString title;                                  ///< what happened, in a few words
    std::vector<std::pair<QString, QString>> facts; ///< for the card: a name and what it is
};

/// What happened in the run, at the lower edge of every chart. Markers are never closer than they
/// are wide: drawn are the more important ones, of equals the earlier ones; each of the others
/// belongs to the nearest of them.
class MarkerRow : public AxisMarks
{
    Q_OBJECT

public:
    explicit MarkerRow(const XRange& range, QObject* parent = nullptr);

    /// By ascending updates.
    void setMarkers(std::vector<PlotMarker> markers);
    [[nodiscard]] const std::vector<PlotMarker>& markers() const noexcept { return m_markers; }
    [[nodiscard]] bool isEmpty() const override { return m_markers.empty(); }

    [[nodiscard]] std::vector<MarkerGroup> groups(const PlotScale& scale) const override;
    [[nodiscard]] HoverCard card(const MarkerGroup& group) const override;
    /// All but the evaluations.
    [[nodiscard]] QString summary() const override;

private:
    std::vector<PlotMarker> m_markers;
};

/// Paints them onto the widget's coordinates.
void paintMarkers(
    QPainter& painter, const PlotScale& scale, const MarkerRow& row, const ThemeColors& theme);

} // namespace lockstep::ui
