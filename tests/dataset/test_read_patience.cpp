// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/read_patience.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// A drive that comes back after some seconds of a clock that only waiting moves.
struct Drive
{
    explicit Drive(double secondsAway) : backAt(secondsAway) {}

    [[nodiscard]] PatienceSettings patience(double seconds)
    {
        return {
            seconds, [this] { return isStopped; },
            [this](const std::string& text, bool isOver) {
                told.push_back(text);
                isOvers.push_back(isOver);
            },
            [this] { return now; }, [this] { now += 1.0; }};
    }
    void read()
    {
        ++reads;
        if (now < backAt) {
            fail(ErrorCode::Io, "a/b.jpg: can't be read (No such file or directory)");
        }
    }

    double backAt;
    double now = 0.0;
    bool isStopped = false;
    int reads = 0;
    std::vector<std::string> told;
    std::vector<bool> isOvers;
};

} // namespace

class TestReadPatience : public QObject
{
    Q_OBJECT

private slots:
    static void Read_dataThatComeBack_goesOn();
    static void Read_dataThatStayAway_failsInTheEnd();
    static void Read_withoutPatience_failsAtOnce();
    static void Read_otherErrors_failAtOnce();
    static void Read_stopped_isCancelled();
    static void End_whileItWaits_givesUp();
};

void TestReadPatience::Read_dataThatComeBack_goesOn()
{
    Drive drive(4.0);
    ReadPatience patience;
    patience.set(drive.patience(60.0));
    for (int i = 0; i < 3; ++i) { // told of once
        patience.read([&] { drive.read(); });
    }
    QCOMPARE(drive.reads, 7);
    QCOMPARE(drive.told.size(), 2U);
    QCOMPARE(drive.isOvers, (std::vector<bool>{false, true}));
    QVERIFY(drive.told[0].starts_with("waiting up to 60 s for the data"));
    QVERIFY(drive.told[0].find("a/b.jpg: can't be read (No such file") != std::string::npos);
    QVERIFY(drive.told[1].find("there again after 4.0 s") != std::string::npos);
}

void TestReadPatience::Read_dataThatStayAway_failsInTheEnd()
{
    Drive drive(1000.0);
    ReadPatience patience;
    patience.set(drive.patience(60.0));
    const auto error = errorOf([&] { patience.read([&] { drive.read(); }); });
    QVERIFY(tells(error, ErrorCode::Io, "a/b.jpg: can't be read"));
    QCOMPARE(drive.now, 60.0);
    QCOMPARE(drive.told.size(), 1U);
    drive.backAt = 65.0; // and the next one waits anew
    patience.read([&] { drive.read(); });
    QCOMPARE(drive.told.size(), 3U);
}

void TestReadPatience::Read_withoutPatience_failsAtOnce()
{
    Drive drive(4.0);
    ReadPatience patience;
    QVERIFY(errorOf([&] { patience.read([&] { drive.read(); }); }));
    patience.set(drive.patience(0.0));
    QVERIFY(errorOf([&] { patience.read([&] { drive.read(); }); }));
    QCOMPARE(drive.reads, 2);
    QVERIFY(drive.told.empty());
}

void TestReadPatience::Read_otherErrors_failAtOnce()
{
    Drive drive(0.0);
    ReadPatience patience;
    patience.set(drive.patience(60.0));
    const auto error =
        errorOf([&] { patience.read([] { fail(ErrorCode::Data, "a: is damaged"); }); });
    QVERIFY(tells(error, ErrorCode::Data, "a: is damaged"));
    QCOMPARE(drive.now, 0.0);
}

void TestReadPatience::Read_stopped_isCancelled()
{
    Drive drive(1000.0);
    ReadPatience patience;
    patience.set(drive.patience(60.0));
    const auto error = errorOf([&] {
        patience.read([&] {
            drive.isStopped = drive.now >= 3.0;
            drive.read();
        });
    });
    QVERIFY(tells(error, ErrorCode::Cancelled, "stopped while it waited for the data: a/b.jpg"));
    QCOMPARE(drive.now, 3.0);
}

void TestReadPatience::End_whileItWaits_givesUp()
{
    Drive drive(1000.0);
    ReadPatience patience;
    patience.set(drive.patience(60.0));
    const auto error = errorOf([&] {
        patience.read([&] {
            if (drive.now >= 3.0) {
                patience.end();
            }
            drive.read();
        });
    });
    QVERIFY(tells(error, ErrorCode::Io, "a/b.jpg"));
    QVERIFY(drive.now <= 4.0);
}

LOCKSTEP_TEST(TestReadPatience)
#include "test_read_patience.moc"
