// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/view/plot_view.h"

#include <QtWidgets>

namespace lockstep::ui {

/// Whether an object is of one of these classes.
template<class... Kinds>
bool isOneOf(const QObject* object)
{
    return ((qobject_cast<const Kinds*>(object) != nullptr) || ...);
}

/// Whether Qt made it within another widget, so that it is not ours.
inline bool isPart(const QWidget* widget)
{
    return widget->objectName().startsWith("qt_")
           || isOneOf<QAbstractSpinBox, QComboBox, QTabBar>(widget->parent());
}

/// What a person acts on or reads from.
inline bool isControl(const QWidget* widget)
{
    const bool isWithin = isPart(widget) || isOneOf<QAbstractItemView>(widget->parent())
                          || isOneOf<QScrollBar>(widget)
                          || widget->window()->windowType() == Qt::Popup;
    return !isWithin
           && isOneOf<
               QAbstractButton, QAbstractSpinBox, QLineEdit, QComboBox, QAbstractSlider,
               QAbstractItemView, PlotView>(widget);
}

/// The class, name and parents of a widget, for a message.
inline QString placeOf(const QWidget* widget)
{
    QStringList parts;
    for (; widget != nullptr; widget = widget->parentWidget()) {
        parts.append(
            QString::fromLatin1(widget->metaObject()->className()) + ' ' + widget->objectName());
    }
    return parts.mid(0, 3).join(" in ");
}

/// A menu and all menus in it, filled as when they are opened.
inline QList<QMenu*> menusIn(QMenu* menu)
{
    QList<QMenu*> menus{menu};
    emit menu->aboutToShow();
    for (const QAction* action : menu->actions()) {
        if (action->menu() != nullptr) {
            menus.append(menusIn(action->menu()));
        }
    }
    return menus;
}

/// All menus of a window.
inline QList<QMenu*> menusOf(const QMainWindow& window)
{
    QList<QMenu*> menus;
    for (const QAction* action : window.menuBar()->actions()) {
        menus.append(menusIn(action->menu()));
    }
    return menus;
}

/// What a screen reader calls it.
inline QString accessibleName(QWidget* widget)
{
    const auto* face = QAccessible::queryAccessibleInterface(widget);
    return face != nullptr ? face->text(QAccessible::Name) : QString();
}

} // namespace lockstep::ui
