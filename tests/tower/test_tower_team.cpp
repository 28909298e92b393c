// SPDX-License-Identifier: Apache-2.0
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/thread_ranks.h"
#include "support/tower_run.h"

#include <sched.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

using namespace lockstep;

namespace {

NetworkSpec network()
{
    return test::chain(
        {8, 8, 3},
        {test::convolution(16, {3, 3}, {1, 1}, Padding::Same, Activation::Relu),
         MaxPool{{2, 2}, {2, 2}}, Lrn{2, 1.0, 0.1, 0.75}},
        4);
}

/// Lets this thread, and those that it starts, use one processor only.
class OneProcessor
{
public:
    OneProcessor()
    {
        sched_getaffinity(0, sizeof m_before, &m_before);
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
            if (CPU_ISSET(cpu, &m_before)) {
                CPU_SET(cpu, &one);
            }
        }
        sched_setaffinity(0, sizeof one, &one);
    }
    ~OneProcessor() { sched_setaffinity(0, sizeof m_before, &m_before); }
    OneProcessor(const OneProcessor&) = delete;
    OneProcessor& operator=(const OneProcessor&) = delete;

private:
    cpu_set_t m_before{};
};

} // namespace

class TestTowerTeam : public QObject
{
    Q_OBJECT

private slots:
    void Step_repeated_givesTheSameBits_data()
    {
        QTest::addColumn<int>("towers");
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("batch");
        QTest::newRow("one tower") << 1 << 1 << 12;
        QTest::newRow("two towers") << 2 << 1 << 6;
        QTest::newRow("lanes of unequal size") << 2 << 4 << 6;
        QTest::newRow("more towers than processors") << 12 << 1 << 1;
        QTest::newRow("one row, two threads") << 2 << 2 << 1;
    }

    void Step_repeated_givesTheSameBits()
    {
        QFETCH(int, towers);
        QFETCH(int, threads);
        QFETCH(int, batch);
        const TowerShape shape{towers, threads, batch};
        const Batch rows = test::randomBatch(network(), shape.globalBatch(), 1);
        const Batch others = test::randomBatch(network(), shape.globalBatch(), 2);
        test::TowerRun first(network(), shape, 5);
        test::TowerRun second(network(), shape, 5);
        first.step(rows);
        second.step(others);
        second.step(rows);
        QVERIFY(first.average() == second.average());
        QCOMPARE(first.lossSum(), second.lossSum());
    }

    void Step_onOneProcessor_givesTheSameBits()
    {
        const TowerShape shape{4, 2, 3};
        const Batch rows = test::randomBatch(network(), shape.globalBatch(), 1);
        test::TowerRun all(network(), shape, 5);
        all.step(rows);
        const OneProcessor restricted;
        test::TowerRun one(network(), shape, 5);
        QCOMPARE(one.team().threads().size(), 1);
        one.step(rows);
        QVERIFY(all.average() == one.average());
        QCOMPARE(all.lossSum(), one.lossSum());
    }

    void Threads_thatWorkInsideOps_areNotBound()
    {
        test::TowerRun inside(network(), {1, 2, 1}, 5);
        QVERIFY(!inside.team().threads().isBound());
        test::TowerRun lanes(network(), {1, 1, 2}, 5);
        QVERIFY(lanes.team().threads().isBound());
    }

    void Fault_inOneTower_namesIt_andTheNextStepIsWhole()
    {
        const Batch good = test::randomBatch(network(), 8, 1);
        for (const int tower : {0, 1, 3}) {
            test::TowerRun run(network(), {4, 1, 2}, 5);
            run.step(good);
            const auto before = run.average();
            Batch bad = good;
            bad.labels.at(static_cast<std::size_t>(2 * tower + 1)) = 99;
            const QString text = test::failureOf([&] { run.step(bad); });
            const QString expected = QString("tower %1: layer 'cross_entropy'").arg(tower);
            QVERIFY2(text.startsWith(expected), qPrintable(text));
            QCOMPARE(run.step(good), -1);
            QVERIFY(run.average() == before);
        }
    }

