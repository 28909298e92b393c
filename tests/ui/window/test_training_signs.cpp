// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/headless_run.h"
#include "ui/private_bus.h"
#include "ui/window_witness.h"
#include "window/desktop/sleep_inhibitor.h"

#include <QDBusContext>
#include <QDBusUnixFileDescriptor>

#include <optional>
#include <poll.h>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::ui;

/// What of org.freedesktop.login1 keeps a computer awake: who asks gets an end of a pipe, and holds
/// the lock until all copies of it are closed.
class FakeLogin : public QObject, protected QDBusContext
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.login1.Manager")

public:
    ~FakeLogin() override
    {
        for (const int end : m_ends) {
            ::close(end);
        }
    }
    [[nodiscard]] int held() const
    {
        return static_cast<int>(std::ranges::count_if(m_ends, [](int end) {
            pollfd wanted{end, 0, 0};
            return ::poll(&wanted, 1, 0) == 0; // else nobody has the other end any more
        }));
    }

    QList<QStringList> calls;
    bool isRefusing = false;

public slots:
    QDBusUnixFileDescriptor Inhibit(
        const QString& what, const QString& who, const QString& why, const QString& mode)
    {
        calls.append({what, who, why, mode});
        if (isRefusing) {
            sendErrorReply(QDBusError::AccessDenied, "not you");
            return {};
        }
        int ends[2];
        if (::pipe(ends) != 0) {
            qFatal("no pipe");
        }
        m_ends.append(ends[0]);
        QDBusUnixFileDescriptor lock(ends[1]);
        ::close(ends[1]); // it has a copy
        return lock;
    }

private:
    QList<int> m_ends;
};

/// The same by org.freedesktop.PowerManagement.
class FakePowerManager : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.PowerManagement.Inhibit")

public:
    QSet<uint> held;
    QStringList reasons;

public slots:
    uint Inhibit(const QString& /*application*/, const QString& reason)
    {
        reasons.append(reason);
        held.insert(++m_last);
        return m_last;
    }
    void UnInhibit(uint cookie) { held.remove(cookie); }

private:
    uint m_last = 40;
};

