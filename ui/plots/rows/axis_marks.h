// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/plot_scale.h"
#include "plots/parts/hover_card.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {

class XRange;

/// A marker that is drawn, and all that it stands for: their numbers in its row, itself first.
struct MarkerGroup
{
    double x = 0.0; ///< its middle, in pixels of the widget
    std::vector<std::size_t> members;
};

/// What stands on the x axis of every chart of a window; where markers would touch, one stands for
/// several. GUI thread.
class AxisMarks : public QObject
{
    Q_OBJECT

public:
    /// Those that are drawn on a chart of that scale, from left to right.
    [[nodiscard]] virtual std::vector<MarkerGroup> groups(const PlotScale& scale) const = 0;
    [[nodiscard]] std::optional<MarkerGroup> groupAt(const PlotScale& scale, QPointF point) const;

    /// The one that the mouse or the keyboard is at; all that is drawn with it tells of itself.
    [[nodiscard]] std::optional<std::size_t> marked() const noexcept { return m_marked; }
    void mark(std::optional<std::size_t> number);
    /// To the drawn one before or behind; from nowhere to the last one.
    void moveMark(const PlotScale& scale, int markers);
    [[nodiscard]] std::optional<MarkerGroup> markedGroup(const PlotScale& scale) const;
    [[nodiscard]] virtual bool isEmpty() const = 0;
    /// What it tells.
    [[nodiscard]] virtual HoverCard card(const MarkerGroup& group) const = 0;
    /// What there is in a sentence, for those who cannot see it; empty if there is nothing.
    [[nodiscard]] virtual QString summary() const = 0;

signals:
    void changed();

protected:
    /// How far a pointer may be from a marker, in pixels: beside it, and above and below its edge
    /// of the plot area.
    struct Reach
    {
        double beside;
        double above;
        double below;
        bool isAtTop;
    };

    /// The range must outlive it.
    AxisMarks(const XRange& range, const Reach& reach, QObject* parent)
        : QObject(parent), m_range(range), m_reach(reach)
    {
    }

    /// There are others now; none of them is marked.
    void renew();
    /// The pixel of what happened after so many updates; nothing outside of the plot area.
    [[nodiscard]] std::optional<double> pixelOf(const PlotScale& scale, std::int64_t updates) const;

private:
    const XRange& m_range;
    Reach m_reach;
    std::optional<std::size_t> m_marked;
};

} // namespace lockstep::ui
