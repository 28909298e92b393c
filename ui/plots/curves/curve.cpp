// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/curve.h"

#include "theme/tower_colors.h"

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

} // namespace lockstep::ui
