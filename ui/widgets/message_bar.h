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
};

/// A line across the window that says what happened and offers what can be done. It stays until it
/// is closed, acted on or replaced; nothing else is blocked meanwhile. Hidden while there is
/// nothing to say.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    enum class Kind { Information, Warning, Error };

    explicit MessageBar(QWidget* parent = nullptr);

    void showMessage(Kind kind, const QString& text, std::vector<MessageAction> actions = {});
    /// Closes it, if it is no error: those stay until a person has seen them.
    void clearUnlessError();
    void clear();

    [[nodiscard]] Kind kind() const noexcept { return m_kind; }
    [[nodiscard]] QString text() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void setActions(std::vector<MessageAction> actions);
    void applyColors();

    Kind m_kind = Kind::Information;
    QColor m_window; ///< that the tint was mixed with
    QLabel* m_icon;
    QLabel* m_text;
    QHBoxLayout* m_buttons;
    QToolButton* m_close;
};

} // namespace lockstep::ui
