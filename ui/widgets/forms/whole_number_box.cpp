// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/whole_number_box.h"

#include <QFocusEvent>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>

namespace lockstep::ui {
namespace {

/// Room for 1,000,000 and the arrows.
constexpr int kDigits = 9;

} // namespace

WholeNumberBox::WholeNumberBox(QWidget* parent) : QAbstractSpinBox(parent)
{
    connect(lineEdit(), &QLineEdit::textChanged, this, &WholeNumberBox::textChanged);
}

void WholeNumberBox::setZeroText(const QString& text)
{
    m_zeroText = text;
    rewrite();
}

void WholeNumberBox::setUnit(const QString& unit)
{
    m_unit = unit;
    rewrite();
}

std::optional<qint64> WholeNumberBox::value() const
{
    if (!m_zeroText.isEmpty() && text() == m_zeroText) {
        return 0;
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
    return value == 0 && !m_zeroText.isEmpty() ? m_zeroText : number + m_unit;
}

void WholeNumberBox::rewrite()
{
    const auto now = value();
    if (now) {
        const QSignalBlocker isNoChange(this);
        setText(textOf(*now));
    }
}

} // namespace lockstep::ui
