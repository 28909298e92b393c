// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/palette.h"

#include <QString>

#include <compare>
#include <optional>

class QWidget;

namespace lockstep::ui {

/// What has a colour that a person can choose.
struct ColorOwner
{
    enum class Kind { Tower, Overlay };
    Kind kind = Kind::Tower;
    int number = 0;

    auto operator<=>(const ColorOwner&) const = default;
};

QColor colorOf(ColorOwner owner, const ThemeColors& theme);

/// The colour of a tower, the same in every chart, table and bar: the one that a person chose, else
/// those of Okabe and Ito (Color Universal Design, 2008), which people with any colour vision tell
/// apart. Their black is the mean's, so that another blue takes its place; on a light card their
/// yellow becomes a dark olive. After eight come the same, paler; after sixteen it starts over.
inline QColor towerColor(int tower, const ThemeColors& theme)
{
    return colorOf({ColorOwner::Kind::Tower, tower}, theme);
}

/// The colour of a run that lies behind the one that is shown, 0 to 7: the one that a person chose,
/// else those of the towers, but beginning with the ones that few runs have.
inline QColor overlayColor(int overlay, const ThemeColors& theme)
{
    return colorOf({ColorOwner::Kind::Overlay, overlay}, theme);
}

/// The tower that a verdict names: it has the colour of what is wrong, in this widget and all below
/// it, until another one is named, or none. They look their colours up again, as after a change of
/// the palette. Two windows show two runs: what is named in one says nothing of the other.
void setNamedTower(QWidget& root, std::optional<int> tower);

/// With the tower that is named nearest above the widget.
ThemeColors themeColors(const QWidget& widget);

/// The one that a person chose. These are of the whole program; only the GUI thread asks for
/// colours.
std::optional<QColor> chosenColor(ColorOwner owner);
/// Nothing: the usual one again. What is painted already stays as it is until it is painted anew.
void chooseColor(ColorOwner owner, std::optional<QColor> color);
/// All choices as text for the settings: "t0 #ff0000 o2 #00ff00"; what is no choice is left out.
QString chosenColors();
void setChosenColors(const QString& text);

} // namespace lockstep::ui
