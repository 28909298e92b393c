// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/view/plot_view.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollBar>
#include <QTabBar>

namespace lockstep::ui {

/// What a person acts on or reads from. Parts that Qt makes within such a widget are not ours.
inline bool isControl(const QWidget* widget)
{
    const bool isPart = widget->objectName().startsWith(QStringLiteral("qt_"))
                        || qobject_cast<const QAbstractSpinBox*>(widget->parent()) != nullptr
                        || qobject_cast<const QComboBox*>(widget->parent()) != nullptr
                        || qobject_cast<const QAbstractItemView*>(widget->parent()) != nullptr
                        || qobject_cast<const QTabBar*>(widget->parent()) != nullptr
                        || qobject_cast<const QScrollBar*>(widget) != nullptr
                        || widget->window()->windowType() == Qt::Popup;
    const bool isKind = qobject_cast<const QAbstractButton*>(widget) != nullptr
                        || qobject_cast<const QAbstractSpinBox*>(widget) != nullptr
                        || qobject_cast<const QLineEdit*>(widget) != nullptr
                        || qobject_cast<const QComboBox*>(widget) != nullptr
                        || qobject_cast<const QAbstractSlider*>(widget) != nullptr
                        || qobject_cast<const QAbstractItemView*>(widget) != nullptr
                        || qobject_cast<const PlotView*>(widget) != nullptr;
    return isKind && !isPart;
}

/// The class, name and parents of a widget, for a message.
inline QString placeOf(const QWidget* widget)
{
    QStringList parts;
    for (; widget != nullptr; widget = widget->parentWidget()) {
        parts.append(
            QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ')
            + widget->objectName());
    }
    return parts.mid(0, 3).join(QStringLiteral(" in "));
}

/// What a screen reader calls it.
inline QString accessibleName(QWidget* widget)
{
    const auto* face = QAccessible::queryAccessibleInterface(widget);
    return face != nullptr ? face->text(QAccessible::Name) : QString();
}

} // namespace lockstep::ui
