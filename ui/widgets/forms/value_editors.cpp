// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/value_editors.h"

#include "widgets/forms/layouts.h"

#include <QCheckBox>
#include <QFocusEvent>
#include <QLocale>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <algorithm>

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
    rowIn(this, {}, 4, {});
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

QString FieldEditor::shownText() const
{
    if (const auto* const box = qobject_cast<const QCheckBox*>(m_input)) {
        return box->isChecked() ? tr("yes") : tr("no");
    }
    const auto* const list = qobject_cast<const QComboBox*>(m_input);
    const auto* const number = qobject_cast<const QAbstractSpinBox*>(m_input);
    const auto* const line = qobject_cast<const QLineEdit*>(m_input);
    return list != nullptr     ? list->currentText()
           : number != nullptr ? number->text()
           : line != nullptr   ? line->text().isEmpty() ? line->placeholderText() : line->text()
                               : text();
}

WholeNumberBox::WholeNumberBox(QWidget* parent) : QAbstractSpinBox(parent)
{
    connect(lineEdit(), &QLineEdit::textChanged, this, &WholeNumberBox::textChanged);
}

void WholeNumberBox::setLeastText(const QString& text)
{
    m_leastText = text;
    rewrite();
}

void WholeNumberBox::setUnit(const QString& unit)
{
    m_unit = unit;
    rewrite();
}

std::optional<qint64> WholeNumberBox::value() const
{
    if (!m_leastText.isEmpty() && text() == m_leastText) {
        return m_range.least;
    }
    // While a figure is typed into 1,000 its separators are out of place: they don't count.
    QString digits = text();
    if (!m_unit.isEmpty() && digits.endsWith(m_unit)) {
        digits.chop(m_unit.size());
    }
    digits = digits.simplified().remove(QLatin1Char(' '));
    digits.remove(locale().groupSeparator());
    bool isNumber = false;
    const qint64 value = locale().toLongLong(digits, &isNumber);
    return isNumber ? std::optional(value) : std::nullopt;
}

void WholeNumberBox::setText(const QString& text)
{
    if (text != lineEdit()->text()) {
        lineEdit()->setText(text);
        lineEdit()->setCursorPosition(0);
    }
}

void WholeNumberBox::stepBy(int steps)
{
    const qint64 now = value().value_or(0);
    const qint64 whole = now / m_range.step;
    const bool isBetween = steps < 0 && now % m_range.step > 0;
    const qint64 to = (whole + (isBetween ? 1 : 0) + steps) * m_range.step;
    setValue(std::clamp(to, m_range.least, m_range.most));
    selectAll();
}

QAbstractSpinBox::StepEnabled WholeNumberBox::stepEnabled() const
{
    const qint64 now = value().value_or(0);
    StepEnabled enabled = StepNone;
    enabled.setFlag(StepUpEnabled, now < m_range.most);
    enabled.setFlag(StepDownEnabled, now > m_range.least);
    return enabled;
}

void WholeNumberBox::focusInEvent(QFocusEvent* event)
{
    rewrite();
    QAbstractSpinBox::focusInEvent(event);
}

void WholeNumberBox::focusOutEvent(QFocusEvent* event)
{
    QAbstractSpinBox::focusOutEvent(event);
    rewrite();
}

QSize WholeNumberBox::sizeHint() const
{
    constexpr int kDigits = 9; // room for 1,000,000
    const int arrows = 2 * fontMetrics().height();
    return {
        fontMetrics().horizontalAdvance(QLatin1Char('8')) * kDigits + arrows,
        QAbstractSpinBox::sizeHint().height()};
}

QString WholeNumberBox::textOf(qint64 value) const
{
    QString number = locale().toString(value);
    if (hasFocus()) {
        return number;
    }
    return value == m_range.least && !m_leastText.isEmpty() ? m_leastText : number + m_unit;
}

void WholeNumberBox::rewrite()
{
    const auto now = value();
    if (now) {
        const QSignalBlocker isNoChange(this);
        setText(textOf(*now));
    }
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

TextEditor::TextEditor(QWidget* parent, QLineEdit* line) : FieldEditor(parent), m_line(line)
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

void DecimalEditor::setLeastText(const QString& value, const QString& words)
{
    m_least = value;
    line()->setPlaceholderText(words);
}

QString DecimalEditor::text() const
{
    const QString typed = TextEditor::text();
    if (typed.isEmpty()) {
        return m_least;
    }
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
        isNumber && !m_least.isEmpty() && value == m_least.toDouble() ? QString()
        : isNumber ? decimalLocale().toString(value, 'g', QLocale::FloatingPointShortest)
                   : text);
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
