// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/rows/axis_marks.h"

#include <QPoint>

namespace lockstep::ui {

/// A checkpoint, as the charts show it.
struct PlotPin
{
    std::int64_t step = 0; ///< updates that it has seen
    bool isKept = false;   ///< pinned: it is never deleted
    bool isBest = false;
    QString figure;                                 ///< what tells it from others: its accuracy
    std::vector<std::pair<QString, QString>> facts; ///< for the card: a name and what it is
};

/// The checkpoints of the run, as markers above the plot area of every chart; those in a row whose
/// markers would touch share one.
class PinRow : public AxisMarks
{
    Q_OBJECT

public:
    explicit PinRow(const XRange& range, QObject* parent = nullptr);

    /// By ascending step.
    void setPins(std::vector<PlotPin> pins);
    [[nodiscard]] const std::vector<PlotPin>& pins() const noexcept { return m_pins; }
    [[nodiscard]] bool isEmpty() const override { return m_pins.empty(); }

    [[nodiscard]] std::vector<MarkerGroup> groups(const PlotScale& scale) const override;
    [[nodiscard]] HoverCard card(const MarkerGroup& group) const override;
    [[nodiscard]] QString summary() const override;

signals:
    /// A person asks for what can be done with these.
    void chosen(const lockstep::ui::MarkerGroup& group, const QPoint& globalPosition);

private:
    std::vector<PlotPin> m_pins;
};

/// Paints the markers onto the widget's coordinates.
void paintPins(
    QPainter& painter, const PlotScale& scale, const PinRow& row, const QFont& font,
    const ThemeColors& theme);

} // namespace lockstep::ui
