// SPDX-License-Identifier: Apache-2.0
#include "session/run_witness.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <chrono>
#include <thread>

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::vector<RunEvent> eventsOf(const std::filesystem::path& folder, const std::string& kind)
{
    std::vector<RunEvent> chosen;
    for (const RunEvent& event : RunStoreReader(RunFolder::storeFileOf(folder)).events()) {
        if (event.kind == kind) {
            chosen.push_back(event);
        }
    }
    return chosen;
}

} // namespace

/// What a run tells of itself: to who watches it, and to its store.
class TestRunAlerts : public QObject
{
    Q_OBJECT
private slots:
    static void NotFinite_endsTheRun_asAnAlert();
    static void Stuck_isToldWhileTheRunHangs();
    static void Pause_isNotStuck();
    static void DiskLow_isToldOnce();
    static void Plateau_isTold_andKept();
    static void AlertsOff_tellNothing();
    static void Experiment_afterAResume_isFoundWhenItWas();
};

void TestRunAlerts::NotFinite_endsTheRun_asAnAlert()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(10);
    config.learningRate.initial = 1e20;
    Witness witness;
    TrainingRun run({config, folder / "run"}, witness);
    const QString error = failureOf([&] { run.train(); });
    const auto alerts = witness.alerts(AlertKind::NotFinite);
    QCOMPARE(alerts.size(), 1U);
    QCOMPARE(QString::fromStdString(alerts[0].text), error);
    QCOMPARE(alerts[0].step, run.session().progress().step);
    const auto events = eventsOf(folder / "run", "not_finite");
    QCOMPARE(events.size(), 1U);
    QCOMPARE(events[0].level, std::string("error"));
    QCOMPARE(events[0].tower, alerts[0].tower);
    QCOMPARE(events[0].step, alerts[0].step);
    QVERIFY(events[0].text == alerts[0].text);
    const std::string named = "tower " + std::to_string(alerts[0].tower);
    QVERIFY(alerts[0].tower < 0 || alerts[0].text.find(named) != std::string::npos);
}

void TestRunAlerts::Stuck_isToldWhileTheRunHangs()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(12);
    config.alerts.stuckSeconds = 0.1;
    Witness witness;
    bool isToldWhileItHangs = false;
    witness.afterStep = [&](std::int64_t step) {
        for (int i = 0; step == 8 && i < 2000 && !isToldWhileItHangs; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            const auto alerts = witness.alerts(AlertKind::Stuck);
            isToldWhileItHangs =
                !alerts.empty() && !alerts.back().isOver && alerts.back().step == 9;
        }
    };
    trainWhole({config, folder / "run"}, witness);
    QVERIFY(isToldWhileItHangs);
    const auto alerts = witness.alerts(AlertKind::Stuck);
    QVERIFY(std::ranges::any_of(
        alerts, [](const AlertRecord& alert) { return alert.isOver && alert.step == 10; }));
    const auto events = eventsOf(folder / "run", "stuck");
    QCOMPARE(events.size(), alerts.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        QCOMPARE(events[i].level, std::string(alerts[i].isOver ? "info" : "warning"));
    }
}

void TestRunAlerts::Pause_isNotStuck()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(6);
    config.alerts.stuckSeconds = 1.0;
    Witness witness;
    TrainingRun run({config, folder / "run"}, witness);
    witness.afterStep = [&](std::int64_t step) {
        if (step == 2) {
            run.send(command::Pause{});
        }
    };
    std::thread trainer([&] { run.train(); });
    const bool isPaused = test::waitFor([&] { return witness.isPaused.load(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    const std::size_t told = witness.alerts(AlertKind::Stuck).size();
    run.send(command::Resume{});
    trainer.join();
    QVERIFY(isPaused);
    QCOMPARE(told, 0U);
}

void TestRunAlerts::DiskLow_isToldOnce()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(20);
    config.alerts.diskCheckpoints = 2'000'000'000; // no disk has room for these
    Witness witness;
    witness.afterStep = [&](std::int64_t step) {
        for (int i = 0; step == 7 && i < 2000 && witness.alerts(AlertKind::DiskLow).empty(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    };
    trainWhole({config, folder / "run"}, witness);
    QCOMPARE(witness.alerts(AlertKind::DiskLow).size(), 1U);
    const std::string text = witness.alerts(AlertKind::DiskLow).front().text;
    QVERIFY2(text.find((folder / "run").string()) != std::string::npos, text.c_str());
    QCOMPARE(eventsOf(folder / "run", "disk_low").size(), 1U);
}

// With a rate that moves nothing the loss stands still, except for the pictures.
void TestRunAlerts::Plateau_isTold_andKept()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(120);
    config.learningRate.initial = 1e-30;
    config.distortion.crop = config.distortion.flip = false;
    config.distortion.brightness = config.distortion.contrast = false;
    config.alerts.plateauSteps = 40;
    Witness witness;
    trainWhole({config, folder / "run"}, witness);
    const auto alerts = witness.alerts(AlertKind::Plateau);
    QVERIFY(!alerts.empty());
    const auto events = eventsOf(folder / "run", "plateau");
    QCOMPARE(events.size(), alerts.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        QCOMPARE(events[i].step, alerts[i].step);
        QVERIFY(events[i].text == alerts[i].text);
    }
}

void TestRunAlerts::AlertsOff_tellNothing()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(120);
    config.learningRate.initial = 1e-30;
    Witness witness;
    trainWhole({config, folder / "run"}, witness);
    for (const std::string_view name : kAlertKinds.names) {
        QVERIFY(witness.alerts(*alertKindByName(name)).empty());
    }
}

// The second half is too short to find it anew, and need not tell it again.
void TestRunAlerts::Experiment_afterAResume_isFoundWhenItWas()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(30);
    config.experiment.shards = "same";
    config.alerts.towerLoss = 0.05;
    Witness first;
    trainWhole({config, folder / "run"}, first);
    QCOMPARE(first.alerts(AlertKind::SameData).size(), 1U);
    config.steps = 40;
    Witness second;
    trainWhole({config, folder / "run", true}, second);
    QVERIFY(second.alerts(AlertKind::SameData).empty());
    const std::string said =
        "all towers got the same rows on purpose: found at step 20, by their losses";
    for (const Witness* const witness : {&first, &second}) {
        QVERIFY(std::ranges::find(witness->notes, said) != witness->notes.end());
    }
}

LOCKSTEP_TEST(TestRunAlerts)
#include "test_run_alerts.moc"
