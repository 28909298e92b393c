// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/curve.h"

#include <algorithm>

namespace lockstep::ui {

QColor curveColor(const Curve& curve, const ThemeColors& theme)
{
    switch (curve.ink) {
    case Ink::Muted:
        return theme.mutedText;
    case Ink::Accent:
        return theme.accent;
    case Ink::Tower:
        return towerColor(curve.tower, theme);
    case Ink::Overlay:
        return overlayColor(curve.tower, theme);
    case Ink::Text:
        break;
    }
    return theme.text;
}

std::optional<ColorOwner> colorOwner(const Curve& curve)
{
    using Kind = ColorOwner::Kind;
    const bool isOwned = curve.ink == Ink::Tower || curve.ink == Ink::Overlay;
    const Kind kind = curve.ink == Ink::Tower ? Kind::Tower : Kind::Overlay;
    return isOwned ? std::optional(ColorOwner{kind, curve.tower}) : std::nullopt;
}

Curve overlayCurve(const PlotOverlay& overlay, const SeriesStore& store, int seriesIndex)
{
    Curve curve{
        &store,
        seriesIndex,
        overlay.name,
        CurveKind::Overlay,
        overlay.isAbandoned ? Ink::Muted : Ink::Overlay,
        overlay.color,
        false};
    curve.isAbandoned = overlay.isAbandoned;
    curve.isForeign = overlay.isForeign;
    return curve;
}

void emphasise(std::vector<Curve>& curves, std::optional<int> tower)
{
    const auto isIts = [&](const Curve& curve) {
        return curve.isOfTower() && curve.tower == tower;
    };
    if (!tower || std::ranges::none_of(curves, isIts)) {
        return;
    }
    for (Curve& curve : curves) {
        if (curve.isOfTower()) {
            curve.emphasis = isIts(curve) ? Emphasis::Strong : Emphasis::Faded;
        }
    }
}

} // namespace lockstep::ui
