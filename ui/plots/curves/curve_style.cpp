// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/curve_style.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace lockstep::ui {
namespace {

/// Points of all lines of a chart together, at about a microsecond each.
constexpr int kMostPoints = 2600;
constexpr int kPixelsPerPoint = 2;
constexpr int kPixelsPerOverlayPoint = 4;
/// Of all other runs together.
constexpr int kMostOverlayPoints = 1200;
constexpr float kFaint = 0.65F;
constexpr float kFaded = 0.2F;
constexpr double kStrongWidth = 2.6;
/// Of its colour over the card: a band in the legend.
constexpr double kBandShare = 0.22;
constexpr double kPixelsPerDot = 7.0;
/// Of a curve that stands out, and what others keep of theirs.
constexpr double kStrongOpacity = 0.3;
constexpr double kFadedShare = 0.3;

struct KindStyle
{
    double width = 1.0; ///< of the line
    /// Other runs lie at the bottom, then the towers, the mean, the last tower above the mean.
    int layer = 0;
    /// What is left of the raw values: without smoothing they are the curve, else they are its
    /// background.
    double rawOpacity = 1.0;
    double smoothedOpacity = 1.0;
    KeyShape key = KeyShape::Line;
};

/// By CurveKind.
constexpr std::array kKindStyles{
    KindStyle{1.0, 1, 0.06, 0.06},                   // Tower
    KindStyle{1.6, 3, 0.6, 0.06},                    // LastTower
    KindStyle{3.4, 2, 0.8, 0.0, KeyShape::BoldLine}, // Mean
    KindStyle{1.6, 2, 0.9, 0.38},                    // Plain
    KindStyle{1.0, 1, 0.14, 0.0},                    // Faint: it may fill the chart
    KindStyle{1.6, 2, 0.3, 0.3},                     // Rolling
    KindStyle{2.0, 2, 0.0, 0.0, KeyShape::Dot},      // Points
    KindStyle{1.3, 0, 0.0, 0.0},                     // Overlay: its values are the band
    KindStyle{1.3, 0, 0.0, 0.0},                     // OverlayPoints
};
static_assert(kKindStyles.size() == static_cast<std::size_t>(CurveKind::OverlayPoints) + 1);
/// Of the curve that a person points at.
constexpr int kHighestLayer = 4;

const KindStyle& styleOf(const Curve& curve)
{
    return kKindStyles[static_cast<std::size_t>(curve.kind)];
}

bool isImportant(const Curve& curve)
{
    return curve.emphasis == Emphasis::Strong
           || (curve.kind != CurveKind::Tower && !curve.isOverlay());
}

/// The lines that matter get a point for every other pixel; the towers' share what is left.
int pointsFor(const Curve& curve, const std::vector<Curve>& curves, const PlotScale& scale)
{
    if (curve.isOverlay()) {
        const auto overlays = static_cast<int>(std::ranges::count_if(curves, &Curve::isOverlay));
        return std::clamp(
            static_cast<int>(scale.area.width()) / kPixelsPerOverlayPoint, 2,
            kMostOverlayPoints / overlays);
    }
    const int most = std::max(2, static_cast<int>(scale.area.width()) / kPixelsPerPoint);
    const auto important = static_cast<int>(std::ranges::count_if(curves, isImportant));
    const auto others =
        static_cast<int>(std::ranges::count(curves, CurveKind::Tower, &Curve::kind));
    return isImportant(curve) || others == 0
               ? most
               : std::clamp((kMostPoints - important * most) / others, 50, most);
}

QPen penOf(const Curve& curve, const ThemeColors& theme)
{
    QColor color = curveColor(curve, theme);
    const bool isStrong = curve.emphasis == Emphasis::Strong;
    const double width = isStrong ? kStrongWidth : styleOf(curve).width;
    if (curve.emphasis == Emphasis::Faded) {
        color.setAlphaF(kFaded);
    } else if (!isStrong && (curve.kind == CurveKind::Tower || curve.kind == CurveKind::Faint)) {
        color.setAlphaF(kFaint);
    }
    // Qt Charts paints one segment after the other, those with round ends several times as slowly.
    return {color, width, Qt::SolidLine, Qt::SquareCap};
}

/// All but the last tower share a key.
QString towersKey()
{
    return QCoreApplication::translate("lockstep::ui::PlotView", "towers");
}

/// Of the band around a mean.
QString rangeKey(const Curve& mean)
{
    return mean.isUnsmoothed()
               ? QCoreApplication::translate("lockstep::ui::PlotView", "min–max")
               : QCoreApplication::translate("lockstep::ui::PlotView", "min–max, smoothed");
}

} // namespace

