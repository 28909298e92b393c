// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace lockstep::ui {

/// Words that narrow down what is below them; Escape takes them away.
class SearchLine : public QLineEdit
{
    Q_OBJECT

public:
    /// `hint` stands there while it is empty, and is its accessible name.
    SearchLine(
        const QString& name, const QString& hint, const QString& toolTip,
        QWidget* parent = nullptr);

    /// Whether all of the words occur in the text, in any case.
    [[nodiscard]] bool finds(const QString& where) const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
};

} // namespace lockstep::ui
