// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace lockstep::ui {

/// Words that narrow down what is below them; Escape takes them away.
class SearchLine : public QLineEdit
{
    Q_OBJECT

public:
    /// `hint` stands there while it is empty, and is its accessible name.
    SearchLine(
        const QString& name, const QString& hint, const QString& toolTip, QWidget* parent = nullptr)
        : QLineEdit(parent)
    {
        setObjectName(name);
        setPlaceholderText(hint);
        setAccessibleName(hint);
        setToolTip(toolTip);
        setClearButtonEnabled(true);
        findChild<QToolButton*>()->setAccessibleName(tr("Clear the search"));
    }

    /// Whether all of the words occur in the text, in any case.
    [[nodiscard]] bool finds(const QString& where) const
    {
        return std::ranges::all_of(
            text().split(QLatin1Char(' '), Qt::SkipEmptyParts),
            [&](const QString& word) { return where.contains(word, Qt::CaseInsensitive); });
    }

protected:
    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
            return clear();
        }
        QLineEdit::keyPressEvent(event);
    }
};

} // namespace lockstep::ui
