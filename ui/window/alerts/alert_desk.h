// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/live_run.h"
#include "engine/records.h"
#include "engine/remote.h"
#include "window/alerts/notices.h"
#include "window/desktop/desktop.h"

#include <QObject>

#include <map>
#include <memory>

namespace lockstep::ui {

/// Brings the alerts and the end of a run to a person: into the log, into the message bar with what
/// can be done about it, and, while the window is not the active one, onto the desktop. What is no
/// longer so is taken back. GUI thread.
class AlertDesk : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it. `sender` may be empty: then the desktop is told nothing.
    AlertDesk(
        SessionController& controller, LiveRun& run, Notices& notices, QWidget& window,
        std::unique_ptr<NotificationSender> sender, QObject* parent = nullptr);

    /// Whether there is a desktop to be told.
    [[nodiscard]] bool canNotify() const { return m_sender != nullptr; }
    /// Whether it is.
    void setNotifying(bool isOn);

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void lowerLearningRateRequested();
    void towersRequested();

private:
    void onAlert(const AlertRecord& alert);
    void onState(SessionController::State state);
    void showMessage(const AlertRecord& alert);
    void withdraw(AlertKind kind);
    void withdrawAll();
    void notify(const AlertRecord& alert);
    void notifyOfEnd(RunState state, std::int64_t steps, const QString& error);
    void send(Notification notification);
    [[nodiscard]] std::vector<MessageAction> actionsFor(AlertKind kind);
    [[nodiscard]] QString runName() const;

    SessionController& m_controller;
    LiveRun& m_run;
    Notices& m_notices;
    QWidget& m_window;
    std::unique_ptr<NotificationSender> m_sender;
    bool m_isNotifying = true;
    std::map<AlertKind, QString> m_shown; ///< what the bar was given last, of each kind
};

} // namespace lockstep::ui
