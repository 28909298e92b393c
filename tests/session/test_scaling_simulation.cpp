// SPDX-License-Identifier: Apache-2.0
#include "averaging/gradient_buckets.h"
#include "network/models/catalog.h"
#include "session/bench/bench_work.h"
#include "session/bench/simulation_run.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace lockstep;
using lockstep::test::addRows;
using lockstep::test::errorOf;
using lockstep::test::tells;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMegabyte = 1e6;

/// 40 ms forward, 60 ms backward, 5 ms update; 8 MB of gradients in these buckets, whose shares of
/// the backward pass are those of the bytes.
TowerStep stepWith(const std::vector<double>& megabytes, double addedBytesPerSecond = kInfinity)
{
    TowerStep step;
    step.input = 0.001;
    step.forward = 0.040;
    step.backward = 0.060;
    step.update = 0.005;
    step.addedBytesPerSecond = addedBytesPerSecond;
    const double all = std::accumulate(megabytes.begin(), megabytes.end(), 0.0);
    double done = 0.0;
    for (const double bucket : megabytes) {
        done += bucket;
        step.buckets.push_back({bucket * kMegabyte, step.backward * done / all, 0});
    }
    return step;
}

SimulatedCluster clusterOf(
    double latency, double bytesPerSecond, ExchangeMethod method = ExchangeMethod::Chain)
{
    return {1, {latency, bytesPerSecond}, method, 1.0 * kMegabyte};
}

bool isNear(double value, double expected)
{
    const bool isSo = std::abs(value - expected) <= 1e-9 * std::abs(expected) + 1e-15;
    if (!isSo) {
        qWarning("%.12g is not %.12g", value, expected);
    }
    return isSo;
}

double ownSeconds(const TowerStep& step)
{
    return step.input + step.forward + step.backward + step.update;
}

/// What the losses' two gatherings take.
double gatherings(int ranks, double latency)
{
    return 2.0 * std::ceil(std::log2(ranks)) * latency;
}

} // namespace

class TestScalingSimulation : public QObject
{
    Q_OBJECT

private slots:
    void Step_ofOneRank_exchangesNothing();
    void Step_overEndlessLink_takesWhatOneTowerTakes();
    void Chain_ofOnePiece_takesEveryHopInTurn_data();
    void Chain_ofOnePiece_takesEveryHopInTurn();
    void Chain_ofTwoRanks_isAPipelineOfPieces();
    void Chain_withoutAPieceSize_hasThatOfATraining();
    void Chain_inTheMiddle_sendsEverythingTwice();
    void Chain_thatAddsSlowly_waitsForTheAdders();
    void Chain_ofTowers_addsAllOfARank();
    void Work_ofMessages_takesProcessors();
    void Ring_takesItsRounds();
    void Exchange_besideTheBackwardPass_isHidden();
    void Adding_besideTheBackwardPass_lengthensIt();
    void SyncPoints_waitForTheirLatencies();
    void Step_isMonotone_data();
    void Step_isMonotone();
    void Lines_areThoseOfTheSteps();
    void Limit_isWhatCostsMost_data();
    void Limit_isWhatCostsMost();
    void Plan_impossible_isRefused_data();
    void Plan_impossible_isRefused();
    void DoublingTowers_endWithTheMost();
    void Link_texts_areRead_data();
    void Link_texts_areRead();
    void Link_wrongTexts_areRefused();
    void TowerStep_ofMeasuredNodes_hasReadyBuckets();
    void TowerStep_withoutPhases_takesAllButTheInput();
    void Run_small_measuresOneTower();
};

void TestScalingSimulation::Step_ofOneRank_exchangesNothing()
{
    const TowerStep step = stepWith({8.0}, 1e9);
    SimulatedCluster cluster = clusterOf(10.0, 1.0); // nobody could wait for that
    cluster.towersPerRank = 4;
    for (const int towers : {1, 3, 4}) {
        const SimulatedStep simulated = simulateStep(step, cluster, towers);
        QVERIFY(simulated.exchanges.empty());
        QVERIFY(isNear(simulated.seconds, ownSeconds(step) + towers * 0.008));
    }
}

