// SPDX-License-Identifier: Apache-2.0
// Towers of several ranks on emulated GPUs: the same bits as one process with as many GPUs.
#include "cuda/accelerator_run.h"
#include "cuda/branched_network.h"
#include "cuda/rank_steps.h"
#include "cuda/spoilt_dataset.h"
#include "support/lockstep_test.h"
#include "support/thread_ranks.h"

#include <cmath>
#include <mutex>

using namespace lockstep;
using test::AcceleratorCase;
using test::AcceleratorRun;
using test::StepsTaken;
using test::takeSteps;
using test::takeStepsAsRanks;

namespace {

constexpr std::int64_t kSteps = 12;
constexpr int kDevices = 4;

AcceleratorCase onDevices(int towers, ShardKind shards)
{
    AcceleratorCase settings{towers, 2};
    settings.machine.devices = kDevices;
    settings.machine.memoryPerDevice = std::size_t{256} << 20U;
    settings.shards = shards; // a poisoned tower's rows are streamed
    return settings;
}

} // namespace

class TestAcceleratorRanks : public QObject
{
    Q_OBJECT

private slots:
    void Steps_ofSeveralRanks_areThoseOfOneProcess_data();
    void Steps_ofSeveralRanks_areThoseOfOneProcess();
    void Steps_synchronisedOverRanks_areThoseOfOneProcess();
    void Fault_ofOneRank_isToldByAll();
};

void TestAcceleratorRanks::Steps_ofSeveralRanks_areThoseOfOneProcess_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("towers");
    QTest::addColumn<bool>("isStreamed");
    for (const bool isStreamed : {false, true}) {
        for (const auto& [ranks, towers] : {std::pair{2, 4}, {4, 4}, {2, 8}, {4, 8}}) {
            QTest::addRow(
                "%d towers in %d ranks, %s", towers, ranks, isStreamed ? "streamed" : "resident")
                << ranks << towers << isStreamed;
        }
    }
}

void TestAcceleratorRanks::Steps_ofSeveralRanks_areThoseOfOneProcess()
{
    QFETCH(int, ranks);
    QFETCH(int, towers);
    QFETCH(bool, isStreamed);
    const AcceleratorCase settings =
        onDevices(towers, isStreamed ? ShardKind::Poisoned : ShardKind::Distinct);
    const StepsTaken one = takeSteps(settings, kSteps);
    for (const StepsTaken& rank : takeStepsAsRanks(settings, ranks, kSteps)) {
        QVERIFY(rank == one);
    }
    QVERIFY(emulation::lastFault().empty());
}

void TestAcceleratorRanks::Steps_synchronisedOverRanks_areThoseOfOneProcess()
{
    AcceleratorCase settings = onDevices(8, ShardKind::Distinct);
    settings.network = test::BranchedNetwork{NormalizationMode::Synchronised}.build();
    const StepsTaken one = takeSteps(settings, kSteps);
    for (const StepsTaken& rank : takeStepsAsRanks(settings, 2, kSteps)) {
        QVERIFY(rank == one);
    }
    QVERIFY(emulation::lastFault().empty());
}

/// A loss that is no number, of a tower that the other rank has not.
void TestAcceleratorRanks::Fault_ofOneRank_isToldByAll()
{
    const AcceleratorCase settings = onDevices(4, ShardKind::Distinct);
    for (const int wanted : {0, 3}) {
        test::SpoiltDataset dataset(37, {12, 11, 3});
        test::Place place;
        do {
            ++dataset.spoilt;
            place = test::placeOf(dataset.spoilt, settings, dataset.size());
        } while (place.tower != wanted || place.step == 0);
        std::mutex mutex;
        std::vector<StepOutcome> refused;
        test::resetFakeLibraries();
        emulation::reset(settings.machine);
        test::runRanks(2, [&](Ranks& own) {
            AcceleratorCase ofRank = settings;
            ofRank.share = {&own, {2 * own.rank(), 2}};
            ofRank.machine.devices = 2;
            ofRank.firstDevice = 2 * own.rank();
            AcceleratorRun run(ofRank, &dataset);
            run.start();
            StepOutcome outcome;
            for (std::int64_t step = 0; step < kSteps && !outcome.fault; ++step) {
                outcome = run.stepper->next(kSteps);
            }
            const std::scoped_lock lock(mutex);
            refused.push_back(outcome);
        });
        QCOMPARE(refused.size(), std::size_t{2});
        for (const StepOutcome& outcome : refused) {
            QCOMPARE(outcome.step, place.step);
            QVERIFY(outcome.fault);
            QCOMPARE(outcome.fault->tower, wanted);
            QCOMPARE(outcome.fault->parameter, -1);
            QCOMPARE(outcome.towers.size(), std::size_t{4});
            QVERIFY(std::isnan(outcome.towers[static_cast<std::size_t>(wanted)].lossSum));
        }
    }
}

LOCKSTEP_TEST(TestAcceleratorRanks)
#include "test_accelerator_ranks.moc"
