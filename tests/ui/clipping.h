// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/controls.h"
#include "widgets/forms/note_label.h"

namespace lockstep::ui {

/// The room that the text of a widget needs beyond what it has, in pixels; 0 or less: none.
inline int missingTextWidth(const QWidget& widget)
{
    const QFontMetrics metrics(widget.font());
    if (const auto* const label = qobject_cast<const QLabel*>(&widget)) {
        const bool isElided =
            qobject_cast<const ElidedLabel*>(label) != nullptr && !label->wordWrap();
        if (isElided || !label->toolTip().isEmpty()) {
            return 0; // what is elided is said in full on hover
        }
        return label->wordWrap() ? label->heightForWidth(label->width()) - label->height()
                                 : label->sizeHint().width() - label->width();
    }
    if (const auto* const box = qobject_cast<const QComboBox*>(&widget)) {
        QStyleOptionComboBox option;
        option.initFrom(box);
        const QRect field = box->style()->subControlRect(
            QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
        return metrics.horizontalAdvance(box->currentText()) - field.width();
    }
    if (const auto* const box = qobject_cast<const QAbstractSpinBox*>(&widget)) {
        const auto* const line = box->findChild<QLineEdit*>();
        return metrics.horizontalAdvance(box->text()) - line->width();
    }
    if (const auto* const button = qobject_cast<const QAbstractButton*>(&widget)) {
        return button->sizeHint().width() - button->width();
    }
    if (const auto* const tabs = qobject_cast<const QTabBar*>(&widget)) {
        int missing = 0;
        for (int i = 0; i < tabs->count(); ++i) {
            missing = std::max(
                missing, metrics.horizontalAdvance(tabs->tabText(i)) - tabs->tabRect(i).width());
        }
        return missing;
    }
    if (const auto* const header = qobject_cast<const QHeaderView*>(&widget);
        header != nullptr && header->orientation() == Qt::Horizontal) {
        int missing = 0;
        for (int i = 0; i < header->count(); ++i) {
            const QString title =
                header->model()->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString();
            if (!header->isSectionHidden(i)) {
                missing =
                    std::max(missing, metrics.horizontalAdvance(title) - header->sectionSize(i));
            }
        }
        return missing;
    }
    return 0;
}

/// How far a widget reaches out of what contains it, in pixels; what can be scrolled to is in
/// sight.
inline int excessOver(const QWidget& widget, const QWidget& window)
{
    const QRect place(widget.mapTo(&window, QPoint()), widget.size());
    const QWidget* parent = widget.parentWidget();
    while (parent != &window && qobject_cast<const QAbstractScrollArea*>(parent) == nullptr) {
        parent = parent->parentWidget();
    }
    const QRect room(parent->mapTo(&window, QPoint()), parent->size());
    const bool isScrolled = parent != &window;
    return std::max(
        {isScrolled ? 0 : place.bottom() - room.bottom(), isScrolled ? 0 : room.top() - place.top(),
         place.right() - room.right(), room.left() - place.left()});
}

/// The visible widgets of a window that don't show all that they should: narrower than their text,
/// smaller than they have to be, or beyond an edge. A line each.
inline QStringList cutWidgets(const QWidget& window)
{
    QStringList cut;
    for (const QWidget* const widget : window.findChildren<QWidget*>()) {
        if (isPart(widget) || widget->window() != &window || widget->visibleRegion().isEmpty()) {
            continue;
        }
        const bool isScrolled = qobject_cast<const QAbstractScrollArea*>(widget) != nullptr;
        const QSize hint = isScrolled ? QSize(0, 0) : widget->minimumSizeHint();
        const QSize set = widget->minimumSize(); // takes the hint's place
        const QSize least(
            set.width() > 0 ? set.width() : hint.width(),
            set.height() > 0 ? set.height() : hint.height());
        const int missing = std::max(
            {missingTextWidth(*widget), excessOver(*widget, window),
             least.width() - widget->width(), least.height() - widget->height()});
        if (missing > 0) {
            cut.append(QString("%1 px: %2").arg(missing).arg(placeOf(widget)));
        }
    }
    return cut;
}

} // namespace lockstep::ui