void TestScalingSimulation::Step_overEndlessLink_takesWhatOneTowerTakes()
{
    const TowerStep step = stepWith({2.0, 6.0});
    for (const auto method : {ExchangeMethod::Chain, ExchangeMethod::Ring}) {
        for (const SimulatedLine& line :
             simulateScaling(step, clusterOf(0.0, kInfinity, method), doublingTowers(64))) {
            QVERIFY(isNear(line.efficiency, 1.0));
            QVERIFY(isNear(line.speedUp, line.towers));
            QVERIFY(line.limit == ScalingLimit::Compute);
        }
    }
}

void TestScalingSimulation::Chain_ofOnePiece_takesEveryHopInTurn_data()
{
    test::addNumberRows("ranks", {2, 3, 7});
}

/// Nothing overlaps: R ranks add, and R - 1 links are passed in each direction.
void TestScalingSimulation::Chain_ofOnePiece_takesEveryHopInTurn()
{
    QFETCH(const int, ranks);
    const TowerStep step = stepWith({1.0}, 2e9);
    const SimulatedStep simulated = simulateStep(step, clusterOf(0.002, 1e8), ranks);
    const double exchange = ranks * 0.0005 + 2 * (ranks - 1) * (0.010 + 0.002);
    QVERIFY(isNear(simulated.exposedSeconds(), exchange));
    QVERIFY(isNear(simulated.exchangeSeconds(), exchange));
    QVERIFY(isNear(simulated.seconds, ownSeconds(step) + exchange + gatherings(ranks, 0.002)));
}

/// Rank 1 sends a piece back while it receives the next one, so eight pieces take nine times.
void TestScalingSimulation::Chain_ofTwoRanks_isAPipelineOfPieces()
{
    const TowerStep step = stepWith({8.0});
    const SimulatedStep simulated = simulateStep(step, clusterOf(0.002, 1e8), 2);
    QVERIFY(isNear(simulated.exposedSeconds(), 9 * 0.010 + 2 * 0.002));
}

/// As a training of so many ranks has them.
void TestScalingSimulation::Chain_withoutAPieceSize_hasThatOfATraining()
{
    const TowerStep step = stepWith({8.0});
    SimulatedCluster own = clusterOf(0.0, 1e8);
    own.pieceBytes.reset();
    for (const int ranks : {2, 3, 16}) {
        SimulatedCluster given = own;
        given.pieceBytes = 4.0 * static_cast<double>(pieceValues(2'000'000, ranks));
        QCOMPARE(simulateStep(step, own, ranks).seconds, simulateStep(step, given, ranks).seconds);
    }
}

/// Sums and means: the machines in the middle send 2 x 8 MB, and that is what many pieces take.
void TestScalingSimulation::Chain_inTheMiddle_sendsEverythingTwice()
{
    const TowerStep step = stepWith({8.0});
    SimulatedCluster cluster = clusterOf(0.0, 1e8);
    cluster.pieceBytes = 1e3;
    for (const int ranks : {3, 8}) {
        const double exchange = simulateStep(step, cluster, ranks).exposedSeconds();
        const double filling = 2.0 * ranks * 1e3 / 1e8;
        QVERIFY(exchange >= 2 * 8e6 / 1e8);
        QVERIFY(exchange <= 2 * 8e6 / 1e8 + filling);
    }
}

/// 4 ms a piece to add and 1 ms to send: the first rank's eight, then the way of the last one.
void TestScalingSimulation::Chain_thatAddsSlowly_waitsForTheAdders()
{
    const TowerStep step = stepWith({8.0}, 0.25e9);
    const SimulatedStep simulated = simulateStep(step, clusterOf(0.0, 1e9), 3);
    QVERIFY(isNear(simulated.exposedSeconds(), 8 * 0.004 + 2 * 0.004 + 4 * 0.001));
}

