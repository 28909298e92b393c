// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/note_label.h"

#include "widgets/forms/layouts.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

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

QLabel* headingLabel(const QString& text, QWidget* buddy)
{
    auto* const heading = new QLabel(text);
    heading->setTextFormat(Qt::PlainText);
    QFont font = heading->font();
    font.setWeight(QFont::DemiBold);
    heading->setFont(font);
    heading->setBuddy(buddy);
    return heading;
}

QColor alertTextColor(const QPalette& palette)
{
    const ThemeColors theme = themeColors(palette);
    return withContrast(theme.alert, theme.window, kTextContrast);
}

QString ElidedLabel::shownText() const
{
    return wordWrap() ? text()
                      : fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
}

bool ElidedLabel::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && shownText() != text()) {
        const QString own = toolTip().isEmpty() ? QString() : QLatin1Char('\n') + toolTip();
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text() + own, this);
        return true;
    }
    return QLabel::event(event);
}

void ElidedLabel::paintEvent(QPaintEvent* event)
{
    const QString shown = shownText();
    if (shown == text()) {
        return QLabel::paintEvent(event);
    }
    QPainter painter(this);
    style()->drawItemText(
        &painter, contentsRect(), static_cast<int>(alignment()), palette(), isEnabled(), shown,
        foregroundRole());
}

NoteLabel::NoteLabel(Tone tone, QWidget* parent) : ElidedLabel(parent), m_tone(tone)
{
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    colour();
    hide();
}

void NoteLabel::setTone(Tone tone)
{
    m_tone = tone;
    colour();
}

void NoteLabel::setNote(const QString& text)
{
    m_note = text;
    const QChar zeroWidthSpace(0x200b);
    setText(QString(text).replace(QLatin1Char('/'), QLatin1Char('/') + QString(zeroWidthSpace)));
    setVisible(!text.isEmpty());
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
    ElidedLabel::paintEvent(event);
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

void NoteLabel::colour()
{
    const QColor wanted = m_tone == Tone::Plain ? palette().color(QPalette::Active, QPalette::Text)
                          : m_tone == Tone::Muted ? themeColors(palette()).mutedText
                                                  : alertTextColor(palette());
    QPalette own = palette();
    if (own.color(QPalette::Active, QPalette::WindowText) == wanted
        && own.color(QPalette::Disabled, QPalette::WindowText) == wanted) {
        return; // setPalette() comes back here
    }
    own = QPalette();
    own.setColor(QPalette::WindowText, wanted);
    setPalette(own);
}

ProblemLabel::ProblemLabel(QWidget* parent)
    : QWidget(parent), m_text(new NoteLabel(NoteLabel::Tone::Alert, this)),
      m_sign(new IconLabel(this))
{
    const int side = fontMetrics().height();
    m_sign->setIcon(IconName::Warning, {side, side}, alertTextColor);
    rowIn(this, {}, 5, {{m_sign, 0, Qt::AlignTop}, {m_text, 1}});
    hide();
}

void ProblemLabel::setProblem(const QString& text, bool isMild)
{
    m_text->setTone(isMild ? NoteLabel::Tone::Muted : NoteLabel::Tone::Alert);
    m_sign->setVisible(!isMild);
    if (text != problem()) {
        m_text->setNote(text);
        setVisible(!text.isEmpty());
    }
}

void IconLabel::setIcon(IconName name, QSize size, QColor (*color)(const QPalette&))
{
    m_name = name;
    m_size = size;
    m_color = color;
    setPixmap(iconPixmap(name, size, devicePixelRatioF(), color(palette())));
}

void IconLabel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && m_color != nullptr) {
        setIcon(m_name, m_size, m_color);
    }
    QLabel::changeEvent(event);
}

} // namespace lockstep::ui
