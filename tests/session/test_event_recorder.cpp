// SPDX-License-Identifier: Apache-2.0
#include "session/event_scene.h"
#include "storage/files.h"
#include "support/lockstep_test.h"

#include <pthread.h>

#include <algorithm>
#include <limits>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// While it lives no thread can be begun: each would need a stack that no address space can hold.
class NoThreads
{
public:
    NoThreads()
    {
        pthread_getattr_default_np(&m_before);
        pthread_attr_t attributes;
        pthread_getattr_default_np(&attributes);
        pthread_attr_setstacksize(&attributes, std::size_t{1} << 60);
        pthread_setattr_default_np(&attributes);
        pthread_attr_destroy(&attributes);
    }
    ~NoThreads()
    {
        pthread_setattr_default_np(&m_before);
        pthread_attr_destroy(&m_before);
    }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;

private:
    pthread_attr_t m_before{};
};

} // namespace

class TestEventRecorder : public QObject
{
    Q_OBJECT

private slots:
    static void Due_areTheMultiples();
    static void Horizon_ofHugeNumbers_isBehindTheStep();
    static void Record_soonAfterAnother_hasTheScalarsAlone();
    static void Resume_takesBackWhatLiesBehindIt();
    static void Branch_ofAnAbandonedLine_takesBackTheLineItLeaves();
    static void Training_recorded_hasTheSameBits();
    static void Disk_full_isToldAndTheRestStays();
    static void Threads_none_isToldAndTheNextIsWritten();
    static void Record_ofTheClassicNetwork_takesLessThanAStep();
};

void TestEventRecorder::Due_areTheMultiples()
{
    EventScene scene;
    const EventRecorder recorder(scene.settings(), scene.session, *scene.training);
    std::vector<std::int64_t> due;
    for (std::int64_t step = 0; step < 35; ++step) {
        if (recorder.isDue(step)) {
            due.push_back(step);
        }
        // A run ahead ends right behind the next step that is due, and never before it.
        const std::int64_t limit = recorder.horizon(step);
        QVERIFY(limit > step && recorder.isDue(limit - 1) && limit <= step + 10);
    }
    QCOMPARE(due, (std::vector<std::int64_t>{0, 10, 20, 30}));
}

void TestEventRecorder::Horizon_ofHugeNumbers_isBehindTheStep()
{
    constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
    EventScene scene;
    EventRecorderSettings settings = scene.settings();
    settings.everySteps = kHuge;
    const EventRecorder seldom(settings, scene.session, *scene.training);
    QCOMPARE(seldom.horizon(0), 1);
    QCOMPARE(seldom.horizon(1), kHuge);
    QCOMPARE(seldom.horizon(kHuge - 1), kHuge);
    settings.everySteps = kHuge - 1;
    const EventRecorder late(settings, scene.session, *scene.training);
    QCOMPARE(late.horizon(1), kHuge);
    const EventRecorder often(scene.settings(), scene.session, *scene.training);
    QCOMPARE(often.horizon(kHuge - 1), kHuge);
}

