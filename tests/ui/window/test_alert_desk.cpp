// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/small_pictures.h"
#include "ui/window_witness.h"
#include "window/alerts/alert_desk.h"

#include <memory>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

/// Keeps what the desktop would be told.
class FakeSender : public NotificationSender
{
public:
    struct Log
    {
        std::vector<Notification> sent;
        QStringList withdrawn; ///< "*" for all
    };

    explicit FakeSender(Log& log) : m_log(log) {}
    void send(const Notification& notification) override { m_log.sent.push_back(notification); }
    void withdraw(const QString& subject) override { m_log.withdrawn.append(subject); }
    void withdrawAll() override { m_log.withdrawn.append("*"); }

private:
    Log& m_log;
};

AlertRecord alertOf(AlertKind kind, bool isOver = false)
{
    return {kind, isOver, 12, -1, isOver ? "that is over" : "something is so"};
}

/// A window with a bar and a desk, and another window that a person may look at instead.
struct Scene
{
    Scene()
    {
        auto* const layout = new QVBoxLayout(&window);
        layout->addWidget(bar);
        desk = std::make_unique<AlertDesk>(
            controller, run, notices, window, std::make_unique<FakeSender>(log));
        QObject::connect(&notices, &Notices::noted, [this](const QString& text, bool isWarning) {
            notes.append((isWarning ? "! " : QString()) + text);
        });
        window.show();
        other.show();
    }

    void lookAt(QWidget& widget) const
    {
        widget.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&widget));
    }
    void tell(AlertKind kind, bool isOver = false)
    {
        emit controller.feed().alertArrived(alertOf(kind, isOver));
    }
    [[nodiscard]] QStringList offers() const { return offerTextsOf(*bar); }
    [[nodiscard]] QString message() const { return messageOf(*bar); }

    SessionController controller;
    LiveRun run{controller};
    QWidget window;
    QWidget other;
    MessageBar* bar = new MessageBar;
    Notices notices{controller, *bar};
    FakeSender::Log log;
    QStringList notes;
    std::unique_ptr<AlertDesk> desk;
};

} // namespace

class TestAlertDesk : public QObject
{
    Q_OBJECT

private slots:
    void Alert_isShown_logged_andOffersWhatHelps_data()
    {
        QTest::addColumn<AlertKind>("kind");
        QTest::addColumn<QStringList>("offers");
        QTest::newRow("plateau") << AlertKind::Plateau
                                 << QStringList{"Lower the Learning Rate…", "Stop"};
        QTest::newRow("stuck") << AlertKind::Stuck << QStringList{"Show Log", "Stop"};
        QTest::newRow("input") << AlertKind::InputBound << QStringList{};
        QTest::newRow("disk") << AlertKind::DiskLow << QStringList{"Show Folder"};
        QTest::newRow("loss") << AlertKind::TowerLoss << QStringList{"Show Towers"};
        QTest::newRow("slow") << AlertKind::SlowTower << QStringList{"Show Towers"};
    }

    void Alert_isShown_logged_andOffersWhatHelps()
    {
        QFETCH(AlertKind, kind);
        QFETCH(QStringList, offers);
        Scene scene;
        scene.tell(kind);
        QCOMPARE(scene.message(), "Something is so.");
        QCOMPARE(scene.bar->kind(), MessageBar::Kind::Warning);
        QCOMPARE(scene.offers(), offers);
        QCOMPARE(scene.notes, QStringList{"! Something is so."});
    }

    void Alert_hasFiguresAsTheUserWritesThem()
    {
        QLocale::setDefault({QLocale::German, QLocale::Germany});
        Scene scene;
        AlertRecord alert = alertOf(AlertKind::SlowTower);
        alert.text = "tower 3 makes everyone wait 12 % of the time: 6.1 ms a step";
        emit scene.controller.feed().alertArrived(alert);
        QLocale::setDefault({QLocale::English, QLocale::UnitedStates});
        QCOMPARE(scene.message(), "Tower 3 makes everyone wait 12 % of the time: 6,1 ms a step.");
    }

    void Alert_whileTheWindowIsActive_staysInIt()
    {
        Scene scene;
        scene.lookAt(scene.window);
        scene.tell(AlertKind::Stuck);
        QVERIFY(scene.log.sent.empty());
        QVERIFY(!scene.message().isEmpty());
    }