/// Of five towers on ranks of two the last one has a single one.
void TestScalingSimulation::Chain_ofTowers_addsAllOfARank()
{
    const TowerStep step = stepWith({1.0}, 1e9);
    SimulatedCluster cluster = clusterOf(0.0, kInfinity);
    cluster.towersPerRank = 2;
    QCOMPARE(cluster.ranksFor(5), 3);
    QVERIFY(isNear(simulateStep(step, cluster, 5).exposedSeconds(), 5 * 0.001));
}

/// Each message costs both its ranks; beside the backward pass as far as the link brings it.
void TestScalingSimulation::Work_ofMessages_takesProcessors()
{
    SimulatedCluster cluster = clusterOf(0.0, kInfinity);
    cluster.link.workPerByte = 1e-9;
    QVERIFY(isNear(simulateStep(stepWith({1.0}), cluster, 2).exposedSeconds(), 4 * 0.001));
    QVERIFY(isNear(simulateStep(stepWith({1.0}), cluster, 3).exposedSeconds(), 8 * 0.001));
    const TowerStep step = stepWith({4.0, 4.0});
    QVERIFY(isNear(simulateStep(step, cluster, 2).backwardEnd, 0.101 + 2 * 0.004));
    QVERIFY(isNear(simulateStep(step, cluster, 3).backwardEnd, 0.101 + 4 * 0.004));
    cluster.link.bytesPerSecond = 2e6 / 0.030; // after the first bucket there are 30 ms
    QVERIFY(isNear(simulateStep(step, cluster, 2).backwardEnd, 0.101 + 2 * 0.002));
    cluster.method = ExchangeMethod::Ring;
    QVERIFY(isNear(simulateStep(step, cluster, 2).backwardEnd, 0.101));
}

/// Patarasuk and Yuan: 2 (R - 1) latencies, 2 (R - 1) / R of the bytes.
void TestScalingSimulation::Ring_takesItsRounds()
{
    const TowerStep step = stepWith({8.0});
    for (const int ranks : {2, 5, 1024}) {
        const SimulatedStep simulated =
            simulateStep(step, clusterOf(1e-5, 1e9, ExchangeMethod::Ring), ranks);
        QVERIFY(isNear(
            simulated.exposedSeconds(),
            2.0 * (ranks - 1) * 1e-5 + 2.0 * (ranks - 1) / ranks * 0.008));
    }
}

/// Half of the gradients are there after half of the backward pass, 30 ms before its end, and take
/// 24 ms; the others can't be hidden.
void TestScalingSimulation::Exchange_besideTheBackwardPass_isHidden()
{
    const TowerStep step = stepWith({4.0, 4.0});
    const auto ring = clusterOf(0.0, 4e6 / 0.024, ExchangeMethod::Ring);
    const SimulatedStep simulated = simulateStep(step, ring, 2);
    QVERIFY(isNear(simulated.exchanges[0].begin, 0.071));
    QVERIFY(isNear(simulated.exchanges[0].end, 0.095));
    QVERIFY(isNear(simulated.exchanges[1].begin, 0.101));
    QVERIFY(isNear(simulated.exposedSeconds(), 0.024));
    QVERIFY(isNear(simulated.exchangeSeconds(), 0.048));
    QVERIFY(isNear(*simulateScaling(step, ring, {2}).back().hiddenShare, 0.5));
    // One bucket: nothing is hidden.
    QVERIFY(isNear(*simulateScaling(stepWith({8.0}), ring, {2}).back().hiddenShare, 0.0));
}

void TestScalingSimulation::Adding_besideTheBackwardPass_lengthensIt()
{
    const TowerStep step = stepWith({4.0, 4.0}, 1e9);
    const SimulatedStep simulated = simulateStep(step, clusterOf(0.0, kInfinity), 2);
    QVERIFY(isNear(simulated.backwardEnd, 0.101 + 0.004));
    QVERIFY(simulated.seconds >= simulateStep(step, clusterOf(0.0, kInfinity), 1).seconds);
}

