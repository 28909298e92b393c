// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/lockstep_test.h"
#include "ui/private_bus.h"
#include "window/desktop/desktop.h"

#include <QDBusAbstractAdaptor>

#include <memory>
#include <optional>

using namespace lockstep::ui;

/// The desktop's half of org.freedesktop.Notifications, as its specification has it.
class FakeDesktop : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    /// What the service was told.
    struct Call
    {
        uint replaces = 0;
        QString title;
        QString text;
        QStringList actions;
        QVariantMap hints;
    };

public slots:
    uint Notify(
        const QString& /*application*/, uint replaces, const QString& /*icon*/,
        const QString& title, const QString& text, const QStringList& actions,
        const QVariantMap& hints, int /*expires*/)
    {
        calls.push_back({replaces, title, text, actions, hints});
        return replaces != 0 ? replaces : ++m_last;
    }
    void CloseNotification(uint id)
    {
        closed.append(id);
        emit NotificationClosed(id, 3);
    }

signals:
    // NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): moc has its own
    void ActionInvoked(uint id, const QString& action);
    void NotificationClosed(uint id, uint reason);
    // NOLINTEND(readability-inconsistent-declaration-parameter-name)

public:
    std::vector<Call> calls;
    QList<uint> closed;

private:
    uint m_last = 100;
};

