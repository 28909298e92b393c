// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/mask_colors.h"

#include "theme/palette.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

/// Where the pure colour stands between black and white.
constexpr double kPureShare = 0.75;
/// How much of the way from the pure colour to white the greatest share goes.
constexpr double kMostWhite = 0.7;

} // namespace

// Sky blue and orange of Okabe and Ito (Color Universal Design, 2008).
QColor labelColor()
{
    return {0x56, 0xb4, 0xe9};
}

QColor predictionColor()
{
    return {0xe6, 0x9f, 0x00};
}

QRgb shareColor(const QColor& color, float share)
{
    const double part = std::isnan(share) ? 0.0 : std::clamp(static_cast<double>(share), 0.0, 1.0);
    if (part <= kPureShare) {
        return mixed(color, Qt::black, part / kPureShare).rgb();
    }
    return mixed(Qt::white, color, kMostWhite * (part - kPureShare) / (1.0 - kPureShare)).rgb();
}

} // namespace lockstep::ui