double rawOpacity(const Curve& curve, std::size_t curves)
{
    const KindStyle& style = styleOf(curve);
    const bool isCrowded = curve.kind == CurveKind::Tower && curves > 8;
    const double usual =
        (curve.isUnsmoothed() ? style.rawOpacity : style.smoothedOpacity) * (isCrowded ? 0.5 : 1.0);
    return curve.emphasis == Emphasis::Strong  ? std::max(usual, kStrongOpacity)
           : curve.emphasis == Emphasis::Faded ? kFadedShare * usual
                                               : usual;
}

RowRange lineRows(const Curve& curve, const std::vector<Curve>& curves, const PlotScale& scale)
{
    const RowRange rows =
        visibleRows(curve.store->timeline(), scale, pointsFor(curve, curves, scale));
    const bool isAverage = curve.kind == CurveKind::Rolling || curve.kind == CurveKind::Points
                           || curve.isOverlay() || !curve.isUnsmoothed();
    return isAverage || rows.stride == 1 ? rows : RowRange();
}

std::vector<ChartLine> curveLines(
    const std::vector<Curve>& curves, const PlotScale& scale, const ThemeColors& theme)
{
    PlotScale inner = scale;
    inner.area.moveTopLeft({0, 0});
    std::vector<ChartLine> lines;
    for (int current = 0; current <= kHighestLayer; ++current) {
        for (const Curve& curve : curves) {
            const bool isHighest = curve.emphasis == Emphasis::Strong;
            if ((isHighest ? kHighestLayer : styleOf(curve).layer) != current) {
                continue;
            }
            const RowRange rows = lineRows(curve, curves, inner);
            if (rows.first < rows.end) {
                lines.push_back({curvePoints(curve, inner, rows), penOf(curve, theme)});
            }
        }
    }
    return lines;
}

bool hasDots(const Curve& curve, const PlotScale& scale)
{
    const RowRange rows = visibleRows(curve.store->timeline(), scale, 1 << 30);
    return static_cast<double>(rows.end - rows.first) * kPixelsPerDot < scale.area.width();
}

std::vector<LegendKey> legendKeys(const std::vector<Curve>& curves, const ThemeColors& theme)
{
    std::vector<LegendKey> keys;
    LegendKey towers{towersKey(), KeyShape::Lines, {}};
    for (const Curve& curve : curves) {
        const QColor color = curveColor(curve, theme);
        LegendKey own{curve.name, styleOf(curve).key, {}};
        LegendKey& key = curve.kind == CurveKind::Tower ? towers : own;
        key.colors.push_back(color);
        if (const auto owner = colorOwner(curve)) {
            key.owners.push_back(*owner);
        }
        if (&key == &own) {
            keys.insert(curve.kind == CurveKind::Mean ? keys.begin() : keys.end(), own);
        }
        if (!curve.bandName.isEmpty()) {
            keys.push_back(
                {curve.bandName, KeyShape::Band, {mixed(color, theme.card, kBandShare)}});
        }
    }
    if (!towers.colors.empty()) {
        keys.push_back(towers);
        keys.push_back(
            {rangeKey(curves.front()),
             KeyShape::Band,
             {mixed(theme.text, theme.card, kBandShare)}});
    }
    return keys;
}

std::vector<Curve> shownCurves(std::vector<Curve> curves, const QStringList& hiddenKeys)
{
    std::erase_if(curves, [&](const Curve& curve) {
        return hiddenKeys.contains(curve.kind == CurveKind::Tower ? towersKey() : curve.name);
    });
    for (Curve& curve : curves) {
        const QString key = curve.kind == CurveKind::Mean ? rangeKey(curve) : curve.bandName;
        if (curve.band && hiddenKeys.contains(key)) {
            curve.band.reset();
        }
    }
    return curves;
}

} // namespace lockstep::ui