void TestScalingSimulation::SyncPoints_waitForTheirLatencies()
{
    TowerStep step = stepWith({4.0, 4.0});
    const auto cluster = clusterOf(0.001, kInfinity, ExchangeMethod::Ring);
    const double without = simulateStep(step, cluster, 8).seconds;
    step.forwardSyncPoints = 5;
    step.buckets[0].syncPoints = 2;
    step.buckets[1].syncPoints = 5;
    // Eight ranks know all after three rounds.
    QVERIFY(isNear(simulateStep(step, cluster, 8).seconds, without + (5 + 5) * 3 * 0.001));
    QVERIFY(isNear(simulateStep(step, cluster, 1).seconds, ownSeconds(step)));
}

void TestScalingSimulation::Step_isMonotone_data()
{
    addRows<ExchangeMethod>(
        {"method"}, {{"chain", ExchangeMethod::Chain}, {"ring", ExchangeMethod::Ring}});
}

/// A better link never makes a step longer, nor do fewer towers; and never is it shorter than its
/// work and what has to pass the link after the backward pass began.
void TestScalingSimulation::Step_isMonotone()
{
    QFETCH(const ExchangeMethod, method);
    const TowerStep step = stepWith({1.0, 3.0, 4.0}, 4e9);
    for (const double latency : {0.0, 1e-5, 1e-3}) {
        double before = kInfinity;
        for (const double bandwidth : {1e7, 1e8, 3e8, 1e9, 1e10}) {
            double smaller = 0.0;
            for (const int ranks : {2, 4, 16, 64}) {
                const double seconds =
                    simulateStep(step, clusterOf(latency, bandwidth, method), ranks).seconds;
                const double sent = 8e6 / bandwidth + 2.0 * latency;
                QVERIFY(seconds >= ownSeconds(step));
                QVERIFY(seconds >= step.input + step.forward + sent + step.update);
                QVERIFY(seconds >= smaller);
                QVERIFY(
                    simulateStep(step, clusterOf(2 * latency, bandwidth, method), ranks).seconds
                    >= seconds);
                smaller = seconds;
            }
            QVERIFY(smaller <= before);
            before = smaller;
        }
    }
}

void TestScalingSimulation::Lines_areThoseOfTheSteps()
{
    const TowerStep step = stepWith({4.0, 4.0}, 2e9);
    SimulatedCluster cluster = clusterOf(1e-4, 1e8);
    cluster.towersPerRank = 2;
    const auto lines = simulateScaling(step, cluster, {8, 2, 8});
    QCOMPARE(lines.size(), std::size_t{3});
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const SimulatedLine& line = lines[i];
        QCOMPARE(line.towers, std::vector<int>({1, 2, 8})[i]);
        QCOMPARE(line.ranks, std::vector<int>({1, 1, 4})[i]);
        QCOMPARE(line.stepSeconds, simulateStep(step, cluster, line.towers).seconds);
        QVERIFY(isNear(line.efficiency, lines[0].stepSeconds / line.stepSeconds));
        QVERIFY(isNear(line.speedUp, line.towers * line.efficiency));
        QCOMPARE(line.hiddenShare.has_value(), line.ranks > 1);
    }
    // Without bandwidth there would be latencies, and adding.
    SimulatedCluster wide = cluster;
    wide.link.bytesPerSecond = kInfinity;
    QVERIFY(isNear(
        lines[2].seconds[ScalingLimit::Bandwidth],
        lines[2].stepSeconds - simulateStep(step, wide, 8).seconds));
    QVERIFY(isNear(lines[2].seconds[ScalingLimit::Compute], 0.100));
}

void TestScalingSimulation::Limit_isWhatCostsMost_data()
{
    addRows<double, double, double, double, ScalingLimit>(
        {"input", "latency", "bandwidth", "added", "limit"},
        {{"good", 0.001, 1e-6, 1e10, 1e10, ScalingLimit::Compute},
         {"data", 0.500, 1e-6, 1e10, 1e10, ScalingLimit::Input},
         {"latency", 0.001, 1e-2, 1e10, 1e10, ScalingLimit::Latency},
         {"bandwidth", 0.001, 1e-6, 1e8, 1e10, ScalingLimit::Bandwidth},
         {"adding", 0.001, 1e-6, 1e10, 2e8, ScalingLimit::Adding}});
}

