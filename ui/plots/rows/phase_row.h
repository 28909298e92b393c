// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/plot_scale.h"
#include "theme/palette.h"

#include <QFont>
#include <QObject>
#include <QString>

#include <cstdint>
#include <vector>

class QPainter;

namespace lockstep::ui {

class XRange;

/// Steps [firstStep, endStep) of a run, in which the same is trained.
struct PhaseBand
{
    std::int64_t firstStep = 0;
    std::int64_t endStep = 0;
    QString name; ///< what is trained
    QString text; ///< all there is to say of it, for the tool tip

    bool operator==(const PhaseBand&) const = default;
};

/// The phases of the run, behind the curves of every chart. Shared by all charts of a window. GUI
/// thread.
class PhaseRow : public QObject
{
    Q_OBJECT

public:
    /// The range must outlive it.
    explicit PhaseRow(const XRange& range, QObject* parent = nullptr);

    /// By ascending step, each where the one before ends. One alone is not shown.
    void setBands(std::vector<PhaseBand> bands);
    [[nodiscard]] const std::vector<PhaseBand>& bands() const noexcept { return m_bands; }

    /// Where a band stands on a chart of that scale, in whole pixels of the widget: only what was
    /// trained already where the axis does not count steps. Empty where none of it is visible.
    [[nodiscard]] QRectF placeOf(const PhaseBand& band, const PlotScale& scale) const;
    /// Where its name does, along the upper edge.
    [[nodiscard]] QRectF namePlaceOf(
        const PhaseBand& band, const PlotScale& scale, const QFont& font) const;
    /// The top of the chart's y axis with room for the names above what it shows.
    [[nodiscard]] static double topAbove(const PlotScale& scale, const QFont& font);
    /// The band whose name line is there.
    [[nodiscard]] const PhaseBand* bandNamedAt(
        const PlotScale& scale, const QFont& font, QPointF point) const;
    /// All in a sentence, for those who cannot see them; empty where none are shown.
    [[nodiscard]] QString summary() const;

signals:
    void changed();

private:
    const XRange& m_range;
    std::vector<PhaseBand> m_bands;
};

/// Paints every second band onto the widget's coordinates.
void paintPhases(
    QPainter& painter, const PlotScale& scale, const PhaseRow& row, const ThemeColors& theme);
/// Their names, as far as there is room for them.
void paintPhaseNames(
    QPainter& painter, const PlotScale& scale, const PhaseRow& row, const QFont& font,
    const ThemeColors& theme);

} // namespace lockstep::ui
