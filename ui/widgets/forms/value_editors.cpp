// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/value_editors.h"

#include "widgets/forms/wheel_guard.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>
#include <QStandardItemModel>

namespace lockstep::ui {

void describeInput(QWidget& input, const QString& key, const QString& name, const QString& toolTip)
{
    input.setObjectName(key);
    QList<QWidget*> parts{&input};
    const auto inner = input.findChildren<QLineEdit*>();
    parts.append({inner.begin(), inner.end()});
    for (QWidget* const part : parts) {
        part->setAccessibleName(name);
        part->setToolTip(toolTip);
    }
}

FieldEditor::FieldEditor(QWidget* parent) : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
}

void FieldEditor::setInput(QWidget* input)
{
    m_input = input;
    setFocusProxy(input);
    new WheelGuard(input);
    layout()->addWidget(input);
}

void FieldEditor::describe(const QString& key, const QString& name, const QString& toolTip)
{
    describeInput(*m_input, key, name, toolTip);
}

WholeNumberEditor::WholeNumberEditor(QWidget* parent)
    : FieldEditor(parent), m_box(new WholeNumberBox(this))
{
    setInput(m_box);
    connect(m_box, &WholeNumberBox::textChanged, this, &FieldEditor::edited);
}

QString WholeNumberEditor::text() const
{
    const auto value = m_box->value();
    return value ? QString::number(*value) : m_box->text();
}

void WholeNumberEditor::setText(const QString& text)
{
    const QSignalBlocker isNotEdited(m_box);
    bool isNumber = false;
    const qint64 value = text.toLongLong(&isNumber);
    if (isNumber && m_box->value() != value) {
        m_box->setValue(value);
    } else if (!isNumber) {
        m_box->setText(text);
    }
}

TextEditor::TextEditor(QWidget* parent) : FieldEditor(parent), m_line(new QLineEdit(this))
{
    m_line->setMinimumWidth(40);
    m_line->setTextMargins(2, 0, 0, 0); // in line with the other inputs
    setInput(m_line);
    connect(m_line, &QLineEdit::textChanged, this, &FieldEditor::edited);
}

void TextEditor::setText(const QString& text)
{
    if (text != TextEditor::text()) {
        const QSignalBlocker isNotEdited(m_line);
        m_line->setText(text);
        m_line->setCursorPosition(0);
    }
}

namespace {

/// The user's way to write a number, without the thousands separators that 0.1 would be taken for
/// in half of the world.
QLocale decimalLocale()
{
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator | QLocale::RejectGroupSeparator);
    return locale;
}

} // namespace

QString DecimalEditor::text() const
{
    const QString typed = TextEditor::text();
    bool isNumber = false;
    double value = decimalLocale().toDouble(typed, &isNumber);
    if (!isNumber) {
        value = typed.toDouble(&isNumber);
    }
    return isNumber ? QString::number(value, 'g', QLocale::FloatingPointShortest) : typed;
}

void DecimalEditor::setText(const QString& text)
{
    bool isNumber = false;
    const double value = text.toDouble(&isNumber);
    TextEditor::setText(
        isNumber ? decimalLocale().toString(value, 'g', QLocale::FloatingPointShortest) : text);
}

SwitchEditor::SwitchEditor(QWidget* parent) : FieldEditor(parent), m_box(new QCheckBox(this))
{
    setInput(m_box);
    connect(m_box, &QCheckBox::toggled, this, &FieldEditor::edited);
}

QString SwitchEditor::text() const
{
    return m_box->isChecked() ? QStringLiteral("true") : QStringLiteral("false");
}

void SwitchEditor::setText(const QString& text)
{
    const QSignalBlocker isNotEdited(m_box);
    m_box->setChecked(text == QStringLiteral("true"));
}

ChoiceEditor::ChoiceEditor(QWidget* parent) : FieldEditor(parent), m_box(new QComboBox(this))
{
    // Long titles are cut rather than widen the form.
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_box->setMinimumContentsLength(6);
    setInput(m_box);
    connect(m_box, &QComboBox::currentIndexChanged, this, &FieldEditor::edited);
}

void ChoiceEditor::setChoices(const QList<Choice>& choices)
{
    if (choices == m_choices) {
        return;
    }
    m_choices = choices;
    const QString value = text();
    const QSignalBlocker isNotEdited(m_box);
    m_box->clear();
    for (const Choice& choice : choices) {
        insert(m_box->count(), choice);
    }
    if (!value.isEmpty()) {
        setText(value);
    }
}

void ChoiceEditor::insert(int row, const Choice& choice)
{
    const QSignalBlocker isNotEdited(m_box);
    m_box->insertItem(row, choice.title, choice.value);
    m_box->setItemData(row, choice.description, Qt::ToolTipRole);
    auto* model = qobject_cast<QStandardItemModel*>(m_box->model());
    model->item(row)->setEnabled(choice.isPossible);
}

void ChoiceEditor::setText(const QString& text)
{
    const QSignalBlocker isNotEdited(m_box);
    if (m_box->findData(text) < 0) {
        insert(m_box->count(), {text, text, QString()});
    }
    m_box->setCurrentIndex(m_box->findData(text));
}

} // namespace lockstep::ui
