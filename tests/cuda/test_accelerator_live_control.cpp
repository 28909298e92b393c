// SPDX-License-Identifier: Apache-2.0
#include "cuda/emulated_runtime.h"
#include "cuda/fake_libraries.h"
#include "session/run_witness.h"
#include "storage/checkpoint/checkpoint_folder.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <fmt/core.h>

#include <fstream>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::int64_t kSteps = 80; // more than blocks have that are ahead
constexpr std::int64_t kAsked = 11; // at the end of this step
constexpr double kBefore = 0.05;
constexpr double kAfter = 0.004;

/// Whose steps are so short that a block has many of them.
std::filesystem::path writeBriefModel(const std::filesystem::path& file)
{
    std::ofstream(file) << R"(
name = "brief"
classes = 10
input = { height = 8, width = 8, channels = 3 }
[[layer]]
name = "conv"
type = "conv2d"
channels = 4
kernel = [3, 3]
stride = [4, 4]
[[layer]]
name = "logits"
type = "dense"
units = 10
[[objective]]
name = "cross_entropy"
logits = "logits"
)";
    return file;
}

RunConfig configOf(const QString& device, const std::filesystem::path& model, std::int64_t steps)
{
    RunConfig config = smallConfig(steps);
    config.model.name = model.string();
    config.device = device.toStdString();
    config.towers = 2;
    config.batchPerTower = 1;
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
        emulation::reset({.devices = 2});
    }
    void LearningRate_changedWhileDevicesAreAhead_isARunPlannedWithIt_data();
    void LearningRate_changedWhileDevicesAreAhead_isARunPlannedWithIt();
};

void TestAcceleratorLiveControl::LearningRate_changedWhileDevicesAreAhead_isARunPlannedWithIt_data()
{
    QTest::addColumn<QString>("device");
    QTest::newRow("one GPU") << "cuda:0";
    QTest::newRow("two GPUs") << "cuda:0,1";
}

// Steps that were on their way keep the rate that they were begun with: from the first one with
// another rate on, which is told, it is bit for bit the run that was stopped there and resumed, and
// the one that was to change there from the beginning.
void TestAcceleratorLiveControl::LearningRate_changedWhileDevicesAreAhead_isARunPlannedWithIt()
{
    QFETCH(QString, device);
    const TemporaryFolder folder;
    const std::filesystem::path model = writeBriefModel(folder / "brief.toml");
    const auto config = [&](std::int64_t steps) { return configOf(device, model, steps); };
    Witness live;
    {
        TrainingRun run({config(kSteps), folder / "live"}, live);
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
    const auto events = RunStoreReader(RunFolder::storeFileOf(folder / "live")).events();
    const auto told = std::ranges::find(events, kLearningRateEvent, &RunEvent::kind);
    QVERIFY(told != events.end());
    QCOMPARE(told->step, changed);
    QVERIFY(told->text.find(fmt::format("from step {} on", changed)) != std::string::npos);

    Witness halves;
    TrainingRun({config(changed), folder / "halves"}, halves).train();
    RunConfig second = config(kSteps);
    second.learningRate.initial = kAfter;
    TrainingRun({second, folder / "halves", true}, halves).train();
    Witness planned;
    RunConfig both = config(kSteps);
    both.phases = {{"", changed, kBefore, {}}, {"", kSteps - changed, kAfter, {}}};
    TrainingRun({both, folder / "planned"}, planned).train();
    const Checkpoint one = readCheckpoint(live.checkpoints.at(kSteps));
    for (const Witness* witness : {&halves, &planned}) {
        QCOMPARE(live.losses, witness->losses);
        const Checkpoint other = readCheckpoint(witness->checkpoints.at(kSteps));
        QVERIFY(one.weights == other.weights && one.movingAverages == other.movingAverages);
    }
}

LOCKSTEP_TEST(TestAcceleratorLiveControl)
#include "test_accelerator_live_control.moc"
