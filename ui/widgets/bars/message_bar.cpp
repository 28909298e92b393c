// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bars/message_bar.h"

#include "theme/icons.h"
#include "theme/palette.h"
#include "widgets/forms/layouts.h"

#include <QAccessible>
#include <QApplication>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kIconSize = 18;
constexpr double kTint = 0.14;

} // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_text(new QLabel(this)), m_buttons(new QHBoxLayout)
{
    setAccessibleName(tr("Message"));
    setAutoFillBackground(true);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setObjectName(QStringLiteral("message"));
    auto* const closeButton = new QToolButton(this);
    closeButton->setAutoRaise(true);
    closeButton->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    closeButton->setToolTip(tr("Close this message"));
    closeButton->setAccessibleName(tr("Close this message"));
    connect(closeButton, &QToolButton::clicked, this, &MessageBar::dismiss);
    rowIn(this, {12, 6, 8, 6}, kUsualSpacing, {m_icon, {m_text, 1}, m_buttons, closeButton});
    hide();
}

/// What only shows something is none.
bool MessageBar::Message::isOffer() const
{
    return std::ranges::any_of(actions, [](const MessageAction& each) { return !each.isKeeping; });
}

void MessageBar::showMessage(
    Kind kind, const QString& text, const std::vector<MessageAction>& actions)
{
    Message next{kind, text, actions};
    if (next.isOffer()) {
        m_behind = {};
    } else if (m_shown.isOffer()) {
        m_behind = m_shown;
    }
    present(std::move(next));
}

void MessageBar::present(Message message)
{
    m_shown = std::move(message);
    setText(m_shown.text);
    setActions();
    applyColors();
    show();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void MessageBar::setText(const QString& text)
{
    m_shown.text = text;
    m_text->setText(text);
    setAccessibleDescription(text);
}

void MessageBar::dismiss()
{
    Message behind = std::exchange(m_behind, {});
    behind.text.isEmpty() ? clear() : present(std::move(behind));
}

void MessageBar::withdraw(const QString& text)
{
    if (m_behind.text == text) {
        m_behind = {};
    }
    if (m_shown.text == text) {
        dismiss();
    }
}

void MessageBar::clear()
{
    hide();
    m_behind = {};
    m_shown = {};
    m_text->clear();
    setActions();
}

void MessageBar::setActions()
{
    while (QLayoutItem* const item = m_buttons->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // it may be the one whose click is being handled
        delete item;
    }
    for (const MessageAction& action : m_shown.actions) {
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
    const auto [icon, color] =
        m_shown.kind == Kind::Information ? std::pair(IconName::Information, theme.accent)
        : m_shown.kind == Kind::Warning   ? std::pair(IconName::Warning, theme.caution)
                                          : std::pair(IconName::Error, theme.alert);
    QPalette tinted; // the other colours are those of the window, and change with them
    tinted.setColor(QPalette::Window, mixed(color, theme.window, kTint));
    m_window = theme.window;
    setPalette(tinted);
    m_icon->setPixmap(iconPixmap(icon, {kIconSize, kIconSize}, devicePixelRatioF(), color));
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