    void Planning_thatFails_namesTowerAndLayer()
    {
        const cpu::CpuDevice device;
        NetworkSpec broken = network();
        // A stride that the layer's shape does not allow: only oneDNN sees it.
        std::get<Conv2d>(broken.layers.at(1).spec).stride = {3, 3};
        const ParameterArena arena(device, broken);
        const QString what = test::failureOf([&] {
            TowerTeam(device, broken, arena.layout(), {1, 1, 2}, {});
        });
        QVERIFY2(what.startsWith("tower 0: layer '1-conv2d'"), qPrintable(what));
    }

    void Gradient_thatIsNotFinite_isFoundInItsTower()
    {
        const NetworkSpec net = network();
        for (const int tower : {0, 2}) {
            test::TowerRun run(net, {3, 2, 3}, 5);
            Batch batch = test::randomBatch(net, 9, 1);
            QCOMPARE(run.step(batch), -1);
            const auto& layout = run.arena().layout();
            QCOMPARE(run.team().firstTowerNotFinite(0, layout.elements), -1);

            // The last row of the tower: in its second lane.
            const auto row = static_cast<std::size_t>(3 * tower + 2);
            const auto elements = static_cast<std::size_t>(net.inputShape().elements());
            batch.images.at(row * elements) = std::numeric_limits<float>::infinity();
            const int parameter = run.step(batch);
            QVERIFY(parameter >= 0);
            const auto number = static_cast<std::size_t>(parameter);
            QCOMPARE(
                run.team().firstTowerNotFinite(layout.offsets[number], layout.counts[number]),
                tower);
            for (int other = 0; other < 3; ++other) {
                const double loss = run.results()[static_cast<std::size_t>(other)].lossSum;
                QCOMPARE(std::isfinite(loss), other != tower);
            }
        }
    }

    void Batch_ofAnotherSize_isRefused()
    {
        test::TowerRun run(network(), {2, 1, 2}, 5);
        QVERIFY_THROWS_EXCEPTION(Error, run.step(test::randomBatch(network(), 3, 1)));
    }

    void Algorithm_thatIsMeasured_isThatOfTheFirstLane_onAllRanks()
    {
        const NetworkSpec net = test::chain(
            {16, 16, 3}, {test::convolution(32, {1, 1}), test::convolution(32, {3, 3})}, 4);
        const test::TemporaryFolder folder;
        std::array<std::vector<OpReport>, 4> lanes;
        test::runRanks(2, [&](Ranks& ranks) {
            const int rank = ranks.rank();
            const cpu::CpuDevice device(folder / std::to_string(rank));
            const ParameterArena arena(device, net, Precision::Bfloat16);
            const TowerTeam team(
                device, net, arena.layout(), {2, 2, 33}, {.precision = Precision::Bfloat16},
                {&ranks, {rank, 1}});
            for (int lane = 0; lane < 2; ++lane) {
                lanes.at(static_cast<std::size_t>(2 * rank + lane)) = team.replica(lane).report();
            }
        });
        QCOMPARE(lanes[0].at(2).choices.measured, 1);
        for (std::size_t lane = 1; lane < lanes.size(); ++lane) {
            QCOMPARE(lanes.at(lane).at(2).algorithm, lanes[0].at(2).algorithm);
            QVERIFY(!lanes.at(lane).at(2).choices.isMeasured());
        }
        QVERIFY(std::filesystem::exists(folder / "0"));
        QVERIFY(!std::filesystem::exists(folder / "1"));
    }

    void Memory_ofATeam_isThatOfItsReplicas()
    {
        test::TowerRun run(network(), {2, 2, 3}, 5);
        std::size_t bytes = 0;
        for (int lane = 0; lane < 4; ++lane) {
            bytes += run.team().replica(lane).bytes();
        }
        QCOMPARE(run.team().lanes().size(), std::size_t{4});
        QCOMPARE(run.team().bytes(), bytes);
    }
};

LOCKSTEP_TEST(TestTowerTeam)
#include "test_tower_team.moc"