void TestScalingSimulation::Limit_isWhatCostsMost()
{
    QFETCH(const double, input);
    QFETCH(const double, latency);
    QFETCH(const double, bandwidth);
    QFETCH(const double, added);
    QFETCH(const ScalingLimit, limit);
    TowerStep step = stepWith({4.0, 4.0}, added);
    step.input = input;
    const SimulatedLine line = simulateScaling(step, clusterOf(latency, bandwidth), {16}).back();
    QCOMPARE(toString(line.limit), toString(limit));
    QCOMPARE(
        line.efficiency >= kGoodEfficiency,
        limit == ScalingLimit::Compute || limit == ScalingLimit::Input);
}

void TestScalingSimulation::Plan_impossible_isRefused_data()
{
    addRows<SimulatedCluster, int, QString>(
        {"cluster", "towers", "part"},
        {{"no tower", clusterOf(0.0, 1.0), 0, "towers is 0"},
         {"too many", clusterOf(0.0, 1.0), 1025, "1025"},
         {"no towers a rank", {0, {0.0, 1.0}}, 2, "towers per rank is 0"},
         {"no bandwidth", clusterOf(0.0, 0.0), 2, "bandwidth"},
         {"no latency", clusterOf(-1.0, 1.0), 2, "latency"},
         {"no piece", {1, {0.0, 1.0}, ExchangeMethod::Chain, 0.0}, 2, "piece"}});
}

void TestScalingSimulation::Plan_impossible_isRefused()
{
    QFETCH(const SimulatedCluster, cluster);
    QFETCH(const int, towers);
    QFETCH(const QString, part);
    QVERIFY(tells(
        errorOf([&] { simulateScaling(stepWith({1.0}), cluster, {towers}); }), ErrorCode::BadInput,
        part.toStdString()));
}

void TestScalingSimulation::DoublingTowers_endWithTheMost()
{
    QCOMPARE(doublingTowers(1), std::vector<int>({1}));
    QCOMPARE(doublingTowers(8), std::vector<int>({1, 2, 4, 8}));
    QCOMPARE(doublingTowers(6), std::vector<int>({1, 2, 4, 6}));
    QCOMPARE(doublingTowers(kMostSimulatedTowers).size(), std::size_t{11});
}

void TestScalingSimulation::Link_texts_areRead_data()
{
    addRows<bool, double>(
        {"isLatency", "value"}, {{"50us", true, 50e-6},
                                 {"0.2ms", true, 0.2e-3},
                                 {"1s", true, 1.0},
                                 {"0ms", true, 0.0},
                                 {"100Mbit", false, 12.5e6},
                                 {"1Gbit", false, 125e6},
                                 {"2.5Gbit/s", false, 312.5e6},
                                 {"117MB/s", false, 117e6},
                                 {"1.2GB/s", false, 1.2e9}});
}

void TestScalingSimulation::Link_texts_areRead()
{
    QFETCH(const bool, isLatency);
    QFETCH(const double, value);
    const std::string text = QTest::currentDataTag();
    QVERIFY(isNear(isLatency ? parseLatency(text) : parseBandwidth(text), value));
}

void TestScalingSimulation::Link_wrongTexts_areRefused()
{
    for (const char* text : {"", "5", "ms", "-1ms", "nan s", "1 ms", "5min", "infs", "1Gbit"}) {
        QVERIFY(tells(errorOf([&] { parseLatency(text); }), ErrorCode::BadInput, text, "0.2ms"));
    }
    for (const char* text : {"", "5", "0Gbit", "-1Gbit", "1 Gbit", "1Gb", "1ms", "infGbit"}) {
        QVERIFY(tells(errorOf([&] { parseBandwidth(text); }), ErrorCode::BadInput, text, "1Gbit"));
    }
    QVERIFY(tells(errorOf([] { linkByName("2g"); }), ErrorCode::BadInput, "2g", "infiniband"));
    double slower = 0.0;
    for (const std::string& name : linkNames()) {
        QVERIFY(linkByName(name).bytesPerSecond > slower);
        slower = linkByName(name).bytesPerSecond;
    }
}

