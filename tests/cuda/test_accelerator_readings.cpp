// SPDX-License-Identifier: Apache-2.0
#include "cuda/emulated_runtime.h"
#include "cuda/fake_libraries.h"
#include "session/run/training_run.h"
#include "storage/store/run_folder.h"
#include "storage/store/run_store_reader.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/small_pictures.h"
#include "support/temporary_folder.h"

#include <atomic>
#include <thread>
#include <vector>

using namespace lockstep;

namespace {

constexpr int kGpus = 2;

RunConfig configOn(const char* device, std::int64_t steps)
{
    RunConfig config;
    config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.dataset = "cifar10";
    config.datasetPath = test::smallPictures().string();
    config.device = device;
    config.towers = 3;
    config.batchPerTower = 2;
    config.steps = steps;
    config.evaluateAtEnd = false;
    return config;
}

/// Keeps the readings, and can act after a step.
class Witness : public RunObserver
{
public:
    void onEvent(const TrainingEvent& event) override
    {
        std::visit([this](const auto& told) { on(told); }, event);
    }

    std::function<void(std::int64_t)> afterStep;
    std::vector<DeviceReadingRecord> readings;
    StepRecord lastStep;
    std::thread::id trainer = std::this_thread::get_id();
    bool isOnItsThread = true;
    std::atomic<int> count = 0;
    std::atomic<bool> isPaused = false;

private:
    void on(const StepRecord& record)
    {
        lastStep = record;
        if (afterStep) {
            afterStep(record.step);
        }
    }
    void on(RunState state) { isPaused = state == RunState::Paused; }
    void on(const DeviceReadingRecord& record)
    {
        isOnItsThread = isOnItsThread && std::this_thread::get_id() == trainer;
        readings.push_back(record);
        count = static_cast<int>(readings.size());
    }
    void on(const auto& /*others*/) {}
};

} // namespace

/// What accelerators tell of themselves, on its way through a run.
class TestAcceleratorReadings : public QObject
{
    Q_OBJECT
private slots:
    static void init();
    static void Run_onAccelerators_keepsWhatTheyTell();
    static void Run_paused_goesOnReading();
    static void Run_ended_readsNoMore();
    static void Run_onTheHost_readsItsProcessors();
    static void Step_onAccelerators_tellsItsPhases();
    static void Delay_onAccelerators_isRefused();
};

void TestAcceleratorReadings::init()
{
    test::resetFakeLibraries();
    emulation::MachineSettings machine;
    machine.devices = kGpus;
    emulation::reset(machine);
}

void TestAcceleratorReadings::Run_onAccelerators_keepsWhatTheyTell()
{
    const test::TemporaryFolder folder;
    Witness witness;
    TrainingRun run({configOn("cuda", 4), folder / "run"}, witness);
    // The first readings take a moment, and these steps less.
    witness.afterStep = [&](std::int64_t) { QTest::qSleep(20); };
    run.train();
    QVERIFY(witness.isOnItsThread);
    QVERIFY(witness.readings.size() > kGpus); // and the processors
    const RunStoreReader reader(RunFolder::storeFileOf(folder / "run"));
    const auto stored = reader.deviceReadings();
    QCOMPARE(stored.size(), witness.readings.size());
    for (std::size_t i = 0; i < stored.size(); ++i) {
        QCOMPARE(stored[i].device, witness.readings[i].device);
        QCOMPARE(stored[i].step, witness.readings[i].step);
        QCOMPARE(stored[i].time, witness.readings[i].time);
    }
    const auto last = reader.lastDeviceReadings();
    QCOMPARE(last.size(), std::size_t{kGpus + 1});
    QCOMPARE(last[1].device, std::string("cuda:1"));
    QCOMPARE(last[1].memoryUsedBytes, std::int64_t{2} << 30);
    QCOMPARE(last[1].memoryTotalBytes, std::int64_t{8} << 30);
    QCOMPARE(last[1].load, 0.75);
    QCOMPARE(last[1].temperature, 51.0);
    QCOMPARE(last[1].powerWatts, 300.5);
    QCOMPARE(last[0].throttleReason, std::string());
    QCOMPARE(last[1].throttleReason, std::string("power limit"));
    QCOMPARE(last[2].device, std::string("cpu"));
    QCOMPARE(reader.values().at("tower_devices"), std::string("cuda:0 cuda:0 cuda:1"));
}

