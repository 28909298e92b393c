// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/phase_colors.h"

namespace lockstep::ui {
namespace {

constexpr double kHatchContrast = 2.2;

/// Greys between ground and text: compute is the quiet bulk of a bar.
QColor grey(double share, const ThemeColors& theme)
{
    return mixed(theme.text, theme.window, share);
}

QColor ink(QRgb onLight, QRgb onDark, const ThemeColors& theme)
{
    return {theme.isDark ? onDark : onLight};
}

QBrush hatched(const QColor& color, const ThemeColors& theme)
{
    return {withContrast(color, theme.window, kHatchContrast), Qt::BDiagPattern};
}

} // namespace

QBrush phaseBrush(StepPhase phase, const ThemeColors& theme)
{
    switch (phase) {
    case StepPhase::Data:
        return hatched(ink(0xff8a6d3b, 0xffc9ab72, theme), theme);
    case StepPhase::Turn:
        return hatched(grey(0.4, theme), theme);
    case StepPhase::Copy:
        return ink(0xff8a6d3b, 0xffc9ab72, theme);
    case StepPhase::Forward:
        return grey(0.38, theme);
    case StepPhase::Backward:
        return grey(0.66, theme);
    case StepPhase::Barrier:
        return hatched(ink(0xffb3193f, 0xffff6b86, theme), theme);
    case StepPhase::Averaging:
        return ink(0xff6d3f9c, 0xffb48be0, theme);
    case StepPhase::Update:
        return ink(0xffb79fd4, 0xff6f559a, theme);
    default:
        return grey(0.12, theme);
    }
}

} // namespace lockstep::ui
