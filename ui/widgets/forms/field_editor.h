// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace lockstep::ui {

/// Who an input is to tests (the name of the object), people and screen readers; with the line in a
/// spin box or a list.
void describeInput(QWidget& input, const QString& key, const QString& name, const QString& toolTip);

/// The right half of a form's row: one input, whatever its kind, that speaks the text which a
/// configuration has for the value ("0.1", "true", "1000"), the same in every locale.
class FieldEditor : public QWidget
{
    Q_OBJECT

public:
    /// The value; where the person has typed none, what was typed.
    [[nodiscard]] virtual QString text() const = 0;
    /// Shows the value; emits nothing.
    virtual void setText(const QString& text) = 0;

    /// What has the focus.
    [[nodiscard]] QWidget* input() const { return m_input; }
    /// Puts a button to the right of the input.
    void addButton(QWidget* button);
    /// Who the input is to tests, people and screen readers.
    virtual void describe(const QString& key, const QString& name, const QString& toolTip);

signals:
    /// The person has changed the value or its text.
    void edited();

protected:
    explicit FieldEditor(QWidget* parent);
    /// Puts the input in its place and keeps the wheel from it.
    void setInput(QWidget* input);

private:
    QWidget* m_input = nullptr;
};

} // namespace lockstep::ui
