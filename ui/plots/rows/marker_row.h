// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/plot_scale.h"
#include "plots/parts/hover_card.h"

#include <QObject>
#include <QPointF>
#include <QString>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {

class XRange;

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

/// A marker that is drawn, and all that it stands for: indices of MarkerRow::markers(), itself
/// first.
struct MarkerGroup
{
    double x = 0.0; ///< in pixels of the widget
    std::vector<std::size_t> members;
};

/// What happened in the run, on the x axis of every chart. Shared by all charts of a window. GUI
/// thread.
class MarkerRow : public QObject
{
    Q_OBJECT

public:
    /// The range must outlive it.
    explicit MarkerRow(const XRange& range, QObject* parent = nullptr);

    /// By ascending updates.
    void setMarkers(std::vector<PlotMarker> markers);
    [[nodiscard]] const std::vector<PlotMarker>& markers() const noexcept { return m_markers; }

    /// Those that are drawn on a chart of that scale, from left to right, never closer than they
    /// are wide: the more important ones, of equals the earlier ones; each of the others belongs to
    /// the nearest of them.
    [[nodiscard]] std::vector<MarkerGroup> groups(const PlotScale& scale) const;
    [[nodiscard]] std::optional<MarkerGroup> groupAt(const PlotScale& scale, QPointF point) const;

    /// The one that the mouse or the keyboard is at.
    [[nodiscard]] std::optional<std::size_t> marked() const noexcept { return m_marked; }
    void mark(std::optional<std::size_t> marker);
    /// To the drawn one before or behind; from nowhere to the last one.
    void moveMark(const PlotScale& scale, int markers);
    [[nodiscard]] std::optional<MarkerGroup> markedGroup(const PlotScale& scale) const;
    /// What it tells.
    [[nodiscard]] HoverCard card(const MarkerGroup& group) const;
    /// All but the evaluations in a sentence, for those who cannot see them; empty if there are
    /// none.
    [[nodiscard]] QString summary() const;

signals:
    void changed();

private:
    const XRange& m_range;
    std::vector<PlotMarker> m_markers;
    std::optional<std::size_t> m_marked;
};

/// Paints them onto the widget's coordinates.
void paintMarkers(
    QPainter& painter, const PlotScale& scale, const MarkerRow& row, const ThemeColors& theme);

} // namespace lockstep::ui
