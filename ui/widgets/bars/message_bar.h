// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFrame>
#include <QString>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace lockstep::ui {

/// What can be done about a message: the text of a button and what it does.
struct MessageAction
{
    QString text;
    std::function<void()> run;
    bool isKeeping = false; ///< it only shows something: the message and its offers stay
};

/// A line across the window that says what happened and offers what can be done. It stays until it
/// is closed, acted on or replaced; of a long text only the first sentence stands in it, the whole
/// is its tool tip; nothing else is blocked meanwhile. Hidden while there is nothing to say.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    enum class Kind { Information, Warning, Error };

    explicit MessageBar(QWidget* parent = nullptr);

    void showMessage(
        Kind kind, const QString& text, const std::vector<MessageAction>& actions = {});
    void clear();

    [[nodiscard]] Kind kind() const noexcept { return m_kind; }
    /// The whole text.
    [[nodiscard]] QString text() const { return m_whole; }
    /// Something can still be done about what it says.
    [[nodiscard]] bool hasOffers() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void setActions(const std::vector<MessageAction>& actions);
    void applyColors();

    Kind m_kind = Kind::Information;
    QColor m_window; ///< that the tint was mixed with
    QLabel* m_icon;
    QLabel* m_text;
    QString m_whole;
    QHBoxLayout* m_buttons;
    QToolButton* m_close;
};

} // namespace lockstep::ui