    void Alert_whileAnotherIsActive_isOnTheDesktop()
    {
        Scene scene;
        scene.lookAt(scene.other);
        scene.tell(AlertKind::Stuck);
        QCOMPARE(scene.log.sent.size(), 1U);
        const Notification& sent = scene.log.sent.front();
        QVERIFY2(sent.title.contains("stuck"), qPrintable(sent.title));
        QCOMPARE(sent.text, "Something is so.");
        QVERIFY(sent.isUrgent);
        QCOMPARE(sent.actions.size(), 1U);
        QCOMPARE(sent.actions.front().text, "Stop");
        QVERIFY(!scene.message().isEmpty()); // and in the window, for later
    }

    void Alert_ofTheSameKind_takesItsPlace()
    {
        Scene scene;
        scene.lookAt(scene.other);
        scene.tell(AlertKind::Plateau);
        scene.tell(AlertKind::Plateau);
        scene.tell(AlertKind::DiskLow);
        QCOMPARE(scene.log.sent.size(), 3U);
        QCOMPARE(scene.log.sent[0].subject, scene.log.sent[1].subject);
        QVERIFY(scene.log.sent[2].subject != scene.log.sent[1].subject);
    }

    void Over_takesTheMessageAndTheNotificationBack()
    {
        Scene scene;
        scene.lookAt(scene.other);
        scene.tell(AlertKind::Stuck);
        scene.tell(AlertKind::Stuck, true);
        QCOMPARE(scene.message(), QString());
        QVERIFY(scene.log.withdrawn.contains(scene.log.sent.front().subject));
        QCOMPARE(scene.notes, (QStringList{"! Something is so.", "That is over."}));
        QCOMPARE(scene.log.sent.size(), 1U);
    }

    void Over_leavesAnotherMessageAlone()
    {
        Scene scene;
        scene.tell(AlertKind::Stuck);
        scene.bar->showMessage(MessageBar::Kind::Information, "Written");
        scene.tell(AlertKind::Stuck, true);
        QCOMPARE(scene.message(), "Written");
        scene.tell(AlertKind::Plateau);
        scene.tell(AlertKind::DiskLow, true);
        QCOMPARE(scene.message(), "Something is so.");
    }

    void Alert_behindAnotherMessage_doesNotComeBackOnceItIsOver_data()
    {
        QTest::addColumn<int>("end");
        QTest::newRow("over") << 0;
        QTest::newRow("the run has ended") << 1;
        QTest::newRow("another run is shown") << 2;
    }

    void Alert_behindAnotherMessage_doesNotComeBackOnceItIsOver()
    {
        QFETCH(const int, end);
        Scene scene;
        scene.tell(AlertKind::Stuck);
        emit scene.controller.feed().alertArrived(
            {AlertKind::InputBound, false, 12, -1, "the towers wait"}); // without offers
        QCOMPARE(scene.message(), "The towers wait.");
        scene.bar->showMessage(MessageBar::Kind::Information, "Written");
        if (end == 0) {
            scene.tell(AlertKind::Stuck, true);
        } else if (end == 1) {
            emit scene.controller.followingEnded(FollowedEnd{RunState::Finished, 13});
        } else {
            emit scene.controller.feed().started("another", RunConfig());
        }
        QCOMPARE(scene.message(), "Written");
        scene.bar->dismiss();
        QCOMPARE(scene.message(), QString());
    }

    void Alert_thatIsShown_goesWithItsRun()
    {
        Scene scene;
        scene.tell(AlertKind::Stuck);
        emit scene.controller.followingEnded(FollowedEnd{RunState::Finished, 13});
        QCOMPARE(scene.message(), QString());
    }

    void Alert_doesNotHideAnError()
    {
        Scene scene;
        scene.bar->showMessage(MessageBar::Kind::Error, "It failed");
        scene.tell(AlertKind::Plateau);
        QCOMPARE(scene.message(), "It failed");
        QCOMPARE(scene.notes.size(), 1);
        scene.bar->clear();
        scene.tell(AlertKind::Plateau);
        QCOMPARE(scene.message(), "Something is so.");
    }

    void NotFinite_isLeftToTheEndOfTheRun()
    {
        Scene scene;
        scene.lookAt(scene.other);
        scene.tell(AlertKind::NotFinite);
        QVERIFY(scene.log.sent.empty() && scene.message().isEmpty() && scene.notes.isEmpty());
        emit scene.controller.failed("the loss is not a number");
        QCOMPARE(scene.log.sent.size(), 1U);
        QCOMPARE(scene.log.sent.front().text, "the loss is not a number");
    }

