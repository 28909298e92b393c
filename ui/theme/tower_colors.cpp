// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/tower_colors.h"

#include <array>

namespace lockstep::ui {
namespace {

struct TowerInk
{
    QRgb onDark;
    QRgb onLight;
};

constexpr std::array<TowerInk, 8> kInks{{
    {0xff0072b2, 0xff0072b2}, // blue
    {0xffe69f00, 0xffe69f00}, // orange
    {0xff009e73, 0xff009e73}, // bluish green
    {0xffcc79a7, 0xffcc79a7}, // reddish purple
    {0xff56b4e9, 0xff56b4e9}, // sky blue
    {0xffd55e00, 0xffd55e00}, // vermilion
    {0xfff0e442, 0xff5e591b}, // yellow, olive
    {0xff3d62f5, 0xff3d62f5}, // ultramarine
}};
/// What orange has on white. With 3:1 it would look like vermilion to people who lack the green or
/// the red.
constexpr double kLeastContrast = 2.2;
constexpr double kPaleness = 0.45;
constexpr double kLeastPaleContrast = 1.6;
/// Of towers, the rarest first; neighbours are far from each other.
constexpr std::array<int, kInks.size()> kOverlays{5, 4, 6, 7, 3, 2, 1, 0};

} // namespace

QColor towerColor(int tower, const ThemeColors& theme)
{
    const auto index = static_cast<std::size_t>(tower);
    const TowerInk& ink = kInks[index % kInks.size()];
    const QColor color =
        withContrast(QColor(theme.isDark ? ink.onDark : ink.onLight), theme.card, kLeastContrast);
    const bool isPale = index / kInks.size() % 2 == 1;
    return isPale
               ? withContrast(mixed(theme.card, color, kPaleness), theme.card, kLeastPaleContrast)
               : color;
}

QColor overlayColor(int overlay, const ThemeColors& theme)
{
    return towerColor(kOverlays[static_cast<std::size_t>(overlay) % kOverlays.size()], theme);
}

} // namespace lockstep::ui