/// The sender against a service on a bus of its own.
class TestDesktopNotifications : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!PrivateBus::canBeMade()) {
            QSKIP("there is no dbus-daemon (package dbus)");
        }
        m_bus.emplace(std::initializer_list{"DBUS_SESSION_BUS_ADDRESS"});
        QVERIFY(PrivateBus::desktop().registerService("org.freedesktop.Notifications"));
    }

    void init()
    {
        m_desktop = std::make_unique<FakeDesktop>();
        QVERIFY(PrivateBus::desktop().registerObject(
            "/org/freedesktop/Notifications", m_desktop.get(),
            QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals));
        m_sender = makeNotificationSender();
    }

    void cleanup()
    {
        m_sender.reset();
        PrivateBus::desktop().unregisterObject("/org/freedesktop/Notifications");
    }

    void Send_arrivesAsTheSpecificationSays()
    {
        m_sender->send({"stuck", "Stuck", "a < b & c", true, [] {}, {{"Stop", [] {}}}});
        QTRY_COMPARE(m_desktop->calls.size(), 1U);
        const FakeDesktop::Call& call = m_desktop->calls.front();
        QCOMPARE(call.replaces, 0U);
        QCOMPARE(call.title, "Stuck");
        QCOMPARE(call.text, "a &lt; b &amp; c"); // its body is markup
        QCOMPARE(call.actions, (QStringList{"default", "Show", "0", "Stop"}));
        QCOMPARE(call.hints.value("urgency").toUInt(), 2U);
        m_sender->send({"plateau", "Plateau", "…", false, {}, {}});
        QTRY_COMPARE(m_desktop->calls.size(), 2U);
        QVERIFY(m_desktop->calls.back().actions.isEmpty());
        QCOMPARE(m_desktop->calls.back().hints.value("urgency").toUInt(), 1U);
    }

    void Send_sameSubject_replaces()
    {
        m_sender->send({"stuck", "Stuck", "for 30 s", true, {}, {}});
        QTRY_COMPARE(m_desktop->calls.size(), 1U);
        QTest::qWait(50); // the answer
        m_sender->send({"stuck", "Stuck", "for 60 s", true, {}, {}});
        QTRY_COMPARE(m_desktop->calls.size(), 2U);
        QCOMPARE(m_desktop->calls.back().replaces, 101U);
    }

    // An alert that is told again before the desktop has answered: of three, the first and the
    // newest.
    void Send_sameSubjectBeforeTheAnswer_replacesOnce()
    {
        m_sender->send({"other", "", "", false, {}, {}});
        QTRY_COMPARE(m_desktop->calls.size(), 1U); // the bus is known by now
        for (const char* text : {"for 30 s", "for 60 s", "for 90 s"}) {
            m_sender->send({"stuck", "Stuck", text, true, {}, {}});
        }
        QTRY_COMPARE(m_desktop->calls.size(), 3U);
        QCOMPARE(m_desktop->calls[1].replaces, 0U);
        QCOMPARE(m_desktop->calls[2].replaces, 102U);
        QCOMPARE(m_desktop->calls[2].text, "for 90 s");
        m_sender->withdraw("stuck");
        QTRY_COMPARE(m_desktop->closed, QList<uint>{102});
        QTest::qWait(50);
        QCOMPARE(m_desktop->calls.size(), 3U);
    }

    void Withdraw_closesIt()
    {
        m_sender->send({"stuck", "Stuck", "", true, {}, {}});
        m_sender->send({"plateau", "Plateau", "", true, {}, {}});
        QTRY_COMPARE(m_desktop->calls.size(), 2U);
        QTest::qWait(50);
        m_sender->withdraw("plateau");
        QTRY_COMPARE(m_desktop->closed, QList<uint>{102});
        m_sender->withdraw("plateau"); // there is none any more
        m_sender->withdrawAll();
        QTRY_COMPARE(m_desktop->closed, (QList<uint>{102, 101}));
    }

    void Withdraw_beforeTheAnswer_closesItToo()
    {
        m_sender->send({"first", "", "", true, {}, {}});
        QTRY_COMPARE(m_desktop->calls.size(), 1U); // the bus is known by now
        m_sender->send({"second", "", "", true, {}, {}});
        m_sender->withdraw("second");
        QTRY_COMPARE(m_desktop->closed, QList<uint>{102});
    }

    void Action_doesWhatItSays()
    {
        QStringList done;
        m_sender->send(
            {"stuck",
             "Stuck",
             "",
             true,
             [&] { done.append("shown"); },
             {{"Stop", [&] { done.append("stopped"); }}, {"Log", [&] { done.append("logged"); }}}});
        QTRY_COMPARE(m_desktop->calls.size(), 1U);
        QTest::qWait(50);
        emit m_desktop->ActionInvoked(101, "1");
        QTRY_COMPARE(done, QStringList{"logged"});
        emit m_desktop->ActionInvoked(101, "default");
        QTRY_COMPARE(done, (QStringList{"logged", "shown"}));
    }

    void Action_ofAnotherProgram_isNone()
    {
        QStringList done;
        m_sender->send({"stuck", "Stuck", "", true, [&] { done.append("shown"); }, {}});
        QTRY_COMPARE(m_desktop->calls.size(), 1U);
        QTest::qWait(50);
        emit m_desktop->ActionInvoked(7, "default");
        emit m_desktop->ActionInvoked(101, "5");
        QTest::qWait(100);
        QVERIFY(done.isEmpty());
    }

    void Closed_byThePerson_isForgotten()
    {
        m_sender->send({"stuck", "Stuck", "", true, {}, {}});
        QTRY_COMPARE(m_desktop->calls.size(), 1U);
        QTest::qWait(50);
        emit m_desktop->NotificationClosed(101, 2);
        QTest::qWait(100);
        m_sender->withdrawAll();
        m_sender->send({"stuck", "Stuck", "", true, {}, {}});
        QTRY_COMPARE(m_desktop->calls.size(), 2U);
        QCOMPARE(m_desktop->calls.back().replaces, 0U);
        QVERIFY(m_desktop->closed.isEmpty());
    }

    void Send_withoutAService_isSilent()
    {
        PrivateBus::desktop().unregisterObject("/org/freedesktop/Notifications");
        m_sender->send({"stuck", "Stuck", "", true, {}, {}});
        QTest::qWait(100);
        m_sender->withdrawAll();
        QTest::qWait(50);
        QVERIFY(m_desktop->calls.empty());
    }

private:
    std::optional<PrivateBus> m_bus;
    std::unique_ptr<FakeDesktop> m_desktop;
    std::unique_ptr<NotificationSender> m_sender;
};
LOCKSTEP_TEST(TestDesktopNotifications)
#include "test_desktop_notifications.moc"
