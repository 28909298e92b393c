// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/search_line.h"

#include <QKeyEvent>
#include <QToolButton>

#include <algorithm>

namespace lockstep::ui {

SearchLine::SearchLine(
    const QString& name, const QString& hint, const QString& toolTip, QWidget* parent)
    : QLineEdit(parent)
{
    setObjectName(name);
    setPlaceholderText(hint);
    setAccessibleName(hint);
    setToolTip(toolTip);
    setClearButtonEnabled(true);
    findChild<QToolButton*>()->setAccessibleName(tr("Clear the search"));
}

bool SearchLine::finds(const QString& where) const
{
    const QStringList words = text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::ranges::all_of(
        words, [&](const QString& word) { return where.contains(word, Qt::CaseInsensitive); });
}

void SearchLine::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        return clear();
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace lockstep::ui
