// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QLayout>
#include <QLineEdit>
#include <QList>

#include <optional>

class QCheckBox;

namespace lockstep::ui {

/// Who an input is to tests (the name of the object), people and screen readers; with the line in a
/// spin box or a list.
void describeInput(QWidget& input, const QString& key, const QString& name, const QString& toolTip);

/// Lets the wheel scroll the form rather than change a value that the pointer happens to be over:
/// only the input that has the focus hears it, which it takes by click and tab, not by wheel.
class WheelGuard : public QObject
{
public:
    explicit WheelGuard(QWidget* input) : QObject(input)
    {
        input->setFocusPolicy(Qt::StrongFocus);
        input->installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Wheel && !static_cast<QWidget*>(watched)->hasFocus()) {
            event->ignore(); // goes on to the parent
            return true;
        }
        return QObject::eventFilter(watched, event);
    }
};

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

    /// The value as the input shows it to a person.
    [[nodiscard]] QString shownText() const;
    /// What has the focus.
    [[nodiscard]] QWidget* input() const { return m_input; }
    /// Puts a button to the right of the input.
    void addButton(QWidget* button) { layout()->addWidget(button); }
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

/// A spin box for whole numbers of 64 bits, with thousands separators. Unlike QSpinBox it takes any
/// text: whoever checks the value shall say why it is wrong, not have it changed in silence. The
/// arrows keep within the range and go to multiples of their step.
class WholeNumberBox : public QAbstractSpinBox
{
    Q_OBJECT

public:
    struct Range
    {
        qint64 least = 0;
        qint64 most = 1'000'000'000;
        qint64 step = 1; ///< of the arrows
    };

    explicit WholeNumberBox(QWidget* parent = nullptr);

    void setRange(const Range& range) { m_range = range; }
    /// Words that stand for the least value of the range while the box has not the focus.
    void setLeastText(const QString& text);
    /// Follows the number while the box has not the focus: " steps".
    void setUnit(const QString& unit);

    /// The number typed; none while there is no whole number.
    [[nodiscard]] std::optional<qint64> value() const;
    void setValue(qint64 value) { setText(textOf(value)); }
    void setText(const QString& text);

    void stepBy(int steps) override;

signals:
    void textChanged();

protected:
    [[nodiscard]] StepEnabled stepEnabled() const override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override
    {
        return {sizeHint().width() / 2, sizeHint().height()};
    }

private:
    [[nodiscard]] QString textOf(qint64 value) const;
    /// Writes the number anew, as it is written with or without the focus.
    void rewrite();

    Range m_range;
    QString m_leastText;
    QString m_unit;
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
    explicit TextEditor(QWidget* parent = nullptr, QLineEdit* line = new QLineEdit);

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

    /// Words for a value, which stand in the empty line.
    void setLeastText(const QString& value, const QString& words);
    [[nodiscard]] QString text() const override;
    void setText(const QString& text) override;

private:
    QString m_least; ///< what an empty line counts as
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
