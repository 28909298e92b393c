// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/palette.h"

#include <QLabel>

namespace lockstep::ui {

/// Wrapped text in a colour that the palette leaves open; follows a change of the palette. It never
/// asks for more width than there is: folders break behind each slash.
class NoteLabel : public QLabel
{
    Q_OBJECT

public:
    enum class Tone { Plain, Muted, Alert };

    explicit NoteLabel(Tone tone, QWidget* parent = nullptr);

    /// Plain text; none hides the label.
    void setNote(const QString& text);
    /// Shows nothing for a while; may keep its place, so that what is below stays where it is.
    void setVoid(bool isVoid, bool keepsPlace);
    [[nodiscard]] QString note() const { return m_note; }
    /// Puts a dot in its colour before the text, or takes it away.
    void setJudgement(Judgement judgement);
    [[nodiscard]] Judgement judgement() const noexcept { return m_judgement; }
    /// Next to nothing: QLabel's own asks for the height that the text would have if it were
    /// wrapped as narrowly as can be.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void colour();
    [[nodiscard]] QColor color() const;

    Tone m_tone;
    QString m_note;
    Judgement m_judgement = Judgement::None;
};

/// Wrapped plain text that can be selected and copied.
QLabel* selectableLabel(const QString& text = {});

/// The heading of a part of a form or a panel.
QLabel* headingLabel(const QString& text);

/// Colour of words about what is wrong, readable on the window's ground.
QColor alertTextColor(const QPalette& palette);

} // namespace lockstep::ui
