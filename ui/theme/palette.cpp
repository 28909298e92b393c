// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/palette.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

/// WCAG 2.1: graphics need 3:1 against what is behind them, text 4.5:1.
constexpr double kGraphicsContrast = 3.0;
constexpr double kTextContrast = 4.5;

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
           + 0.0722 * linear(color.blueF());
}

struct Grounds
{
    QColor window;
    QColor base;
    QColor button;
    QColor text;
    QColor highlight;
    QColor disabled;
};

QPalette paletteOf(const Grounds& grounds)
{
    QPalette palette(grounds.button, grounds.window);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(role, grounds.text);
        palette.setColor(QPalette::Disabled, role, grounds.disabled);
    }
    palette.setColor(QPalette::Base, grounds.base);
    palette.setColor(QPalette::AlternateBase, mixed(grounds.base, grounds.window, 0.5));
    palette.setColor(QPalette::Highlight, grounds.highlight);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, withContrast(grounds.highlight, grounds.base, kTextContrast));
    palette.setColor(QPalette::ToolTipBase, grounds.base);
    palette.setColor(QPalette::ToolTipText, grounds.text);
    palette.setColor(QPalette::PlaceholderText, grounds.disabled);
    return palette;
}

/// Where the pure colour stands between black and white.
constexpr double kPureShare = 0.75;
/// How much of the way from the pure colour to white the greatest share goes.
constexpr double kMostWhite = 0.7;

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

bool isDark(const QPalette& palette)
{
    return luminance(palette.color(QPalette::WindowText))
           > luminance(palette.color(QPalette::Window));
}

ThemeColors themeColors(const QPalette& palette)
{
    ThemeColors colors;
    colors.isDark = isDark(palette);
    colors.window = palette.color(QPalette::Active, QPalette::Window);
    colors.card = palette.color(QPalette::Active, QPalette::Base);
    colors.text = palette.color(QPalette::Active, QPalette::Text);
    colors.mutedText =
        withContrast(mixed(colors.text, colors.card, 0.58), colors.card, kTextContrast);
    colors.grid = mixed(colors.text, colors.card, colors.isDark ? 0.13 : 0.10);
    colors.accent = withContrast(
        palette.color(QPalette::Active, QPalette::Highlight), colors.card, kGraphicsContrast);
    colors.raised = mixed(colors.text, colors.card, colors.isDark ? 0.06 : 0.025);
    colors.outline = mixed(colors.text, colors.card, 0.22);
    colors.frame = withContrast(colors.outline, colors.card, kGraphicsContrast);
    colors.alert = withContrast(QColor(0xd5, 0x2b, 0x1e), colors.card, kGraphicsContrast);
    colors.caution = withContrast(QColor(0xd9, 0x82, 0x00), colors.card, kGraphicsContrast);
    colors.good = withContrast(QColor(0x00, 0x9e, 0x73), colors.card, kGraphicsContrast);
    return colors;
}

QColor judgementColor(Judgement judgement, const ThemeColors& theme)
{
    return judgement == Judgement::Good       ? theme.good
           : judgement == Judgement::Doubtful ? theme.caution
                                              : theme.alert;
}

QPalette lightPalette()
{
    return paletteOf({0xfff3f4f6, 0xffffffff, 0xfff7f8f9, 0xff1b1d21, 0xff0b6cbd, 0xff757a83});
}

QPalette darkPalette()
{
    return paletteOf({0xff1f2226, 0xff292c31, 0xff32363c, 0xffe9ebee, 0xff2a82da, 0xff8f959e});
}

double contrast(const QColor& first, const QColor& second)
{
    const double a = luminance(first);
    const double b = luminance(second);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

QColor withContrast(QColor color, const QColor& ground, double least)
{
    const QColor target = luminance(ground) > 0.18 ? Qt::black : Qt::white;
    constexpr double kStep = 0.04;
    for (int steps = 0; steps < 50 && contrast(color, ground) < least; ++steps) {
        color = mixed(target, color, kStep);
    }
    return color;
}

QColor mixed(const QColor& first, const QColor& second, double share)
{
    const auto channel = [share](int a, int b) {
        return static_cast<int>(std::lround(a * share + b * (1.0 - share)));
    };
    return {
        channel(first.red(), second.red()), channel(first.green(), second.green()),
        channel(first.blue(), second.blue())};
}

QRgb shareColor(const QColor& color, float share)
{
    const double part = std::isnan(share) ? 0.0 : std::clamp(static_cast<double>(share), 0.0, 1.0);
    if (part <= kPureShare) {
        return mixed(color, Qt::black, part / kPureShare).rgb();
    }
    return mixed(Qt::white, color, kMostWhite * (part - kPureShare) / (1.0 - kPureShare)).rgb();
}

QBrush phaseBrush(StepPhase phase, const ThemeColors& theme)
{
    switch (phase) {
    case StepPhase::Data:
        return hatched(ink(0xff8a6d3b, 0xffc9ab72, theme), theme);
    case StepPhase::Turn:
        return {withContrast(grey(0.4, theme), theme.window, kHatchContrast), Qt::Dense6Pattern};
    case StepPhase::Copy:
        return ink(0xff8a6d3b, 0xffc9ab72, theme);
    case StepPhase::Forward:
        return grey(0.38, theme);
    case StepPhase::Backward:
        return grey(0.66, theme);
    case StepPhase::Shared:
        return grey(0.24, theme);
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
