// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/series_store.h"
#include "plots/parts/plot_overlay.h"
#include "theme/tower_colors.h"

#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {

/// What a curve means decides how it is drawn: raw values as pixel columns, the average as a line
/// on top.
enum class CurveKind {
    Tower,     ///< one of many: faint, part of the band
    LastTower, ///< as Tower, with a clear line on top of everything
    Mean,      ///< the bold line, over the band of the towers
    Plain,     ///< one quantity on its own
    Faint,     ///< what an average came from, behind it: a thin line, without smoothing raw values
    Rolling,   ///< a figure that is an average already: a line, whatever the smoothing
    Points,    ///< measured now and then: a line with a dot at each value
    Overlay,   ///< of another run, behind all others: a thin line, over its band if it has one
    OverlayPoints, ///< the same, measured now and then
};

/// Whether a person points at a curve or at another one of its kind.
enum class Emphasis { Usual, Strong, Faded };

/// Colours by meaning; the theme says which they are.
enum class Ink { Text, Muted, Accent, Tower, Overlay };

/// A series as a chart shows it. The store must outlive the chart's use of it.
struct Curve
{
    const SeriesStore* store = nullptr;
    int seriesIndex = 0;
    QString name;
    CurveKind kind = CurveKind::Plain;
    Ink ink = Ink::Text;
    int tower = 0; ///< for Ink::Tower; for Ink::Overlay the number of its colour
    /// Whether values that are not numbers are faults to be marked, or only absent.
    bool isMarkingFaults = true;
    /// The series below and above a band behind the line: of CurveKind::Overlay and CurveKind::Mean
    /// between which its values lie, of others what the name says.
    std::optional<std::pair<int, int>> band = std::nullopt;
    QString bandName = {}; ///< for the legend
    /// For CurveKind::Overlay: of the run itself, which has left these steps behind.
    bool isAbandoned = false;
    /// For overlays: of a run that trained something else. The y axis makes room for neither of
    /// them, unless there is nothing else.
    bool isForeign = false;
    /// An average of all steps so far, whose beginning the y axis leaves out.
    bool isSettling = false;
    Emphasis emphasis = Emphasis::Usual;

    [[nodiscard]] const Series& series() const { return store->series(seriesIndex); }
    /// Whether what is drawn as a line are the values themselves.
    [[nodiscard]] bool isUnsmoothed() const
    {
        return store->smoothing() == 0.0 || !series().isSmoothed();
    }
    /// An average with its uncertainty, or what that came from: the y axis that shows the former
    /// has no room for the latter, so that leaving it is nothing to be marked.
    [[nodiscard]] bool isCutOffScale() const
    {
        const bool isRange = kind == CurveKind::Overlay || kind == CurveKind::Mean;
        return kind == CurveKind::Faint || isSettling || (band && !isRange);
    }
    [[nodiscard]] bool isOverlay() const
    {
        return kind == CurveKind::Overlay || kind == CurveKind::OverlayPoints;
    }
    [[nodiscard]] bool isOfTower() const
    {
        return kind == CurveKind::Tower || kind == CurveKind::LastTower;
    }
};

QColor curveColor(const Curve& curve, const ThemeColors& theme);
/// Whose colour that is, where a person can choose it.
std::optional<ColorOwner> colorOwner(const Curve& curve);

/// A curve of another run.
Curve overlayCurve(const PlotOverlay& overlay, const SeriesStore& store, int seriesIndex);

/// Lets the curve of a tower stand out from those of the others; nothing where it has none there.
void emphasise(std::vector<Curve>& curves, std::optional<int> tower);

} // namespace lockstep::ui
