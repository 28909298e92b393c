// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/session/live_run.h"
#include "engine/remote.h"
#include "window/base/window_settings.h"
#include "window/desktop/desktop.h"
#include "window/desktop/sleep_inhibitor.h"

#include <QAction>
#include <QDBusMessage>
#include <QGuiApplication>
#include <QTimer>

#include <algorithm>

namespace lockstep::ui {
namespace {

using State = SessionController::State;

constexpr int kPauseMilliseconds = 1000;

/// A bar at the program's icon in the task bar, where the desktop has that: Unity's launcher
/// protocol (com.canonical.Unity.LauncherEntry), which KDE's, Ubuntu's and other task bars speak.
class LauncherProgress : public QObject
{
public:
    LauncherProgress()
    {
        m_pause.setSingleShot(true);
        m_pause.setInterval(kPauseMilliseconds);
        connect(&m_pause, &QTimer::timeout, this, [this] { setPercent(m_wanted); });
    }

    /// In percent, -1: no bar. Told at most once a second; that there is no bar any more, at once.
    void setPercent(int percent)
    {
        m_wanted = percent;
        if (m_wanted != m_told && (!m_pause.isActive() || m_wanted < 0)) {
            m_bus ? send() : m_bus.look();
        }
    }

private:
    void send()
    {
        m_told = m_wanted;
        m_pause.start();
        QDBusMessage message = QDBusMessage::createSignal(
            QStringLiteral("/com/canonical/unity/launcherentry/lockstep"),
            QStringLiteral("com.canonical.Unity.LauncherEntry"), QStringLiteral("Update"));
        message
            << QStringLiteral("application://%1.desktop").arg(QGuiApplication::desktopFileName())
            << QVariantMap{
                   {QStringLiteral("progress"), std::max(m_told, 0) / 100.0},
                   {QStringLiteral("progress-visible"), m_told >= 0}};
        m_bus->send(message);
    }

    int m_wanted = -1;
    int m_told = -1;
    QTimer m_pause; ///< after each time that it was told
    DesktopBus m_bus{QDBusConnection::SessionBus, [this] { send(); }};
};

class TrainingSigns : public QObject
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::TrainingSigns)

public:
    TrainingSigns(
        SessionController& controller, LiveRun& run, QAction& keepAwake, WindowSettings& settings,
        QObject& owner)
        : QObject(&owner), m_controller(controller), m_run(run), m_keepAwake(keepAwake)
    {
        keepAwake.setChecked(settings.isKeptAwake());
        connect(&keepAwake, &QAction::toggled, this, [this, &settings](bool isOn) {
            settings.isKeptAwake.set(isOn);
            update();
        });
        connect(&controller, &SessionController::stateChanged, this, &TrainingSigns::update);
        connect(&controller, &SessionController::writerChanged, this, &TrainingSigns::update);
        connect(&run, &LiveRun::begun, this, &TrainingSigns::update);
        connect(&run, &LiveRun::configChanged, this, &TrainingSigns::update);
        connect(&run, &LiveRun::stepsAppended, this, &TrainingSigns::showProgress);
    }

private:
    void update()
    {
        m_inhibitor.setReason(
            m_keepAwake.isChecked() && isTrainedHere() && !isPaused()
                ? tr("%1 is being trained").arg(nameOf(m_controller.plan().folder))
                : QString());
        showProgress();
    }

    void showProgress()
    {
        const std::int64_t end = m_run.endStep();
        const bool isKnown = isTrainedHere() && m_run.newestStep() && end > 0;
        m_progress.setPercent(
            isKnown ? static_cast<int>(100 * (m_run.newestStep()->step + 1) / end) : -1);
    }

    /// While one is prepared, the run that is shown is still the one before.
    [[nodiscard]] bool isTrainedHere() const
    {
        return m_run.isTrainedHere() && !m_controller.isPreparing();
    }

    /// What computes nothing loses nothing by sleep, and who pauses a run may want just that.
    [[nodiscard]] bool isPaused() const
    {
        const auto& writer = m_controller.writerStatus();
        return m_controller.state() == State::Paused
               || (m_controller.isFollowing() && writer && writer->state == RunState::Paused);
    }

    SessionController& m_controller;
    LiveRun& m_run;
    const QAction& m_keepAwake;
    SleepInhibitor m_inhibitor;
    LauncherProgress m_progress;
};

} // namespace

void addTrainingSigns(
    SessionController& controller, LiveRun& run, QAction& keepAwake, WindowSettings& settings,
    QObject& owner)
{
    new TrainingSigns(controller, run, keepAwake, settings, owner);
}

} // namespace lockstep::ui
