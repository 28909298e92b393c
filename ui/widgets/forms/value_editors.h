// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/forms/field_editor.h"
#include "widgets/forms/whole_number_box.h"

#include <QList>

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace lockstep::ui {

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

    [[nodiscard]] QString text() const override;
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
    [[nodiscard]] QString text() const override;
    void setText(const QString& text) override;
    /// Of the chosen one.
    [[nodiscard]] QString description() const;

protected:
    [[nodiscard]] QComboBox* box() const { return m_box; }
    void insert(int row, const Choice& choice);

private:
    QList<Choice> m_choices;
    QComboBox* m_box;
};

} // namespace lockstep::ui
