// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

namespace lockstep::ui {

/// The colours that a palette leaves open, derived from it, so that charts and painted parts fit a
/// light, a dark or a high-contrast palette. Look them up again on QEvent::PaletteChange.
struct ThemeColors
{
    bool isDark = false;
    QColor window;    ///< behind the cards
    QColor card;      ///< behind a chart
    QColor text;      ///< figures, titles and the mean
    QColor mutedText; ///< explanation, axis labels
    QColor grid;      ///< thin lines of a chart
    QColor accent;    ///< the one colour that asks for attention
    QColor raised;    ///< behind what floats above a card
    QColor outline;   ///< around what floats above a card
    QColor frame;     ///< around what can be checked
    QColor alert;     ///< values that are not numbers, errors
    QColor caution;   ///< what goes on but should be looked at
    QColor good;      ///< what is as it should be
};

/// What a sentence that judges comes to: the colour of the dot in front of it. Its words say it,
/// too; a colour alone never tells.
enum class Judgement { None, Good, Doubtful, Bad };
/// Not for None.
QColor judgementColor(Judgement judgement, const ThemeColors& theme);

/// Diameter of the dot, and its distance from the words.
inline constexpr double kDotSize = 8.0;
inline constexpr double kDotGap = 5.0;

/// Qt 6.4 does not tell whether the desktop is dark; its palette does: text is lighter than its
/// ground.
bool isDark(const QPalette& palette);

ThemeColors themeColors(const QPalette& palette);

/// The palettes behind "Light" and "Dark" where the user does not want the desktop's own.
QPalette lightPalette();
QPalette darkPalette();

/// Ratio of the two colours' luminances as WCAG 2.1 defines it, 1 to 21.
double contrast(const QColor& first, const QColor& second);
/// The colour, as far towards black or white as it takes to stand out from the ground by that
/// contrast.
QColor withContrast(QColor color, const QColor& ground, double least);
/// `share` of the first colour over the second.
QColor mixed(const QColor& first, const QColor& second, double share);

} // namespace lockstep::ui
