// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/tower_colors.h"

#include <QApplication>
#include <QStringList>
#include <QVariant>
#include <QWidget>

#include <array>
#include <map>
#include <utility>

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
/// Property of the widgets that setNamedTower() was called for; they may have none named.
constexpr const char* kNamedTower = "named_tower";

std::map<ColorOwner, QColor>& choices()
{
    static std::map<ColorOwner, QColor> chosen;
    return chosen;
}

QColor usualColor(int tower, const ThemeColors& theme)
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

} // namespace

QColor colorOf(ColorOwner owner, const ThemeColors& theme)
{
    if (owner.kind == ColorOwner::Kind::Tower && theme.namedTower == owner.number) {
        return theme.alert;
    }
    if (const auto chosen = chosenColor(owner)) { // in sight, whatever the theme
        return withContrast(*chosen, theme.card, kLeastPaleContrast);
    }
    const auto number = static_cast<std::size_t>(owner.number);
    const bool isTower = owner.kind == ColorOwner::Kind::Tower;
    return usualColor(isTower ? owner.number : kOverlays[number % kOverlays.size()], theme);
}

void setNamedTower(QWidget& root, std::optional<int> tower)
{
    const bool isNews = themeColors(root).namedTower != tower;
    root.setProperty(kNamedTower, QVariant::fromValue(tower));
    if (!isNews) {
        return;
    }
    QList<QWidget*> parts = root.findChildren<QWidget*>();
    parts.append(&root);
    for (QWidget* const part : std::as_const(parts)) {
        QEvent change(QEvent::PaletteChange);
        QApplication::sendEvent(part, &change);
    }
}

ThemeColors themeColors(const QWidget& widget)
{
    ThemeColors colors = themeColors(widget.palette());
    QVariant named;
    for (const QWidget* part = &widget; part != nullptr && !named.isValid();
         part = part->parentWidget()) { // a dock that floats is still below its window
        named = part->property(kNamedTower);
    }
    colors.namedTower = named.value<std::optional<int>>();
    return colors;
}

std::optional<QColor> chosenColor(ColorOwner owner)
{
    const auto found = choices().find(owner);
    return found == choices().end() ? std::nullopt : std::optional(found->second);
}

void chooseColor(ColorOwner owner, std::optional<QColor> color)
{
    choices().erase(owner);
    if (color) {
        choices().emplace(owner, *color);
    }
}

QString chosenColors()
{
    QStringList words;
    for (const auto& [owner, color] : choices()) {
        const QLatin1Char kind(owner.kind == ColorOwner::Kind::Tower ? 't' : 'o');
        words << kind + QString::number(owner.number) << color.name();
    }
    return words.join(QLatin1Char(' '));
}

void setChosenColors(const QString& text)
{
    choices().clear();
    const QStringList words = text.split(QLatin1Char(' '));
    for (qsizetype i = 0; i + 1 < words.size(); i += 2) {
        const bool isTower = words[i].startsWith(QLatin1Char('t'));
        bool isNumber = false;
        const int number = words[i].mid(1).toInt(&isNumber);
        const QColor color(words[i + 1]);
        if (isNumber && color.isValid() && (isTower || words[i].startsWith(QLatin1Char('o')))) {
            chooseColor(
                {isTower ? ColorOwner::Kind::Tower : ColorOwner::Kind::Overlay, number}, color);
        }
    }
}

} // namespace lockstep::ui
