// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/session_controller.h"
#include "widgets/bars/message_bar.h"

#include <QObject>

#include <functional>
#include <vector>

namespace lockstep::ui {

/// Tells a person what happens in the run that is shown, and what came of what they asked for: a
/// line in the log, and one in the message bar where it should be seen or something can be done
/// about it. GUI thread.
class Notices : public QObject
{
    Q_OBJECT

public:
    using Kind = MessageBar::Kind;

    /// Both must outlive it.
    Notices(SessionController& controller, MessageBar& bar, QObject* parent = nullptr);

    [[nodiscard]] MessageBar& bar() const { return m_bar; }
    // In both places.
    void tell(Kind kind, const QString& text, const std::vector<MessageAction>& actions = {});
    void inform(const QString& text, const std::vector<MessageAction>& actions = {})
    {
        tell(Kind::Information, text, actions);
    }
    void reportError(const QString& text, const std::vector<MessageAction>& actions = {})
    {
        tell(Kind::Error, text, actions);
    }
    /// In the bar alone.
    void show(const QString& text, const std::vector<MessageAction>& actions = {})
    {
        m_bar.showMessage(Kind::Information, text, actions);
    }
    /// Runs it; an error becomes a message.
    void attempt(const std::function<void()>& work);
    /// An offer to look at the log.
    [[nodiscard]] MessageAction showLog();

signals:
    /// For the log.
    void noted(const QString& text, bool isWarning);
    void logRequested();

private:
    void onEvaluation(const EvaluationRecord& record);
    void onPreflight(const PreflightRecord& record);

    SessionController& m_controller;
    MessageBar& m_bar;
    QString m_lastWarning; ///< of the engine, in the run that was started last
};

} // namespace lockstep::ui
