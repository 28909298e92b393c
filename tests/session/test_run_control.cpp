// SPDX-License-Identifier: Apache-2.0
#include "session/control/run_control.h"
#include "support/lockstep_test.h"

#include <atomic>
#include <string>
#include <thread>

using namespace lockstep;

class TestRunControl : public QObject
{
    Q_OBJECT
private slots:
    static void Request_wantsAttention_reportDoesNot();
    static void Serve_everything_reportsFirst();
    static void ServeReports_leavesRequests();
    static void Report_ofASubject_replacesTheOneThatWaits();
    static void Pause_servesUntilResumed();
    static void Pause_endedAtOnce_servesFirst();
    static void Pause_oneStep_isLetThroughOnce();
    static void Stop_endsAPause();
    static void MaskTurn_comesWhileWanted_andNotTwiceAtOnce();
};

void TestRunControl::Request_wantsAttention_reportDoesNot()
{
    RunControl control;
    control.report("cpu", [] {});
    QVERIFY(!control.isAttentionWanted());
    control.request([] {});
    QVERIFY(control.isAttentionWanted());
    control.serve();
    QVERIFY(!control.isAttentionWanted());
    control.pause();
    QVERIFY(control.isAttentionWanted());
    control.resume();
    QVERIFY(!control.isAttentionWanted());
    control.stop();
    QVERIFY(control.isAttentionWanted());
}

void TestRunControl::Serve_everything_reportsFirst()
{
    RunControl control;
    std::string order;
    control.request([&] {
        order += 'a';
        control.request([&] { order += 'b'; }); // asked for meanwhile
    });
    control.report("a", [&] { order += '1'; });
    control.report("b", [&] { order += '2'; });
    control.serve();
    QCOMPARE(order, std::string("12ab"));
    control.serve();
    QCOMPARE(order, std::string("12ab"));
}

void TestRunControl::ServeReports_leavesRequests()
{
    RunControl control;
    std::string order;
    control.request([&] { order += 'a'; });
    control.report("a", [&] { order += '1'; });
    control.serveReports();
    QCOMPARE(order, std::string("1"));
    QVERIFY(control.isAttentionWanted());
}

// While a step hangs for an hour, readings come every second.
void TestRunControl::Report_ofASubject_replacesTheOneThatWaits()
{
    RunControl control;
    std::string order;
    for (char sign = 'a'; sign <= 'z'; ++sign) {
        control.report("cpu", [&order, sign] { order += sign; });
        if (sign == 'k') {
            control.report("cuda:0", [&] { order += '0'; });
        }
    }
    control.serveReports();
    QCOMPARE(order, std::string("0z"));
    control.report("cpu", [&] { order += '1'; });
    control.serveReports();
    QCOMPARE(order, std::string("0z1"));
}

void TestRunControl::Pause_servesUntilResumed()
{
    RunControl control;
    control.pause();
    std::atomic<int> served = 0;
    std::atomic<int> pauses = 0;
    std::thread trainer([&] {
        const bool goesOn = control.mayGoOn([&](bool isPaused) { pauses += isPaused ? 1 : 10; });
        served += goesOn ? 100 : 0;
    });
    control.request([&] { ++served; });
    const bool isRequestServed = test::waitFor([&] { return served == 1; });
    control.report("cpu", [&] { ++served; });
    const bool isReportServed = test::waitFor([&] { return served == 2; });
    const int before = pauses;
    control.resume();
    trainer.join();
    QVERIFY(isRequestServed && isReportServed);
    QCOMPARE(before, 1);
    QCOMPARE(pauses.load(), 11);
    QCOMPARE(served.load(), 102);
}

void TestRunControl::Pause_endedAtOnce_servesFirst()
{
    RunControl control;
    control.pause();
    bool isServed = false;
    QVERIFY(control.mayGoOn([&](bool isPaused) {
        if (isPaused) {
            control.request([&] { isServed = true; });
            control.resume();
        }
    }));
    QVERIFY(isServed);
}

void TestRunControl::Pause_oneStep_isLetThroughOnce()
{
    RunControl control;
    control.stepOnce(); // nothing is paused: has no effect
    control.pause();
    int pauses = 0;
    const auto onPause = [&](bool isPaused) {
        pauses += isPaused ? 1 : 0;
        if (isPaused) {
            pauses < 3 ? control.stepOnce() : control.stop();
        }
    };
    QVERIFY(control.mayGoOn(onPause));
    QCOMPARE(pauses, 1);
    QVERIFY(control.mayGoOn(onPause));
    QCOMPARE(pauses, 2);
    QVERIFY(!control.mayGoOn(onPause));
    QCOMPARE(pauses, 3);
}

void TestRunControl::Stop_endsAPause()
{
    RunControl control;
    control.pause();
    std::atomic<bool> goesOn = true;
    std::thread trainer([&] { goesOn = control.mayGoOn([](bool) {}); });
    control.stop();
    trainer.join();
    QVERIFY(!goesOn);
}

void TestRunControl::MaskTurn_comesWhileWanted_andNotTwiceAtOnce()
{
    RunControl control;
    QVERIFY(!control.takeMaskTurn());
    control.wantMasks(true);
    QVERIFY(control.takeMaskTurn());
    QVERIFY(!control.takeMaskTurn());
    QTest::qWait(600);
    QVERIFY(control.takeMaskTurn());
    control.wantMasks(false);
    QTest::qWait(600);
    QVERIFY(!control.takeMaskTurn());
}

LOCKSTEP_TEST(TestRunControl)
#include "test_run_control.moc"
