// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFrame>
#include <QString>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace lockstep::ui {

/// What can be done about a message: the text of a button and what it does.
struct MessageAction
{
    QString text;
    std::function<void()> run;
    bool isKeeping = false; ///< it only shows something: the message and its offers stay
};

/// A line across the window that says what happened and offers what can be done. It stays until it
/// is closed, acted on or replaced; an offer that something without offers has replaced comes back
/// once that is closed; nothing else is blocked meanwhile. Hidden while there is nothing to say.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    enum class Kind { Information, Warning, Error };

    explicit MessageBar(QWidget* parent = nullptr);

    void showMessage(
        Kind kind, const QString& text, const std::vector<MessageAction>& actions = {});
    /// Other words for what is shown.
    void setText(const QString& text);
    /// Closes what is shown; an offer behind it comes back.
    void dismiss();
    /// What this message says is no longer so: it goes, and does not come back.
    void withdraw(const QString& text);
    /// Nothing is said or offered any more.
    void clear();

    [[nodiscard]] Kind kind() const noexcept { return m_shown.kind; }
    [[nodiscard]] QString text() const { return m_shown.text; }

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Message
    {
        Kind kind = Kind::Information;
        QString text;
        std::vector<MessageAction> actions;

        [[nodiscard]] bool isOffer() const;
    };

    void present(Message message);
    void setActions();
    void applyColors();

    Message m_shown;
    Message m_behind; ///< an offer that comes back; without text: none
    QColor m_window;  ///< that the tint was mixed with
    QLabel* m_icon;
    QLabel* m_text;
    QHBoxLayout* m_buttons;
};

} // namespace lockstep::ui
