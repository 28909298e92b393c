// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/tower_colors.h"

#include <array>

namespace lockstep::ui {
namespace {

// Their black is left to the mean; a grey stands in for it.
constexpr std::array<QRgb, 8> kOkabeIto{
    0xff0072b2, // blue
    0xffe69f00, // orange
    0xff009e73, // bluish green
    0xffcc79a7, // reddish purple
    0xff56b4e9, // sky blue
    0xffd55e00, // vermilion
    0xfff0e442, // yellow
    0xff7f7f7f, // grey
};
constexpr double kLeastContrast = 3.0;
constexpr double kPaleness = 0.45;

} // namespace

QColor towerColor(int tower, const ThemeColors& theme)
{
    const auto index = static_cast<std::size_t>(tower);
    const QColor color =
        withContrast(QColor(kOkabeIto[index % kOkabeIto.size()]), theme.card, kLeastContrast);
    const bool isPale = index / kOkabeIto.size() % 2 == 1;
    return isPale ? withContrast(mixed(theme.text, color, kPaleness), theme.card, kLeastContrast)
                  : color;
}

} // namespace lockstep::ui
