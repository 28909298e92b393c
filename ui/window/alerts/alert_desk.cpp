// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/alerts/alert_desk.h"

#include "bridge/base/file_names.h"
#include "panels/shared/run_text.h"
#include "plots/axes/number_text.h"

#include <QDesktopServices>
#include <QEvent>
#include <QUrl>

#include <map>
#include <utility>

namespace lockstep::ui {
namespace {

QString subjectOf(AlertKind kind)
{
    return QString::fromLatin1(toString(kind));
}

QString titleOf(AlertKind kind)
{
    const std::map<AlertKind, QString> titles{
        {AlertKind::NotFinite, AlertDesk::tr("The loss is not a number")},
        {AlertKind::Plateau, AlertDesk::tr("The loss does not fall any more")},
        {AlertKind::Stuck, AlertDesk::tr("The run seems to be stuck")},
        {AlertKind::InputBound, AlertDesk::tr("The towers wait for data")},
        {AlertKind::DiskLow, AlertDesk::tr("The disk is nearly full")},
        {AlertKind::TowerLoss, AlertDesk::tr("A tower drifts from the others")},
        {AlertKind::SlowTower, AlertDesk::tr("A tower is slow")},
        {AlertKind::NotLearning, AlertDesk::tr("The network does not learn")},
        {AlertKind::SameData, AlertDesk::tr("All towers get the same rows")}};
    return titles.at(kind);
}

} // namespace

AlertDesk::AlertDesk(
    SessionController& controller, LiveRun& run, Notices& notices, QWidget& window,
    std::unique_ptr<NotificationSender> sender, QObject* parent)
    : QObject(parent), m_controller(controller), m_run(run), m_notices(notices), m_window(window),
      m_sender(std::move(sender))
{
    using C = SessionController;
    connect(&controller.feed(), &RunFeed::alertArrived, this, &AlertDesk::onAlert);
    connect(&controller, &C::stateChanged, this, &AlertDesk::onState);
    connect(&controller, &C::failed, this, [this](const QString& text) {
        notifyOfEnd(RunState::Failed, 0, text);
    });
    connect(&controller, &C::followingEnded, this, [this](const FollowedEnd& end) {
        if (end.state == RunState::Running && m_run.isRecorded()) {
            return; // nobody records it any more, which says nothing of its training
        }
        notifyOfEnd(
            end.state, end.endStep,
            tr("It ended after %1 steps; the log says more.").arg(countText(end.endStep)));
    });
    connect(&controller.feed(), &RunFeed::started, this, &AlertDesk::withdrawAll);
    window.installEventFilter(this);
}

void AlertDesk::setNotifying(bool isOn)
{
    m_isNotifying = isOn;
    if (!isOn && m_sender) {
        m_sender->withdrawAll();
    }
}

/// Who looks at the window needs the desktop's copy no longer.
bool AlertDesk::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::WindowActivate && m_sender) {
        m_sender->withdrawAll();
    }
    return QObject::eventFilter(watched, event);
}

void AlertDesk::onAlert(const AlertRecord& alert)
{
    // What ends a run of this window is told as its end.
    const bool isEnd = alert.kind == AlertKind::NotFinite;
    if (isEnd && !m_controller.isFollowing()) {
        return;
    }
    emit m_notices.noted(sentenceOf(alert.text), !alert.isOver);
    if (alert.isOver) {
        withdraw(alert.kind);
    } else if (!isEnd) {
        showMessage(alert);
        notify(alert);
    }
}

/// An error stays until a person has seen it.
void AlertDesk::showMessage(const AlertRecord& alert)
{
    MessageBar& bar = m_notices.bar();
    if (bar.kind() == MessageBar::Kind::Error && !bar.text().isEmpty()) {
        return;
    }
    const QString text = sentenceOf(alert.text);
    m_shown[alert.kind] = text;
    bar.showMessage(MessageBar::Kind::Warning, text, actionsFor(alert.kind));
}

void AlertDesk::withdraw(AlertKind kind)
{
    if (const auto shown = m_shown.extract(kind)) {
        m_notices.bar().withdraw(shown.mapped());
    }
    if (m_sender) {
        m_sender->withdraw(subjectOf(kind));
    }
}

