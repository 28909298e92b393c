// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/plot_scale.h"
#include "plots/parts/hover_card.h"

#include <QObject>
#include <QPoint>
#include <QString>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {

class XRange;

/// A checkpoint, as the charts show it.
struct PlotPin
{
    std::int64_t step = 0; ///< updates that it has seen
    bool isKept = false;   ///< pinned: it is never deleted
    bool isBest = false;
    QString figure;                                 ///< what tells it from others: its accuracy
    std::vector<std::pair<QString, QString>> facts; ///< for the card: a name and what it is
};

/// Pins that share one marker because theirs would touch: [first, end) of PinRow::pins().
struct PinGroup
{
    double x = 0.0; ///< middle of the marker, in pixels of the widget
    std::size_t first = 0;
    std::size_t end = 0;
};

/// The checkpoints of the run, as markers above the plot area of every chart. Shared by all charts
/// of a window. GUI thread.
class PinRow : public QObject
{
    Q_OBJECT

public:
    /// The range must outlive it.
    explicit PinRow(const XRange& range, QObject* parent = nullptr);

    /// By ascending step.
    void setPins(std::vector<PlotPin> pins);
    [[nodiscard]] const std::vector<PlotPin>& pins() const noexcept { return m_pins; }

    /// The markers on a chart of that scale, from left to right.
    [[nodiscard]] std::vector<PinGroup> groups(const PlotScale& scale) const;
    [[nodiscard]] std::optional<PinGroup> groupAt(const PlotScale& scale, QPointF point) const;

    /// The pin that the mouse or the keyboard is at; its whole marker is lit and tells of itself.
    [[nodiscard]] std::optional<std::size_t> marked() const noexcept { return m_marked; }
    void mark(std::optional<std::size_t> pin);
    /// To the marker before or behind; from nowhere to the last one.
    void moveMark(const PlotScale& scale, int markers);
    [[nodiscard]] std::optional<PinGroup> markedGroup(const PlotScale& scale) const;
    /// What it tells.
    [[nodiscard]] HoverCard card(const PinGroup& group) const;
    /// All of them in a sentence, for those who cannot see them; empty if there are none.
    [[nodiscard]] QString summary() const;

    /// Asks for what can be done with these.
    void choose(const PinGroup& group, const QPoint& globalPosition);

signals:
    void changed();
    void chosen(const lockstep::ui::PinGroup& group, const QPoint& globalPosition);

private:
    const XRange& m_range;
    std::vector<PlotPin> m_pins;
    std::optional<std::size_t> m_marked;
};

/// Paints the markers onto the widget's coordinates.
void paintPins(
    QPainter& painter, const PlotScale& scale, const PinRow& row, const QFont& font,
    const ThemeColors& theme);

} // namespace lockstep::ui
