// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/forms/whole_number_box.h"

#include <QComboBox>
#include <QLayout>
#include <QLineEdit>
#include <QList>

class QCheckBox;

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
    void addButton(QWidget* button) { layout()->addWidget(button); }
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

class WholeNumberEditor : public FieldEditor
{
    Q_OBJECT

public:
    explicit WholeNumberEditor(QWidget* parent = nullptr);

    [[nodiscard]] QString text() const override;
    void setText(const QString& text) override;
    [[nodiscard]] WholeNumberBox* box() const { return m_box; }

private:
    WholeNumberBox* m_box;
};

/// A line of text as it is, except for blanks around it.
class TextEditor : public FieldEditor
{
    Q_OBJECT

public:
    explicit TextEditor(QWidget* parent = nullptr);

    [[nodiscard]] QString text() const override { return m_line->text().trimmed(); }
    void setText(const QString& text) override;

protected:
    [[nodiscard]] QLineEdit* line() const { return m_line; }

private:
    QLineEdit* m_line;
};

/// A number with a decimal point, the locale's or a plain one; keeps every digit of a value that it
/// was given.
class DecimalEditor : public TextEditor
{
    Q_OBJECT

public:
    using TextEditor::TextEditor;

    [[nodiscard]] QString text() const override;
    void setText(const QString& text) override;
};

/// "true" or "false".
class SwitchEditor : public FieldEditor
{
    Q_OBJECT

public:
    explicit SwitchEditor(QWidget* parent = nullptr);

    [[nodiscard]] QString text() const override;
    void setText(const QString& text) override;

private:
    QCheckBox* m_box;
};

/// One of several values. A value that is not among them is added when it is set.
class ChoiceEditor : public FieldEditor
{
    Q_OBJECT

public:
    struct Choice
    {
        QString value;
        QString title;
        QString description; ///< tool tip
        bool isPossible = true;

        bool operator==(const Choice&) const = default;
    };

    explicit ChoiceEditor(QWidget* parent = nullptr);

    /// Replaces the choices, unless they are the same; the value stays.
    void setChoices(const QList<Choice>& choices);
    [[nodiscard]] QString text() const override { return m_box->currentData().toString(); }
    void setText(const QString& text) override;
    /// Of the chosen one.
    [[nodiscard]] QString description() const
    {
        return m_box->currentData(Qt::ToolTipRole).toString();
    }

protected:
    [[nodiscard]] QComboBox* box() const { return m_box; }
    void insert(int row, const Choice& choice);

private:
    QList<Choice> m_choices;
    QComboBox* m_box;
};

} // namespace lockstep::ui
