// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/note_label.h"

#include <QEvent>
#include <QPainter>

namespace lockstep::ui {
namespace {

/// WCAG 2.1 asks this of text.
constexpr double kTextContrast = 4.5;

} // namespace

QLabel* selectableLabel(const QString& text)
{
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

QLabel* headingLabel(const QString& text)
{
    auto* const heading = new QLabel(text);
    heading->setTextFormat(Qt::PlainText);
    QFont font = heading->font();
    font.setWeight(QFont::DemiBold);
    heading->setFont(font);
    return heading;
}

QColor alertTextColor(const QPalette& palette)
{
    const ThemeColors theme = themeColors(palette);
    return withContrast(theme.alert, theme.window, kTextContrast);
}

NoteLabel::NoteLabel(Tone tone, QWidget* parent) : QLabel(parent), m_tone(tone)
{
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    colour();
    hide();
}

void NoteLabel::setNote(const QString& text)
{
    m_note = text;
    const QChar zeroWidthSpace(0x200b);
    setText(QString(text).replace(QLatin1Char('/'), QLatin1Char('/') + QString(zeroWidthSpace)));
    setVisible(!text.isEmpty());
}

QSize NoteLabel::minimumSizeHint() const
{
    return {1, fontMetrics().height()};
}

void NoteLabel::setVoid(bool isVoid, bool keepsPlace)
{
    QSizePolicy policy = sizePolicy();
    policy.setRetainSizeWhenHidden(isVoid && keepsPlace);
    setSizePolicy(policy);
    setVisible(!isVoid && !m_note.isEmpty());
}

void NoteLabel::setJudgement(Judgement judgement)
{
    if (m_judgement != judgement) {
        m_judgement = judgement;
        const bool hasDot = judgement != Judgement::None;
        setContentsMargins(hasDot ? static_cast<int>(kDotSize + kDotGap) : 0, 0, 0, 0);
        update();
    }
}

void NoteLabel::paintEvent(QPaintEvent* event)
{
    QLabel::paintEvent(event);
    if (m_judgement == Judgement::None) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(judgementColor(m_judgement, themeColors(palette())));
    const double top = 0.5 * (fontMetrics().height() - kDotSize); // beside the first line
    painter.drawEllipse(QRectF(0.0, top, kDotSize, kDotSize));
}

void NoteLabel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        colour();
    }
    QLabel::changeEvent(event);
}

QColor NoteLabel::color() const
{
    switch (m_tone) {
    case Tone::Plain:
        return palette().color(QPalette::Active, QPalette::Text);
    case Tone::Muted:
        return themeColors(palette()).mutedText;
    case Tone::Alert:
        break;
    }
    return alertTextColor(palette());
}

void NoteLabel::colour()
{
    const QColor wanted = color();
    QPalette own = palette();
    if (own.color(QPalette::Active, QPalette::WindowText) == wanted
        && own.color(QPalette::Disabled, QPalette::WindowText) == wanted) {
        return; // setPalette() comes back here
    }
    own = QPalette();
    own.setColor(QPalette::WindowText, wanted);
    setPalette(own);
}

} // namespace lockstep::ui