/// Every node is given 1 ms forward and 2 ms backward, in passes that took twice as long.
void TestScalingSimulation::TowerStep_ofMeasuredNodes_hasReadyBuckets()
{
    const NetworkSpec network = networkByName("cifar10");
    const std::size_t nodes = network.layers.size() + network.objectives.size();
    const auto middle = static_cast<int>(network.layers.size() / 2);
    ProfiledStep measured{StepRecord(), std::vector<NodeSeconds>(nodes, {0.001, 0.002})};
    measured.record.inputSeconds = 0.003;
    measured.record.computeSeconds = 2.0 * 0.003 * static_cast<double>(nodes);
    measured.record.averagingSeconds = 0.004;
    measured.record.updateSeconds = 0.001;
    measured.record.stepSeconds = measured.record.computeSeconds + 0.010;
    const TowerStep step = towerStepOf(network, {{0, 1000, middle}, {1000, 3000, 0}}, measured);
    const auto count = static_cast<double>(nodes);
    QVERIFY(isNear(step.input, 0.003));
    QVERIFY(isNear(step.forward, 0.002 * count));
    QVERIFY(isNear(step.backward, 0.004 * count));
    QVERIFY(isNear(step.update, 0.003)); // with what is neither input, passes nor averaging
    QVERIFY(isNear(step.addedBytesPerSecond, 16'000 / 0.004));
    QCOMPARE(step.buckets.size(), std::size_t{2});
    QVERIFY(isNear(step.buckets[0].bytes, 4000));
    QVERIFY(isNear(step.buckets[0].ready, 0.004 * (count - middle)));
    QVERIFY(isNear(step.buckets[1].ready, step.backward));
    QVERIFY(isNear(ownSeconds(step) + 0.004, measured.record.stepSeconds));
    QCOMPARE(step.forwardSyncPoints, 0);
}

/// As of a GPU.
void TestScalingSimulation::TowerStep_withoutPhases_takesAllButTheInput()
{
    const NetworkSpec network = networkByName("cifar10");
    ProfiledStep measured;
    for (const NodeWork& work : nodeWork(network)) {
        measured.nodes.push_back(
            {static_cast<double>(work.forward.flop), static_cast<double>(work.backward.flop)});
    }
    measured.record.stepSeconds = 0.030;
    measured.record.inputSeconds = 0.002;
    const TowerStep step = towerStepOf(network, {{0, 1000, 0}}, measured);
    QVERIFY(isNear(step.forward + step.backward, 0.028));
    QVERIFY(step.backward > 1.5 * step.forward && step.backward < 2.0 * step.forward);
    QCOMPARE(step.update, 0.0);
    QCOMPARE(step.addedBytesPerSecond, kInfinity);
}

void TestScalingSimulation::Run_small_measuresOneTower()
{
    RunConfig config;
    config.model.name = LOCKSTEP_SMALL_MODEL;
    config.device = "cpu";
    config.batchPerTower = 8;
    config.towers = 3;
    SimulationSettings settings;
    settings.seconds = 0.1;
    settings.cluster = {2, linkByName("1g")};
    settings.towers = {4};
    const SimulationReport report = runSimulation(config, settings);
    QCOMPARE(report.lines.size(), std::size_t{2});
    QCOMPARE(report.lines[1].ranks, 2);
    QCOMPARE(report.batchPerTower, std::int64_t{8});
    QVERIFY(report.cluster.method == ExchangeMethod::Chain);
    QVERIFY(report.step.forward > 0.0 && report.step.backward > 0.0);
    QVERIFY(isNear(report.step.buckets.back().ready, report.step.backward));
    QVERIFY(report.threadsPerTower >= 1);
}

LOCKSTEP_TEST(TestScalingSimulation)
#include "test_scaling_simulation.moc"