/// What was told of a run is of no use once that has ended, or another one is shown.
void AlertDesk::withdrawAll()
{
    for (const auto& [kind, text] : std::exchange(m_shown, {})) {
        m_notices.bar().withdraw(text);
    }
    if (m_sender) {
        m_sender->withdrawAll();
    }
}

std::vector<MessageAction> AlertDesk::actionsFor(AlertKind kind)
{
    const bool isOwn = !m_run.isRecorded(); // else there is nothing to be done about it here
    const MessageAction stop{tr("Stop"), [this] { m_controller.send(command::Stop{}); }};
    const MessageAction log = m_notices.showLog();
    using Actions = std::vector<MessageAction>;
    switch (kind) {
    case AlertKind::Plateau:
        return isOwn ? Actions{{tr("Lower the Learning Rate…"),
                                [this] { emit lowerLearningRateRequested(); }},
                               stop}
                     : Actions();
    case AlertKind::Stuck:
        return isOwn ? Actions{log, stop} : Actions{log};
    case AlertKind::DiskLow:
        return {{tr("Show Folder"), [this] {
                     QDesktopServices::openUrl(QUrl::fromLocalFile(toQString(m_run.folder())));
                 }}};
    case AlertKind::TowerLoss:
    case AlertKind::SlowTower:
        return {{tr("Show Towers"), [this] { emit towersRequested(); }, true}};
    case AlertKind::NotLearning:
        return isOwn ? Actions{stop} : Actions();
    case AlertKind::InputBound:
    case AlertKind::NotFinite:
    case AlertKind::SameData:
        break;
    }
    return {};
}

void AlertDesk::notify(const AlertRecord& alert)
{
    Notification notification;
    notification.subject = subjectOf(alert.kind);
    notification.title = tr("%1: %2").arg(runName(), titleOf(alert.kind));
    notification.text = sentenceOf(alert.text);
    notification.isUrgent = alert.kind == AlertKind::Stuck || alert.kind == AlertKind::DiskLow;
    const bool isOwn = !m_run.isRecorded();
    if (isOwn && (alert.kind == AlertKind::Stuck || alert.kind == AlertKind::Plateau)) {
        notification.actions.push_back(
            {tr("Stop"), [this] { m_controller.send(command::Stop{}); }});
    }
    send(std::move(notification));
}

void AlertDesk::onState(SessionController::State state)
{
    using State = SessionController::State;
    const std::int64_t steps = m_run.newestStep() ? m_run.newestStep()->step + 1 : 0;
    if (state == State::Finished) {
        notifyOfEnd(RunState::Finished, steps, {});
    } else if (state == State::Stopped && m_controller.isPlanned()) {
        notifyOfEnd(RunState::Stopped, steps, {});
    }
}

void AlertDesk::notifyOfEnd(RunState state, std::int64_t steps, const QString& error)
{
    withdrawAll();
    const QString subject = QStringLiteral("end");
    if (state == RunState::Finished) {
        send(
            {subject, tr("%1 has finished").arg(runName()),
             tr("All %1 steps are done.").arg(countText(steps))});
    } else if (state == RunState::Stopped) {
        send(
            {subject, tr("%1 has stopped").arg(runName()),
             tr("%1 steps are done and saved.").arg(countText(steps))});
    } else {
        send({subject, tr("%1 was ended by an error").arg(runName()), error, true});
    }
}

void AlertDesk::send(Notification notification)
{
    if (!m_sender || !m_isNotifying || m_window.isActiveWindow()) {
        return;
    }
    notification.onOpened = [&window = m_window] { bringUp(window); };
    m_sender->send(notification);
}

/// A start that came to nothing has no name: the run that is shown is the one before.
QString AlertDesk::runName() const
{
    const bool isNamed =
        m_controller.state() != SessionController::State::Failed || m_controller.isPlanned();
    const QString name = isNamed ? nameOf(m_run.folder()) : QString();
    return name.isEmpty() ? tr("The run") : name;
}

} // namespace lockstep::ui
