// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/icons.h"
#include "theme/palette.h"

#include <QLabel>

namespace lockstep::ui {

/// Where its text is not wrapped and there is no room for all of it, it ends in "…" and the tool
/// tip begins with the whole of it.
class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    using QLabel::QLabel;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString shownText() const;
};

/// Wrapped text in a colour that the palette leaves open; follows a change of the palette. It never
/// asks for more width than there is: folders break behind each slash.
class NoteLabel : public ElidedLabel
{
    Q_OBJECT

public:
    enum class Tone { Plain, Muted, Alert };

    explicit NoteLabel(Tone tone, QWidget* parent = nullptr);

    void setTone(Tone tone);
    /// Plain text; none hides the label.
    void setNote(const QString& text);
    /// Shows nothing for a while; may keep its place, so that what is below stays where it is.
    void setVoid(bool isVoid, bool keepsPlace);
    [[nodiscard]] QString note() const { return m_note; }
    /// Puts a dot in its colour before the text, or takes it away.
    void setJudgement(Judgement judgement);
    /// Next to nothing: QLabel's own asks for the height that the text would have if it were
    /// wrapped as narrowly as can be.
    [[nodiscard]] QSize minimumSizeHint() const override
    {
        return {1, m_note.isEmpty() ? 0 : fontMetrics().height()};
    }

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void colour();

    Tone m_tone;
    QString m_note;
    Judgement m_judgement = Judgement::None;
};

/// An icon in a colour of the palette, whose changes it follows.
class IconLabel : public QLabel
{
public:
    using QLabel::QLabel;
    void setIcon(IconName name, QSize size, QColor (*color)(const QPalette&));

protected:
    void changeEvent(QEvent* event) override;

private:
    IconName m_name{};
    QSize m_size;
    QColor (*m_color)(const QPalette&) = nullptr; ///< none: there is no icon yet
};

/// What is wrong, in words, behind a small warning sign. Hidden while nothing is.
class ProblemLabel : public QWidget
{
    Q_OBJECT

public:
    explicit ProblemLabel(QWidget* parent = nullptr);

    /// `isMild`: in the colour of a note, without the sign.
    void setProblem(const QString& text, bool isMild = false);
    [[nodiscard]] QString problem() const { return m_text->note(); }

private:
    NoteLabel* m_text;
    IconLabel* m_sign;
};

/// Wrapped plain text that can be selected and copied.
QLabel* selectableLabel(const QString& text = {});

/// The heading of a part of a form, a panel or a dialog; to screen readers it may name what
/// follows.
QLabel* headingLabel(const QString& text, QWidget* buddy = nullptr);

/// Colour of words about what is wrong, readable on the window's ground.
QColor alertTextColor(const QPalette& palette);

} // namespace lockstep::ui
