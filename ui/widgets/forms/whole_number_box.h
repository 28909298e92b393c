// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSpinBox>

#include <optional>

namespace lockstep::ui {

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
    /// Words that stand for 0 while the box has not the focus.
    void setZeroText(const QString& text);
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
    QString m_zeroText;
    QString m_unit;
};

} // namespace lockstep::ui
