// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "base/core_groups.h"
#include "session/bench/simulation_run.h"
#include "session/synthetic_training.h"
#include "session/training/training_session.h"
#include "support/lockstep_test.h"
#include "support/thread_ranks.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

RunConfig towersOfOneThread(int towers)
{
    RunConfig config;
    config.towers = towers;
    config.threadsPerTower = {1};
    config.batchPerTower = 16;
    config.device = "cpu";
    return config;
}

double simulatedSeconds()
{
    SimulationSettings settings;
    settings.seconds = 0.5;
    settings.cluster = {1, {2e-6, 5e9}};
    settings.towers = {2};
    return runSimulation(towersOfOneThread(1), settings).lines.back().stepSeconds;
}

struct Measured
{
    std::vector<double> steps; ///< seconds
    ExchangeSeconds exchange;  ///< of the last step

    [[nodiscard]] double median() const
    {
        std::vector<double> sorted = steps;
        std::ranges::sort(sorted);
        return sorted[sorted.size() / 2];
    }
};

/// Of all processors together, in which other programs worked.
double secondsOfOthers()
{
    std::ifstream file("/proc/stat");
    std::string all;
    double user = 0.0;
    double nice = 0.0;
    double system = 0.0;
    file >> all >> user >> nice >> system;
    return (user + nice + system) / static_cast<double>(sysconf(_SC_CLK_TCK))
           - static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// The calling thread, and those that it starts.
void bindTo(int processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    static_cast<void>(sched_setaffinity(0, sizeof set, &set));
}

/// Each on a processor of its own, as a launcher binds them.
Measured trainOnTwoRanks(const std::vector<int>& processors)
{
    constexpr int kSteps = 40;
    Measured measured;
    runRanks(2, [&](Ranks& own) {
        bindTo(processors.at(static_cast<std::size_t>(own.rank())));
        TrainingSession session(towersOfOneThread(2), trainingSet(), {}, &own);
        if (own.rank() > 0) {
            while (session.obey().kind != RankOrder::Kind::End) {
            }
            return;
        }
        while (session.progress().step < kSteps) {
            const TrainingStep& step = session.step();
            measured.steps.push_back(step.record.stepSeconds);
            measured.exchange = step.exchange.value();
        }
        session.order({RankOrder::Kind::End});
    });
    return measured;
}

} // namespace

/// What is simulated beside what ranks do that share memory.
class TestSimulatedRanks : public QObject
{
    Q_OBJECT

private slots:
    void Step_ofTwoRanks_takesAboutWhatIsSimulated();
};

/// Generous. What is measured while other programs take processors away says nothing.
void TestSimulatedRanks::Step_ofTwoRanks_takesAboutWhatIsSimulated()
{
    const std::vector<int> processors = usableProcessors();
    if (processors.size() < 2) {
        QSKIP("two ranks need two processors");
    }
    constexpr int kAttempts = 8;
    constexpr double kFactor = 2.0;
    constexpr double kMostOfOthers = 0.1;
    bool isNear = false;
    bool wasQuiet = false;
    for (int attempt = 0; attempt < kAttempts && !isNear; ++attempt) {
        const Stopwatch watch;
        const double before = secondsOfOthers();
        const double simulated = simulatedSeconds();
        const Measured measured = trainOnTwoRanks(processors);
        const double others = (secondsOfOthers() - before) / watch.seconds();
        wasQuiet = wasQuiet || others < kMostOfOthers;
        qInfo(
            "simulated %.2f ms, measured %.2f ms, beside %.2f processors of others",
            1e3 * simulated, 1e3 * measured.median(), others);
        isNear = measured.median() < kFactor * simulated && measured.median() > simulated / kFactor;
        QVERIFY(measured.exchange.underWay > 0.0);
        QVERIFY(measured.exchange.exposed >= 0.0);
        QVERIFY(measured.exchange.exposed < measured.steps.back());
    }
    if (!isNear && !wasQuiet) {
        QSKIP("other programs are at work: time says nothing");
    }
    QVERIFY(isNear);
}

LOCKSTEP_TEST(TestSimulatedRanks)
#include "test_simulated_ranks.moc"
