// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/run_series.h"
#include "plots/axes/plot_scale.h"
#include "theme/tower_colors.h"

#include <QList>
#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {

/// Another run behind the one that a chart shows, or a part of that run that it has left behind.
/// The series must outlive the chart's use of it.
struct PlotOverlay
{
    QString name;
    int color = 0; ///< for overlayColor()
    const OverlaySeries* series = nullptr;
    /// Steps that the run itself has left behind: grey, whatever the colour.
    bool isAbandoned = false;
    /// It trained something else.
    bool isForeign = false;
};

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
    /// The series below and above a band behind the line: of CurveKind::Overlay between which its
    /// values lie, of CurveKind::Mean how far the band reaches from the line, of others what the
    /// name says.
    std::optional<std::pair<int, int>> band = std::nullopt;
    QString bandName = {}; ///< for the legend
    /// For CurveKind::Overlay: of the run itself, which has left these steps behind.
    bool isAbandoned = false;
    /// For overlays: of a run that trained something else. The y axis makes room for neither of
    /// them, unless there is nothing else.
    bool isForeign = false;
    /// An average of all steps so far, whose beginning the y axis leaves out.
    bool isSettling = false;
    /// The cross-hair tells its values while the line is hidden, too; none where there is none.
    bool isAlwaysTold = false;
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

/// `number` is that of the tower or the overlay.
QColor inkColor(Ink ink, int number, const ThemeColors& theme);
inline QColor curveColor(const Curve& curve, const ThemeColors& theme)
{
    return inkColor(curve.ink, curve.tower, theme);
}
/// Whose colour that is, where a person can choose it.
std::optional<ColorOwner> colorOwner(const Curve& curve);

/// A curve of another run.
Curve overlayCurve(const PlotOverlay& overlay, const SeriesStore& store, int seriesIndex);

/// Lets the curve of a tower stand out from those of the others; nothing where it has none there.
void emphasise(std::vector<Curve>& curves, std::optional<int> tower);

/// The rows of a curve's line: every `stride`th, on multiples of it, so that the line does not
/// shimmer as the chart moves, and the newest one.
struct RowRange
{
    std::int64_t first = 0;
    std::int64_t end = 0;
    std::int64_t stride = 1;
};

/// Rows that the scale shows and one to each side, thinned to about `most`.
RowRange visibleRows(const Timeline& timeline, const PlotScale& scale, int most);

/// The curve's line at those rows, in pixels, or what lies above it by so many times a series of
/// its store. Where it has no value, or none that the scale can show, there is a point that is not
/// a number, at which a line breaks.
QList<QPointF> curvePoints(
    const Curve& curve, const PlotScale& scale, const RowRange& rows, int distance = 0,
    double times = 0.0);

/// The row of a curve that stands for its value at the cross-hair; -1 if it has none yet. Of the
/// run that is shown it is the newest one as of the step, of another run the one at that place of
/// the axis: its loss is a mean over stretches, its steps took another time.
std::int64_t rowAt(const Curve& curve, const Moment& moment, XAxis axis);

/// Whether that row is one of before: evaluations are made now and then, and another run may have
/// ended there.
bool isBefore(const Curve& curve, std::int64_t row, const Moment& moment, XAxis axis);

/// The tower whose line is within a few pixels of a height of the widget at that moment, and closer
/// than the mean's.
std::optional<int> towerNear(
    const std::vector<Curve>& curves, const PlotScale& scale, const Moment& moment, double y);

} // namespace lockstep::ui
