// SPDX-License-Identifier: Apache-2.0
// Towers of several ranks on emulated GPUs: the same bits as one process with as many GPUs.
#include "cuda/accelerator_run.h"
#include "support/lockstep_test.h"
#include "support/thread_ranks.h"
#include "tower/placement.h"

#include <mutex>

using namespace lockstep;
using test::AcceleratorCase;
using test::AcceleratorRun;
using test::StepsTaken;
using test::takeSteps;

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

/// What each rank made of a case that all share.
std::vector<StepsTaken> takeStepsAsRanks(
    const AcceleratorCase& all, int ranks, const Dataset* dataset = nullptr)
{
    test::resetFakeLibraries();
    emulation::reset(all.machine);
    const auto places = placeTowers(all.towers, ranks);
    std::vector<StepsTaken> taken(static_cast<std::size_t>(ranks));
    test::runRanks(ranks, [&](Ranks& own) {
        const auto number = static_cast<std::size_t>(own.rank());
        AcceleratorCase settings = all;
        settings.share = {&own, places[number]};
        settings.machine.devices = kDevices / ranks;
        settings.firstDevice = own.rank() * settings.machine.devices;
        taken[number] = takeSteps(settings, kSteps, dataset);
    });
    return taken;
}

} // namespace

class TestAcceleratorRanks : public QObject
{
    Q_OBJECT

private slots:
    void Steps_ofSeveralRanks_areThoseOfOneProcess_data();
    void Steps_ofSeveralRanks_areThoseOfOneProcess();
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
    for (const StepsTaken& rank : takeStepsAsRanks(settings, ranks)) {
        QVERIFY(rank == one);
    }
    QVERIFY(emulation::lastFault().empty());
}

void TestAcceleratorRanks::Fault_ofOneRank_isToldByAll()
{
    AcceleratorCase settings = onDevices(4, ShardKind::Distinct);
    settings.learningRate = 1e30; // the second step's losses are no numbers
    std::mutex mutex;
    std::vector<StepFault> faults;
    test::resetFakeLibraries();
    emulation::reset(settings.machine);
    test::runRanks(2, [&](Ranks& own) {
        AcceleratorCase ofRank = settings;
        ofRank.share = {&own, {2 * own.rank(), 2}};
        ofRank.machine.devices = 2;
        ofRank.firstDevice = 2 * own.rank();
        AcceleratorRun run(ofRank);
        run.start();
        for (std::int64_t step = 0; step < kSteps; ++step) {
            const StepOutcome& outcome = run.stepper->next(kSteps);
            require(outcome.towers.size() == 4, "the towers of all ranks");
            if (outcome.fault) {
                const std::scoped_lock lock(mutex);
                faults.push_back(*outcome.fault);
                return;
            }
        }
    });
    QCOMPARE(faults.size(), std::size_t{2});
    QCOMPARE(faults[0].tower, faults[1].tower);
    QCOMPARE(faults[0].parameter, faults[1].parameter);
}

LOCKSTEP_TEST(TestAcceleratorRanks)
#include "test_accelerator_ranks.moc"
