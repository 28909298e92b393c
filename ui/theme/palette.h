// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QColor>
#include <QPalette>

#include <array>
#include <optional>

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
    /// It has the colour of what is wrong.
    std::optional<int> namedTower;
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

/// The two colours that lie over grey pictures, in every theme: blue what is marked, orange what is
/// predicted, Okabe and Ito's sky blue and orange (Color Universal Design, 2008). People with any
/// colour vision tell them apart, and both from grey.
inline QColor labelColor()
{
    return {0x56, 0xb4, 0xe9};
}
inline QColor predictionColor()
{
    return {0xe6, 0x9f, 0x00};
}

/// The share, 0 to 1, of a colour, from black to the colour and on to white, lighter all the way.
/// Not a number: black.
QRgb shareColor(const QColor& color, float share);

/// What a tower does in a step, in the order of time.
enum class StepPhase {
    Data,
    Turn,
    Copy,
    Forward,
    Backward,
    Shared, ///< its GPU works for other towers still
    Barrier,
    Averaging,
    Update,
    Unknown
};

inline constexpr std::array kStepPhases{StepPhase::Data,    StepPhase::Turn,      StepPhase::Copy,
                                        StepPhase::Forward, StepPhase::Backward,  StepPhase::Shared,
                                        StepPhase::Barrier, StepPhase::Averaging, StepPhase::Update,
                                        StepPhase::Unknown};

/// How a phase is painted, the same in every bar and legend: work is solid, waiting is hatched, and
/// none looks like a tower. On the window's ground.
QBrush phaseBrush(StepPhase phase, const ThemeColors& theme);

} // namespace lockstep::ui