    void Offers_doWhatTheySay()
    {
        Scene scene;
        QSignalSpy lower(scene.desk.get(), &AlertDesk::lowerLearningRateRequested);
        QSignalSpy log(&scene.notices, &Notices::logRequested);
        QSignalSpy towers(scene.desk.get(), &AlertDesk::towersRequested);
        for (const auto kind : {AlertKind::Plateau, AlertKind::Stuck, AlertKind::SlowTower}) {
            scene.tell(kind);
            QVERIFY(!scene.offers().isEmpty());
            QTest::mouseClick(offersOf(*scene.bar).first(), Qt::LeftButton);
            // What only shows something leaves the message and its other offers.
            QCOMPARE(scene.message().isEmpty(), kind == AlertKind::Plateau);
        }
        QVERIFY(lower.size() == 1 && log.size() == 1 && towers.size() == 1);
    }

    void End_isOnTheDesktop_data()
    {
        QTest::addColumn<RunState>("state");
        QTest::addColumn<QString>("title");
        QTest::addColumn<bool>("isUrgent");
        QTest::newRow("finished") << RunState::Finished << "has finished" << false;
        QTest::newRow("stopped") << RunState::Stopped << "has stopped" << false;
        QTest::newRow("failed") << RunState::Failed << "ended by an error" << true;
        QTest::newRow("killed") << RunState::Running << "ended by an error" << true;
    }

    void End_isOnTheDesktop()
    {
        QFETCH(RunState, state);
        QFETCH(QString, title);
        QFETCH(bool, isUrgent);
        Scene scene;
        scene.lookAt(scene.other);
        scene.tell(AlertKind::Stuck);
        emit scene.controller.followingEnded(FollowedEnd{state, 1234});
        QVERIFY(scene.log.withdrawn.contains("*")); // it is stuck no longer
        const Notification& sent = scene.log.sent.back();
        QVERIFY2(sent.title.contains(title), qPrintable(sent.title));
        QVERIFY2(sent.text.contains(QLocale().toString(1234)), qPrintable(sent.text));
        QCOMPARE(sent.isUrgent, isUrgent);
    }

    void End_ofAStartThatCameToNothing_doesNotNameTheRunBefore()
    {
        Scene scene;
        scene.lookAt(scene.other);
        const test::TemporaryFolder folder;
        RunConfig config = smallConfig(2);
        config.dataset = "cifar10";
        config.datasetPath = test::smallPictures().string();
        scene.controller.start({config, folder / "good"});
        QTRY_COMPARE(scene.controller.state(), SessionController::State::Finished);
        QCOMPARE(scene.log.sent.back().title, "good has finished");
        config.towers = 0;
        scene.controller.start({config, folder / "bad"});
        QTRY_COMPARE(scene.controller.state(), SessionController::State::Failed);
        QCOMPARE(scene.log.sent.back().title, "The run was ended by an error");
    }

    void Window_whenActivated_withdrawsAll()
    {
        Scene scene;
        scene.lookAt(scene.other);
        scene.tell(AlertKind::Stuck);
        scene.log.withdrawn.clear();
        scene.lookAt(scene.window);
        QCOMPARE(scene.log.withdrawn, QStringList{"*"});
    }

    void Window_clickedNotification_isShown()
    {
        Scene scene;
        scene.lookAt(scene.other);
        scene.tell(AlertKind::Stuck);
        scene.log.sent.front().onOpened();
        QVERIFY(QTest::qWaitForWindowActive(&scene.window));
    }

    void Off_sendsNothing()
    {
        Scene scene;
        scene.lookAt(scene.other);
        scene.desk->setNotifying(false);
        scene.tell(AlertKind::Stuck);
        QVERIFY(!scene.message().isEmpty());
        emit scene.controller.failed("no");
        QVERIFY(scene.log.sent.empty());
        scene.desk->setNotifying(true);
        scene.tell(AlertKind::Plateau);
        QCOMPARE(scene.log.sent.size(), 1U);
    }

    void WithoutDesktop_worksAsWell()
    {
        SessionController controller;
        LiveRun run(controller);
        QWidget window;
        MessageBar bar;
        Notices notices(controller, bar);
        AlertDesk desk(controller, run, notices, window, nullptr);
        QVERIFY(!desk.canNotify());
        emit controller.feed().alertArrived(alertOf(AlertKind::Stuck));
        emit controller.feed().alertArrived(alertOf(AlertKind::Stuck, true));
        emit controller.failed("no");
        desk.setNotifying(false);
        QVERIFY(bar.text().isEmpty());
    }
};
LOCKSTEP_TEST(TestAlertDesk)
#include "test_alert_desk.moc"
