// SPDX-License-Identifier: Apache-2.0
// What a window shows of a run whose towers are on GPUs: masks, weights, activations. The same as
// of a run on the CPU, and the training is none the other for it.
#include "cuda/emulated_runtime.h"
#include "cuda/fake_libraries.h"
#include "dataset/formats/synthetic_defects.h"
#include "session/mask_model.h"
#include "session/run_witness.h"
#include "session/training/training_session.h"
#include "storage/events/event_index.h"
#include "storage/store/run_folder.h"
#include "support/lockstep_test.h"
#include "support/near_masks.h"
#include "support/temporary_folder.h"
#include "support/thread_ranks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::int64_t kSteps = 12;
const std::set<std::int64_t> kLooks{0, 1, 5, 9}; ///< steps before which somebody looks

const Dataset& pictures()
{
    static const auto dataset = openSyntheticDefects(Split::Train, {3, 16, 5});
    return *dataset;
}

/// Two phases: of the second one no layer up to the mask has a backward pass.
RunConfig configOf(const std::filesystem::path& folder, const std::string& device)
{
    RunConfig config;
    config.model.name = writeMaskModel(folder).string();
    config.dataset = "synthetic_defects";
    config.device = device;
    config.towers = 2;
    config.batchPerTower = 6;
    config.phases = {{"segmentation", 7, 0.1, {}}, {"decision", 5, 0.1, {"segmentation"}}};
    config.steps = kSteps;
    return config;
}

/// What a training tells while somebody looks, or nobody does.
struct Told
{
    std::vector<double> losses;
    std::vector<MaskRecord> masks;
    Checkpoint end;
};

Told trainingOf(
    const RunConfig& config, const std::set<std::int64_t>& looks, Ranks* ranks = nullptr)
{
    TrainingSession session(config, pictures(), {}, ranks);
    Told told;
    if (ranks != nullptr && ranks->rank() > 0) {
        while (session.obey().kind != RankOrder::Kind::End) {
        }
        return told;
    }
    bool isLooking = false;
    for (std::int64_t step = 0; step < kSteps; ++step) {
        isLooking = isLooking || looks.contains(step);
        session.setMasksWanted(isLooking);
        const TrainingStep& made = session.step(kSteps);
        told.losses.push_back(made.record.lossMean);
        if (made.masks) {
            told.masks.push_back(*made.masks);
            isLooking = false;
        }
    }
    session.order({RankOrder::Kind::End});
    told.end = session.capture();
    return told;
}

/// What rank 0 tells.
Told trainingOnRanks(const RunConfig& config, const std::set<std::int64_t>& looks, int ranks)
{
    Told told;
    runRanks(ranks, [&](Ranks& own) {
        Told ofRank = trainingOf(config, looks, ranks > 1 ? &own : nullptr);
        if (own.rank() == 0) {
            told = std::move(ofRank);
        }
    });
    return told;
}

bool isNear(double one, double other)
{
    return std::abs(one - other) < 1e-4 * std::max(1.0, std::abs(other));
}

/// The first record in the event file of a small run: everything, whatever the pace. Of later steps
/// a second has to pass between two such.
std::map<std::string, Histogram> histogramsOf(const std::string& device)
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(9);
    config.device = device;
    config.towers = 2;
    config.eventsEverySteps = 4;
    Witness witness;
    TrainingRun({config, folder / "run"}, witness).train();
    EventIndex index(RunFolder::eventsOf(folder / "run"));
    static_cast<void>(index.update());
    std::map<std::string, Histogram> histograms;
    for (const EventValue& value : index.read(index.places().front()).values) {
        if (const auto* histogram = std::get_if<Histogram>(&value.value)) {
            histograms[value.tag] = *histogram;
        }
    }
    return histograms;
}

} // namespace

class TestAcceleratorViews : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        resetFakeLibraries();
        emulation::MachineSettings machine;
        machine.devices = 2;
        emulation::reset(machine);
    }
    void Masks_areThoseOfTheCpu_andChangeNoBit_data();
    void Masks_areThoseOfTheCpu_andChangeNoBit();
    void WeightsAndActivations_areThoseOfTheCpu();
};

void TestAcceleratorViews::Masks_areThoseOfTheCpu_andChangeNoBit_data()
{
    QTest::addColumn<QString>("device");
    QTest::addColumn<bool>("isCaptured");
    QTest::addColumn<int>("ranks");
    QTest::newRow("one GPU") << "cuda:0" << true << 1;
    QTest::newRow("one GPU, each step enqueued anew") << "cuda:0" << false << 1;
    QTest::newRow("two GPUs") << "cuda:0,1" << true << 1;
    QTest::newRow("two ranks") << "cuda:0,1" << true << 2;
}

void TestAcceleratorViews::Masks_areThoseOfTheCpu_andChangeNoBit()
{
    QFETCH(QString, device);
    QFETCH(bool, isCaptured);
    QFETCH(int, ranks);
    const TemporaryFolder folder;
    RunConfig config = configOf(folder.path(), device.toStdString());
    config.isCaptured = isCaptured;
    const Told unseen = trainingOnRanks(config, {}, ranks);
    QVERIFY(unseen.masks.empty());
    const Told told = trainingOnRanks(config, kLooks, ranks);
    QVERIFY(told.losses == unseen.losses);
    QVERIFY(told.end.weights == unseen.end.weights);
    // At once where no step is ahead; else of the first one that is not, which the end may come
    // before.
    QVERIFY(told.masks.size() + 1 >= kLooks.size());
    QCOMPARE(told.masks[0].step, std::int64_t{0});
    QCOMPARE(told.masks[1].step, std::int64_t{1});
    std::set<std::int64_t> everyStep;
    for (std::int64_t step = 0; step < kSteps; ++step) {
        everyStep.insert(step);
    }
    const Told expected = trainingOf(configOf(folder.path(), "cpu"), everyStep);
    for (const MaskRecord& record : told.masks) {
        const MaskRecord& its = expected.masks.at(static_cast<std::size_t>(record.step));
        QVERIFY(record.input == its.input && record.mask == its.mask && record.white == its.white);
        QCOMPARE(record.towers.size(), std::size_t{2});
        QCOMPARE(record.towers[0].images.size(), std::size_t{4}); // the first ones of 6
        QVERIFY(areNear(record.towers[0], its.towers[0], 1e-4));
        TowerMasks last = its.towers[1];
        if (ranks > 1) {
            last.images.clear(); // rank 0 shows its own
        }
        QVERIFY(areNear(record.towers[1], last, 1e-4));
    }
}

void TestAcceleratorViews::WeightsAndActivations_areThoseOfTheCpu()
{
    const auto expected = histogramsOf("cpu");
    const auto got = histogramsOf("cuda:0,1");
    QCOMPARE(got.size(), expected.size());
    QVERIFY(got.contains("conv1/weights") && got.contains("conv1/activations"));
    for (const auto& [tag, its] : expected) {
        const Histogram& mine = got.at(tag);
        QCOMPARE(mine.count, its.count);
        QVERIFY2(
            isNear(mine.minimum, its.minimum) && isNear(mine.maximum, its.maximum)
                && isNear(mine.sumOfSquares, its.sumOfSquares),
            tag.c_str());
    }
}

LOCKSTEP_TEST(TestAcceleratorViews)
#include "test_accelerator_views.moc"