void TestEventRecorder::Record_soonAfterAnother_hasTheScalarsAlone()
{
    EventScene scene;
    EventRecorderSettings settings = scene.settings();
    settings.leastSeconds = 1e6;
    EventRecorder recorder(settings, scene.session, *scene.training);
    QCOMPARE(recorder.horizon(0), 1);
    std::vector<double> losses;
    for (int i = 0; i < 30; ++i) {
        const StepRecord step = scene.session.step().record;
        losses.push_back(step.lossMean);
        recorder.record(step);
    }
    // Nobody has to stop for the next one.
    QVERIFY(recorder.horizon(30) > 1'000'000'000);
    recorder.flush();
    QVERIFY(valuesAt(scene.folder / "events", 0).contains("conv1/weights"));
    for (std::int64_t step = 1; step < 30; ++step) {
        const Values values = valuesAt(scene.folder / "events", step);
        QVERIFY(!values.contains("conv1/weights"));
        QCOMPARE(
            scalar(values, "loss/mean"),
            double{static_cast<float>(losses[static_cast<std::size_t>(step)])});
    }
}

void TestEventRecorder::Resume_takesBackWhatLiesBehindIt()
{
    EventScene scene;
    const auto events = scene.folder / "events";
    std::optional<EventRecorder> recorder(
        std::in_place, scene.settings(), scene.session, *scene.training);
    recorder->record(scene.session.step().record);
    const Checkpoint checkpoint = scene.session.capture();
    recorder->record(scene.session.step().record);
    recorder->flush();
    QVERIFY(!valuesAt(events, 1).empty());
    scene.session.restore(checkpoint);
    recorder.emplace(scene.settings(), scene.session, *scene.training);
    QVERIFY(!valuesAt(events, 0).empty());
    QVERIFY(valuesAt(events, 1).empty());
    recorder->record(scene.session.step().record);
    recorder->flush();
    QVERIFY(!valuesAt(events, 1).empty());
    QCOMPARE(listEventFiles(events).size(), std::size_t{2});
}

// The run left steps 1 and 2 of its first line for others, and goes on from step 2 of the first.
void TestEventRecorder::Branch_ofAnAbandonedLine_takesBackTheLineItLeaves()
{
    EventScene scene;
    const auto events = scene.folder / "events";
    const auto train = [&](const EventRecorderSettings& settings, int steps) {
        EventRecorder recorder(settings, scene.session, *scene.training);
        for (int i = 0; i < steps; ++i) {
            recorder.record(scene.session.step().record);
        }
        recorder.flush();
    };
    train(scene.settings(), 1);
    const Checkpoint fork = scene.session.capture();
    train(scene.settings(), 1);
    const Checkpoint later = scene.session.capture();
    scene.session.restore(fork);
    train(scene.settings(), 3);
    scene.session.restore(later);
    EventRecorderSettings settings = scene.settings();
    settings.takeBackFrom = 1;
    train(settings, 1);
    QVERIFY(!valuesAt(events, 0).empty());
    QVERIFY(valuesAt(events, 1).empty());
    QVERIFY(!valuesAt(events, 2).empty());
    QVERIFY(valuesAt(events, 3).empty());
    settings.takeBackFrom = scene.session.progress().step + 1;
    QVERIFY(tells(errorOf([&] { train(settings, 0); }), ErrorCode::Internal, "take back"));
}

// To look must not change what is looked at.
void TestEventRecorder::Training_recorded_hasTheSameBits()
{
    EventScene plain;
    EventScene watched;
    EventRecorder recorder(watched.settings(), watched.session, *watched.training);
    for (int i = 0; i < 5; ++i) {
        const StepRecord step = watched.session.step().record;
        recorder.record(step);
        QCOMPARE(step.lossMean, plain.session.step().record.lossMean);
    }
    QCOMPARE(watched.session.capture().weights, plain.session.capture().weights);
}

void TestEventRecorder::Disk_full_isToldAndTheRestStays()
{
    EventScene scene;
    const auto events = scene.folder / "events";
    EventRecorder recorder(scene.settings(), scene.session, *scene.training);
    recorder.record(scene.session.step().record);
    recorder.flush();
    {
        const auto file = listEventFiles(events).front();
        const FileSizeLimit limit(std::filesystem::file_size(file) + 100);
        recorder.record(scene.session.step().record);
        QVERIFY(tells(errorOf([&] { recorder.flush(); }), ErrorCode::Io, file.string(), "write"));
    }
    recorder.record(scene.session.step().record);
    recorder.flush();
    QVERIFY(!valuesAt(events, 0).empty());
    QVERIFY(valuesAt(events, 1).empty());
    QVERIFY(!valuesAt(events, 2).empty());
}

void TestEventRecorder::Threads_none_isToldAndTheNextIsWritten()
{
    EventScene scene;
    const auto events = scene.folder / "events";
    EventRecorder recorder(scene.settings(), scene.session, *scene.training);
    {
        const StepRecord step = scene.session.step().record;
        const NoThreads noThreads;
        QVERIFY(tells(
            errorOf([&] { recorder.record(step); }), ErrorCode::OutOfMemory,
            listEventFiles(events).front().string(), "thread"));
    }
    recorder.flush();
    recorder.record(scene.session.step().record);
    recorder.flush();
    QVERIFY(valuesAt(events, 0).empty());
    QVERIFY(!valuesAt(events, 1).empty());
}

// So that at the default of every 100 steps it costs less than 1 % of the training.
void TestEventRecorder::Record_ofTheClassicNetwork_takesLessThanAStep()
{
    RunConfig config = twoTowers();
    config.model.name = "cifar10";
    config.batchPerTower = 128;
    EventScene scene(config);
    EventRecorderSettings settings = scene.settings();
    settings.leastSeconds = 0.0; // everything, each time
    EventRecorder recorder(settings, scene.session, *scene.training);
    double stepSeconds = 1e9;
    double waitSeconds = 1e9;
    double recordSeconds = 1e9;
    for (int i = 0; i < 4; ++i) {
        const StepRecord step = scene.session.step().record;
        Stopwatch watch;
        recorder.record(step);
        waitSeconds = std::min(waitSeconds, watch.seconds());
        recorder.flush();
        recordSeconds = std::min(recordSeconds, watch.seconds());
        scene.session.restartClock();
        stepSeconds = std::min(stepSeconds, step.stepSeconds);
    }
    const auto file = listEventFiles(scene.folder / "events").front();
    qInfo(
        "a step takes %.1f ms; to record one %.1f ms, %.1f ms of them in its way, and %.0f KiB",
        stepSeconds * 1e3, recordSeconds * 1e3, waitSeconds * 1e3,
        static_cast<double>(std::filesystem::file_size(file)) / 4 / 1024);
    QVERIFY(recordSeconds < stepSeconds);
    QVERIFY(waitSeconds < stepSeconds / 10);
}

LOCKSTEP_TEST(TestEventRecorder)
#include "test_event_recorder.moc"
