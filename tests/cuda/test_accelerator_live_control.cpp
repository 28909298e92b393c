// SPDX-License-Identifier: Apache-2.0
#include "cuda/emulated_runtime.h"
#include "cuda/fake_libraries.h"
#include "session/run_witness.h"
#include "storage/checkpoint/checkpoint_folder.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::int64_t kSteps = 40;
constexpr std::int64_t kAsked = 11; // at the end of this step
constexpr double kBefore = 0.05;
constexpr double kAfter = 0.004;

RunConfig configOf(std::int64_t steps)
{
    RunConfig config = smallConfig(steps);
    config.device = "cuda:0";
    config.towers = 2;
    config.batchPerTower = 2;
    config.learningRate.initial = kBefore;
    config.checkpointEverySteps = 0; // nothing that the device would have to stop for
    return config;
}

std::vector<double> ratesOf(const std::filesystem::path& run)
{
    std::vector<double> rates;
    RunStoreReader(RunFolder::storeFileOf(run)).forEachStep([&](const StepRecord& record) {
        rates.push_back(record.learningRate);
    });
    return rates;
}

} // namespace

/// What is changed in a run while its devices are ahead of those who change it.
class TestAcceleratorLiveControl : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        resetFakeLibraries();
        emulation::reset({});
    }
    void LearningRate_changedWhileDevicesAreAhead_isARunResumedWithIt();
};

// Steps that were on their way keep the rate that they were begun with: from the first one with
// another rate on it is bit for bit the run that was stopped there and resumed.
void TestAcceleratorLiveControl::LearningRate_changedWhileDevicesAreAhead_isARunResumedWithIt()
{
    const TemporaryFolder folder;
    Witness live;
    {
        TrainingRun run({configOf(kSteps), folder / "live"}, live);
        live.afterStep = [&](std::int64_t step) {
            if (step == kAsked) {
                run.send(command::SetLearningRate{kAfter});
            }
        };
        run.train();
        QVERIFY(run.state() == RunState::Finished);
    }
    const std::vector<double> rates = ratesOf(folder / "live");
    QCOMPARE(std::ssize(rates), kSteps);
    const std::int64_t changed =
        std::ranges::find_if(rates, [](double rate) { return rate != kBefore; }) - rates.begin();
    QVERIFY2(changed > kAsked + 1, "the device was not ahead");
    QVERIFY(changed < kSteps);
    for (std::int64_t step = changed; step < kSteps; ++step) {
        QCOMPARE(rates[static_cast<std::size_t>(step)], kAfter);
    }
    QVERIFY(live.checkpoints.contains(changed)); // the state before is safe

    Witness halves;
    TrainingRun({configOf(changed), folder / "halves"}, halves).train();
    RunConfig second = configOf(kSteps);
    second.learningRate.initial = kAfter;
    TrainingRun({second, folder / "halves", true}, halves).train();
    QCOMPARE(live.losses, halves.losses);
    const Checkpoint one = readCheckpoint(live.checkpoints.at(kSteps));
    const Checkpoint other = readCheckpoint(halves.checkpoints.at(kSteps));
    QVERIFY(one.weights == other.weights && one.movingAverages == other.movingAverages);
}

LOCKSTEP_TEST(TestAcceleratorLiveControl)
#include "test_accelerator_live_control.moc"