void TestAcceleratorReadings::Run_paused_goesOnReading()
{
    const test::TemporaryFolder folder;
    Witness witness;
    RunConfig config = configOn("cuda", 20);
    config.checkpointEverySteps = 5; // beyond which no device runs ahead
    TrainingRun run({config, folder / "run"}, witness);
    witness.afterStep = [&](std::int64_t step) {
        if (step == 2) {
            run.send(command::Pause{});
        }
    };
    std::thread trainer([&] {
        witness.trainer = std::this_thread::get_id();
        run.train();
    });
    QTRY_VERIFY(witness.isPaused);
    const int before = witness.count;
    const bool hasGrown = test::waitFor([&] { return witness.count > before + kGpus; });
    run.send(command::Resume{});
    trainer.join();
    QVERIFY(hasGrown);
    QVERIFY(witness.isOnItsThread);
    const auto duringPause = witness.readings[static_cast<std::size_t>(before)];
    QVERIFY(duringPause.step >= 3 && duringPause.step <= 5);
    QVERIFY(run.state() == RunState::Finished);
}

void TestAcceleratorReadings::Run_ended_readsNoMore()
{
    const test::TemporaryFolder folder;
    Witness witness;
    TrainingRun run({configOn("cuda:0", 2), folder / "run"}, witness);
    run.train();
    const int before = witness.count;
    const QStringList threads =
        QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString& thread : threads) {
        QFile name(QStringLiteral("/proc/self/task/%1/comm").arg(thread));
        QVERIFY(name.open(QIODevice::ReadOnly));
        QVERIFY(name.readAll().trimmed() != "device-sampler");
    }
    QTest::qWait(1'200);
    QCOMPARE(witness.count.load(), before);
}

void TestAcceleratorReadings::Run_onTheHost_readsItsProcessors()
{
    const test::TemporaryFolder folder;
    Witness witness;
    TrainingRun run({configOn("cpu", 3), folder / "run"}, witness);
    witness.afterStep = [&](std::int64_t) { QTest::qSleep(20); };
    run.train();
    QVERIFY(!witness.readings.empty());
    for (const DeviceReadingRecord& reading : witness.readings) {
        QCOMPARE(reading.device, std::string("cpu"));
        QVERIFY(reading.memoryUsedBytes > 0 && reading.processMemoryBytes > 0);
        QVERIFY(reading.throttleReason.empty());
    }
    const RunStoreReader reader(RunFolder::storeFileOf(folder / "run"));
    QCOMPARE(reader.deviceReadings().size(), witness.readings.size());
    QCOMPARE(reader.values().at("tower_devices"), std::string("cpu cpu cpu"));
}

// On their way through a run and its store, with the GPU that towers share; without the clock
// nothing is made up.
void TestAcceleratorReadings::Step_onAccelerators_tellsItsPhases()
{
    for (const bool isOn : {true, false}) {
        const test::TemporaryFolder folder;
        Witness witness;
        RunConfig config = configOn("cuda:0,1", 3);
        if (!isOn) {
            config.gpuWithout = {"phase_clock"};
        }
        TrainingRun run({config, folder / "run"}, witness);
        run.train();
        std::vector<StepRecord> steps{witness.lastStep};
        RunStoreReader(RunFolder::storeFileOf(folder / "run"))
            .forEachStep([&](const StepRecord& record) { steps.push_back(record); });
        QCOMPARE(steps.size(), std::size_t{4});
        for (const StepRecord& step : steps) {
            QVERIFY(step.stepSeconds > 0.0);
            QCOMPARE(step.computeSeconds >= 0.0, isOn);
            QCOMPARE(step.updateSeconds >= 0.0, isOn);
            std::vector<int> devices;
            for (const TowerRecord& tower : step.towers) {
                QCOMPARE(waitingSeconds(step, tower).has_value(), isOn);
                devices.push_back(tower.device);
            }
            QCOMPARE(devices, std::vector({0, 0, 1}));
        }
    }
}

void TestAcceleratorReadings::Delay_onAccelerators_isRefused()
{
    const test::TemporaryFolder folder;
    Witness witness;
    RunConfig config = configOn("cuda", 3);
    config.experiment.delayMilliseconds = 20.0;
    QVERIFY(test::tells(
        test::errorOf([&] {
            TrainingRun run({config, folder / "run"}, witness);
            run.train();
        }),
        ErrorCode::BadInput, "experiment.delay_ms"));
}

LOCKSTEP_TEST(TestAcceleratorReadings)
#include "test_accelerator_readings.moc"
