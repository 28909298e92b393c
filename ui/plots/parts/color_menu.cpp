// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/parts/color_menu.h"

#include <QApplication>
#include <QColorDialog>
#include <QMenu>

namespace lockstep::ui {
namespace {

struct ColorMenu
{
    Q_DECLARE_TR_FUNCTIONS(ColorMenu)
};

void take(ColorOwner owner, std::optional<QColor> color)
{
    chooseColor(owner, color);
    tellOfColors();
}

void openDialog(ColorOwner owner, QWidget& parent)
{
    auto* const dialog =
        new QColorDialog(colorOf(owner, themeColors(parent.palette())), parent.window());
    dialog->setObjectName(QStringLiteral("color_dialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(
        owner.kind == ColorOwner::Kind::Tower
            ? ColorMenu::tr("Colour of Tower %1").arg(owner.number)
            : ColorMenu::tr("Colour of the Run"));
    QObject::connect(dialog, &QColorDialog::colorSelected, dialog, [owner](const QColor& color) {
        take(owner, color);
    });
    dialog->show();
}

} // namespace

void openColorMenu(ColorOwner owner, const QPoint& globalPosition, QWidget& parent)
{
    auto* const menu = new QMenu(&parent);
    menu->setObjectName(QStringLiteral("color_menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(
        ColorMenu::tr("&Colour…"), &parent, [owner, &parent] { openDialog(owner, parent); });
    menu->addAction(ColorMenu::tr("&Usual Colour"), &parent, [owner] { take(owner, std::nullopt); })
        ->setEnabled(chosenColor(owner).has_value());
    menu->popup(globalPosition);
}

void tellOfColors()
{
    for (QWidget* const widget : QApplication::allWidgets()) {
        QEvent change(QEvent::PaletteChange);
        QApplication::sendEvent(widget, &change);
    }
}

} // namespace lockstep::ui