/// What the desktop is told while the real window trains, on a bus of the test's own that stands
/// for the session's and the system's.
class TestTrainingSigns : public WindowTest
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!PrivateBus::canBeMade()) {
            QSKIP("there is no dbus-daemon (package dbus)");
        }
        m_bus.emplace(std::initializer_list{"DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS"});
        QGuiApplication::setApplicationDisplayName("Lockstep");
        QGuiApplication::setDesktopFileName("lockstep");
        QDBusConnection desktop = PrivateBus::desktop();
        QVERIFY(desktop.registerService("org.freedesktop.login1"));
        QVERIFY(desktop.registerService("org.freedesktop.PowerManagement"));
        QVERIFY(desktop.connect(
            "", "/com/canonical/unity/launcherentry/lockstep", "com.canonical.Unity.LauncherEntry",
            "Update", this, SLOT(onProgress(QString, QVariantMap))));
    }

    void init()
    {
        m_login.emplace();
        m_manager.emplace();
        m_progress.clear();
        QDBusConnection desktop = PrivateBus::desktop();
        QVERIFY(desktop.registerObject(
            "/org/freedesktop/login1", &*m_login, QDBusConnection::ExportAllSlots));
        QVERIFY(desktop.registerObject(
            "/org/freedesktop/PowerManagement/Inhibit", &*m_manager,
            QDBusConnection::ExportAllSlots));
        m_scene.emplace();
    }

    void Training_keepsAwake_exceptWhilePaused()
    {
        trainOn(3);
        QTRY_COMPARE(m_login->held(), 1);
        const QString run = nameOf(m_scene->run().folder());
        QCOMPARE(
            m_login->calls,
            (QList<QStringList>{{"sleep", "Lockstep", run + " is being trained", "block"}}));
        pause();
        QTRY_COMPARE(m_login->held(), 0);
        m_scene->press("Ctrl+P");
        QTRY_COMPARE(m_login->held(), 1);
        stop();
        QTRY_COMPARE(m_login->held(), 0);
        QCOMPARE(m_login->calls.size(), 2);
        QVERIFY(m_manager->reasons.isEmpty());
    }

    void Training_atItsEnd_letsSleep()
    {
        train(20);
        QTRY_COMPARE(m_login->held(), 0);
        QCOMPARE(m_login->calls.size(), 1);
    }

    void Window_gone_letsSleep()
    {
        trainOn(3);
        QTRY_COMPARE(m_login->held(), 1);
        END_SCENE();
        QTRY_COMPARE(m_login->held(), 0);
    }

    void Choice_off_isKept()
    {
        QVERIFY(actions().keepAwake->isChecked());
        trainOn(3);
        QTRY_COMPARE(m_login->held(), 1);
        actions().keepAwake->trigger();
        QTRY_COMPARE(m_login->held(), 0);
        actions().keepAwake->trigger();
        QTRY_COMPARE(m_login->held(), 1);
        actions().keepAwake->trigger();
        stop();
        m_scene->open();
        QVERIFY(!actions().keepAwake->isChecked());
        m_login->calls.clear();
        train(20);
        QVERIFY(m_login->calls.isEmpty());
    }

    void Followed_keepsAwakeWhileItsProcessTrains()
    {
        HeadlessRun other(m_scene->pictures(), m_scene->folder() / "other", 1'000'000);
        QVERIFY(other.awaitSteps(1));
        window().openCommands().openRun(m_scene->folder() / "other");
        QTRY_COMPARE(m_login->held(), 1);
        QTRY_VERIFY(actions().pause->isEnabled());
        m_scene->press("Ctrl+P");
        QTRY_COMPARE(m_login->held(), 0);
        m_scene->press("Ctrl+P");
        QTRY_COMPARE(m_login->held(), 1);
        other.killHard();
        QTRY_COMPARE(m_login->held(), 0);
    }

    void WithoutLogind_thePowerManagerIsAsked_data()
    {
        QTest::addColumn<bool>("isThere");
        QTest::newRow("refuses") << true;
        QTest::newRow("is not there") << false;
    }

    void WithoutLogind_thePowerManagerIsAsked()
    {
        QFETCH(const bool, isThere);
        m_login->isRefusing = true;
        if (!isThere) {
            PrivateBus::desktop().unregisterObject("/org/freedesktop/login1");
        }
        trainOn(3);
        QTRY_COMPARE(m_manager->held.size(), 1);
        const QString run = nameOf(m_scene->run().folder());
        QCOMPARE(m_manager->reasons, QStringList(run + " is being trained"));
        stop();
        QTRY_VERIFY(m_manager->held.isEmpty());
    }

    void WithoutAny_trainsAllTheSame()
    {
        PrivateBus::desktop().unregisterObject("/org/freedesktop/login1");
        PrivateBus::desktop().unregisterObject("/org/freedesktop/PowerManagement/Inhibit");
        train(20);
    }

    /// What was asked for is given back although it comes too late, and what is wanted then holds.
    void Inhibitor_changedBeforeTheAnswer_holdsWhatIsWanted()
    {
        SleepInhibitor inhibitor;
        inhibitor.setReason("first");
        inhibitor.setReason("second");
        inhibitor.setReason({});
        QTRY_COMPARE(m_login->calls.size(), 1);
        QTest::qWait(50);
        QCOMPARE(m_login->held(), 0);
        inhibitor.setReason("third");
        inhibitor.setReason("fourth");
        QTRY_COMPARE(m_login->calls.size(), 3);
        QTRY_COMPARE(m_login->held(), 1);
        QCOMPARE(m_login->calls.back()[2], "fourth");
    }

    void TaskBar_showsHowFarTheRunIs_untilItsEnd()
    {
        QElapsedTimer clock;
        clock.start();
        constexpr int kSteps = 1000;
        m_scene->start(m_scene->config(kSteps));
        WAIT_FOR_STEPS(kSteps / 50);
        pause();
        const std::int64_t done = m_scene->run().newestStep()->step + 1;
        QVERIFY(done < kSteps);
        QTRY_COMPARE(m_progress.back(), static_cast<double>(100 * done / kSteps) / 100.0);
        m_scene->press("Ctrl+P");
        WAIT_FOR_STATE(Finished);
        QTRY_COMPARE(m_progress.back(), -1.0); // no bar any more
        QVERIFY(std::ranges::is_sorted(m_progress.begin(), m_progress.end() - 1));
        // Once a second, and the end at once.
        QVERIFY(m_progress.size() <= clock.elapsed() / 1000 + 2);
    }

public slots:
    void onProgress(const QString& application, const QVariantMap& values)
    {
        QCOMPARE(application, "application://lockstep.desktop");
        m_progress.append(
            values["progress-visible"].toBool() ? values["progress"].toDouble() : -1.0);
    }

private:
    std::optional<PrivateBus> m_bus;
    std::optional<FakeLogin> m_login;
    std::optional<FakePowerManager> m_manager;
    QList<double> m_progress;
};
LOCKSTEP_TEST(TestTrainingSigns)
#include "test_training_signs.moc"
