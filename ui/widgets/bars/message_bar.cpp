// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bars/message_bar.h"

#include "theme/icons.h"
#include "theme/palette.h"

#include <QAccessible>
#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

namespace lockstep::ui {
namespace {

constexpr int kIconSize = 18;
constexpr double kTint = 0.14;
constexpr qsizetype kLongText = 200; // letters: about two lines

IconName iconOf(MessageBar::Kind kind)
{
    switch (kind) {
    case MessageBar::Kind::Error:
        return IconName::Error;
    case MessageBar::Kind::Warning:
        return IconName::Warning;
    case MessageBar::Kind::Information:
        break;
    }
    return IconName::Information;
}

/// Up to the end of the first sentence or part of it; the rest is for who wants to know.
QString headOf(const QString& text)
{
    if (text.size() <= kLongText) {
        return text;
    }
    const qsizetype part = text.indexOf(QStringLiteral("; "));
    const qsizetype sentence = text.indexOf(QStringLiteral(". "));
    const qsizetype end = part >= 0 && (sentence < 0 || part < sentence) ? part : sentence;
    return end < 0 ? text : text.left(end) + QStringLiteral(". …");
}

} // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_text(new QLabel(this)),
      m_buttons(new QHBoxLayout), m_close(new QToolButton(this))
{
    setAccessibleName(tr("Message"));
    setAutoFillBackground(true);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setObjectName(QStringLiteral("message"));
    m_close->setAutoRaise(true);
    m_close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    m_close->setToolTip(tr("Close this message"));
    m_close->setAccessibleName(tr("Close this message"));
    connect(m_close, &QToolButton::clicked, this, &MessageBar::clear);

    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 8, 6);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addLayout(m_buttons);
    layout->addWidget(m_close);
    hide();
}

bool MessageBar::hasOffers() const
{
    return m_buttons->count() > 0;
}

void MessageBar::showMessage(
    Kind kind, const QString& text, const std::vector<MessageAction>& actions)
{
    m_kind = kind;
    m_whole = text;
    m_text->setText(headOf(text));
    m_text->setToolTip(m_text->text() == text ? QString() : text);
    setAccessibleDescription(text);
    setActions(actions);
    applyColors();
    show();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void MessageBar::clear()
{
    hide();
    m_whole.clear();
    m_text->clear();
    setActions({});
}

void MessageBar::setActions(const std::vector<MessageAction>& actions)
{
    while (QLayoutItem* const item = m_buttons->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // it may be the one whose click is being handled
        delete item;
    }
    for (const MessageAction& action : actions) {
        auto* const button = new QPushButton(action.text, this);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, [this, action] {
            if (!action.isKeeping) {
                clear();
            }
            action.run();
        });
        m_buttons->addWidget(button);
    }
}

void MessageBar::applyColors()
{
    const ThemeColors theme = themeColors(QApplication::palette());
    const QColor color = m_kind == Kind::Information ? theme.accent
                         : m_kind == Kind::Warning   ? theme.caution
                                                     : theme.alert;
    QPalette tinted; // the other colours are those of the window, and change with them
    tinted.setColor(QPalette::Window, mixed(color, theme.window, kTint));
    m_window = theme.window;
    setPalette(tinted);
    m_icon->setPixmap(
        iconPixmap(iconOf(m_kind), {kIconSize, kIconSize}, devicePixelRatioF(), color));
}

void MessageBar::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    const QColor window = themeColors(QApplication::palette()).window;
    if (event->type() == QEvent::PaletteChange && window != m_window) { // the theme, not the tint
        applyColors();
    }
}

} // namespace lockstep::ui
