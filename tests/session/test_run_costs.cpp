// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "metrics/throughput.h"
#include "run_witness.h"
#include "session/estimate/measure_costs.h"
#include "session/estimate/rough_duration.h"
#include "session/estimate/run_cost_meter.h"
#include "session/estimate/run_estimate.h"
#include "session/estimate/stand_in_dataset.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <fstream>
#include <iterator>

using namespace lockstep;
using namespace lockstep::test;

Q_DECLARE_METATYPE(lockstep::RoughDuration)

namespace {

using Unit = RoughDuration::Unit;

constexpr double kMinute = 60.0;
constexpr double kHour = 60.0 * kMinute;
constexpr double kDay = 24.0 * kHour;

/// 0.1 s a step, 2 s until the first, 5 s an evaluation.
RunCosts costsOf(std::size_t phases = 1)
{
    RunCosts costs;
    costs.stepSeconds.assign(phases, 0.1);
    costs.startSeconds = 2.0;
    costs.evaluationSeconds = 5.0;
    costs.bytes = 300'000'000;
    costs.epochExamples = 1000;
    return costs;
}

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

/// What runs are expected to take, and where that is known from.
class TestRunCosts : public QObject
{
    Q_OBJECT

private slots:
    void Duration_isSaidAsRoughlyAsItIsKnown_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<RoughDuration>("expected");
        const auto row = [](const char* name, double seconds, RoughDuration expected) {
            QTest::newRow(name) << seconds << expected;
        };
        row("nothing", 0.0, {Unit::Moment, 0});
        row("0.03 s", 0.03, {Unit::Moment, 0});
        row("5 s", 5.0, {Unit::Seconds, 10});
        row("43 s", 43.0, {Unit::Seconds, 40});
        row("94 s", 94.0, {Unit::Seconds, 90});
        row("96 s", 96.0, {Unit::Minutes, 2});
        row("170 s", 170.0, {Unit::Minutes, 3});
        row("12.4 min", 12.4 * kMinute, {Unit::Minutes, 12});
        row("13 min", 13.0 * kMinute, {Unit::Minutes, 15});
        row("97 min", 97.0 * kMinute, {Unit::Minutes, 95});
        row("98 min", 98.0 * kMinute, {Unit::Hours, 2});
        row("35.9 h", 35.9 * kHour, {Unit::Hours, 36});
        row("2 days", 2.0 * kDay, {Unit::Days, 2});
        row("14 days", 14.0 * kDay, {Unit::Weeks, 2});
        row("100 days", 100.0 * kDay, {Unit::Months, 3});
        row("2,364 days", 2364.0 * kDay, {Unit::Years, 0});
        row("endless", std::numeric_limits<double>::infinity(), {Unit::Years, 0});
    }

    void Duration_isSaidAsRoughlyAsItIsKnown()
    {
        QFETCH(const double, seconds);
        QFETCH(const RoughDuration, expected);
        QCOMPARE(roughDuration(seconds).count, expected.count);
        QVERIFY(roughDuration(seconds).unit == expected.unit);
    }

    void Seconds_countStartStepsAndEvaluations()
    {
        RunConfig config = smallConfig(100);
        config.evaluateAtEnd = false;
        const RunCosts costs = costsOf();
        QCOMPARE(secondsOf(config, costs), 2.0 + 100 * 0.1);
        config.evaluateAtEnd = true;
        QCOMPARE(secondsOf(config, costs), 2.0 + 100 * 0.1 + 5.0);
        config.evaluateEverySteps = 30; // at 30, 60, 90 and at the end
        QCOMPARE(secondsOf(config, costs), 2.0 + 100 * 0.1 + 4 * 5.0);
        config.evaluateEverySteps = 50; // the second one is that at the end
        QCOMPARE(secondsOf(config, costs), 2.0 + 100 * 0.1 + 2 * 5.0);
    }

    void Seconds_ofARunThatGoesOn_areThoseOfItsRest()
    {
        RunConfig config = smallConfig(100);
        config.evaluateAtEnd = true;
        config.evaluateEverySteps = 30;
        QCOMPARE(secondsOf(config, costsOf(), 90), 2.0 + 10 * 0.1 + 5.0);
        QCOMPARE(secondsOf(config, costsOf(), 60), 2.0 + 40 * 0.1 + 2 * 5.0);
        QCOMPARE(secondsOf(config, costsOf(), 100), 2.0 + 5.0); // it is only finished
        const RunEstimate rest = estimate(config, 60);
        QCOMPARE(rest.steps, 40);
        QCOMPARE(rest.evaluations, 2);
        QCOMPARE(rest.seconds, 2.0 + 40 * 0.1 + 2 * 5.0);
        QCOMPARE(estimate(config).steps, 100);
        QCOMPARE(m_measured, 1);
    }

    void SecondsUntil_countEvaluationsByTheLatest()
    {
        Throughput throughput(100, 0);
        RunConfig config = smallConfig(100);
        config.evaluateAtEnd = true;
        config.evaluateEverySteps = 30;
        QVERIFY(!secondsUntil(config, 40, 100, throughput, 3.0));
        StepRecord record;
        record.stepSeconds = 0.5;
        throughput.add(record);
        QCOMPARE(secondsUntil(config, 40, 100, throughput, 0.0).value(), 60 * 0.5); // none made yet
        // At 60, 90 and the end, with both kinds of weights.
        QCOMPARE(secondsUntil(config, 40, 100, throughput, 3.0).value(), 60 * 0.5 + 3 * 6.0);
        // A run that is stopped before its end is not evaluated there.
        QCOMPARE(secondsUntil(config, 40, 70, throughput, 3.0).value(), 30 * 0.5 + 6.0);
    }

    void Steps_ofEpochs_areCountedByTheirExamples()
    {
        RunConfig config = smallConfig(7);
        config.epochs = 3.0;
        RunCosts costs = costsOf();
        costs.epochExamples = 10 * config.towerShape().globalBatch();
        QCOMPARE(stepsOf(config, costs), 30);
        config.evaluateAtEnd = false;
        QCOMPARE(secondsOf(config, costs), 2.0 + 30 * 0.1);
        costs.epochExamples = 0;
        QVERIFY_THROWS_EXCEPTION(Error, secondsOf(config, costs));
    }

    void Seconds_ofPhases_areThoseOfTheirSteps()
    {
        RunConfig config;
        setConfigValue(config, "model.name", "segdecnet");
        config.phases = {
            {"segmentation", 30, 0.1, {}},
            {"decision", 10, std::nullopt, {"segmentation"}},
            {"segmentation", 20, 0.01, {}}}; // another rate costs nothing
        config.steps = 60;
        config.evaluateAtEnd = false;
        QCOMPARE(costPhases(config).size(), std::size_t{2});
        RunCosts costs = costsOf(2);
        costs.stepSeconds = {1.0, 0.5};
        QCOMPARE(secondsOf(config, costs), 2.0 + 50 * 1.0 + 10 * 0.5);
        QCOMPARE(secondsOf(config, costs, 35), 2.0 + 20 * 1.0 + 5 * 0.5);
        config.steps = 5; // says nothing beside epochs, which may reach all phases
        config.epochs = 4.0;
        costs.epochExamples = 10 * config.towerShape().globalBatch();
        QCOMPARE(costPhases(config).size(), std::size_t{2});
        QCOMPARE(secondsOf(config, costs), 2.0 + 30 * 1.0 + 10 * 0.5);
        config.phases.clear();
        config.steps = 1;
        QCOMPARE(costPhases(config).size(), std::size_t{2});
        QCOMPARE(secondsOf(config, costs), 2.0 + 20 * 1.0 + 20 * 0.5);
    }

    void Estimate_isMeasuredOnceForWhatCostsTheSame()
    {
        const RunConfig config = smallConfig(100);
        QVERIFY(estimate(config).costs == costsOf());
        QCOMPARE(m_measured, 1);
        RunConfig longer = config; // nothing of this changes a step
        longer.steps = 1'000'000;
        longer.learningRate.initial = 0.5;
        longer.evaluateEverySteps = 10;
        longer.checkpointKeep = 7;
        longer.seed = 3;
        estimate(longer);
        QCOMPARE(m_measured, 1);
        RunConfig larger = config;
        larger.batchPerTower = 2 * config.towerShape().batchPerTower;
        estimate(larger);
        QCOMPARE(m_measured, 2);
        RunConfig sameBatch = larger; // given in another way
        sameBatch.globalBatch = larger.towerShape().globalBatch();
        sameBatch.batchPerTower.reset();
        estimate(sameBatch);
        QCOMPARE(m_measured, 2);
        for (const char* key :
             {"towers=3", "precision=bfloat16", "optimizer.name=adam", "threads_per_tower=3",
              "input.flip=false"}) {
            const std::string text = key;
            RunConfig other = config;
            setConfigValue(other, text.substr(0, text.find('=')), text.substr(text.find('=') + 1));
            const int before = m_measured;
            estimate(other);
            QVERIFY2(m_measured == before + 1, key);
        }
    }

    void Estimate_ofAModelFile_dependsOnWhatItHolds()
    {
        const auto model = m_folder->path() / "own.toml";
        const std::string text = contentOf(LOCKSTEP_SMALL_MODEL);
        std::ofstream(model) << text;
        RunConfig config = smallConfig(10);
        config.model.name = model.string();
        estimate(config);
        std::filesystem::rename(model, m_folder->path() / "moved.toml");
        config.model.name = (m_folder->path() / "moved.toml").string();
        estimate(config);
        QCOMPARE(m_measured, 1);
        std::ofstream(m_folder->path() / "moved.toml") << text << "\n# changed\n";
        estimate(config);
        QCOMPARE(m_measured, 2);
    }

    void Estimate_ofARun_isBetterThanAMeasurement()
    {
        const RunConfig config = smallConfig(100);
        estimate(config);
        RunCosts known = costsOf();
        known.stepSeconds = {0.25};
        RunCostStore(config, file()).keep(CostSource::Run, known);
        const RunEstimate told = estimate(config);
        QVERIFY(told.source == CostSource::Run);
        QVERIFY(told.costs == known);
        QCOMPARE(m_measured, 1);
    }

    void Run_stoppedBeforeAnEvaluation_keepsWhatIsKnownOfIt()
    {
        const RunConfig config = smallConfig(100);
        RunCosts stopped = costsOf();
        stopped.stepSeconds = {0.25};
        stopped.evaluationSeconds = -1.0;
        stopped.bytes = 200'000'000;
        RunCostStore store(config, file());
        const auto kept = [&] {
            store.keep(CostSource::Run, stopped);
            return store.find(CostSource::Run).value();
        };
        QCOMPARE(kept().evaluationSeconds, -1.0); // nothing was known
        RunCosts whole = costsOf();
        store.keep(CostSource::Run, whole);
        whole.stepSeconds = {0.25};
        QVERIFY(kept() == whole);
        std::filesystem::remove(file());
        store = RunCostStore(config, file());
        store.keep(CostSource::Measured, costsOf());
        QVERIFY(kept() == whole);
    }

    void Measurement_withoutTheData_isToldButNotKept()
    {
        m_costs.epochExamples = 0;
        m_costs.evaluationSeconds = -1.0;
        QVERIFY(estimate(smallConfig(10)).costs == m_costs);
        m_costs = costsOf();
        QVERIFY(estimate(smallConfig(10)).costs == m_costs); // they are there now
        estimate(smallConfig(10));
        QCOMPARE(m_measured, 2);
    }

    void Estimate_withoutTestExamples_saysSo()
    {
        m_costs.evaluationSeconds = -1.0;
        RunConfig config = smallConfig(10);
        config.evaluateAtEnd = true;
        QVERIFY(!estimate(config).isEvaluated);
        config.evaluateAtEnd = false;
        QVERIFY(estimate(config).isEvaluated);
    }

    void File_damaged_isMeasuredAnewAndWrittenWhole_data()
    {
        QTest::addColumn<QString>("costs");
        QTest::newRow("words") << "much";
        QTest::newRow("no steps") << "300000000 2 5 1000";
        QTest::newRow("too many steps") << "300000000 2 5 1000 0.1 0.1";
        QTest::newRow("negative") << "300000000 2 5 1000 -0.1";
        QTest::newRow("no memory") << "0 2 5 1000 0.1";
        QTest::newRow("without the data") << "300000000 2 -1 0 0.1";
        QTest::newRow("rest") << "300000000 2 5 1000 0.1 ?";
    }

    void File_damaged_isMeasuredAnewAndWrittenWhole()
    {
        QFETCH(const QString, costs);
        const RunConfig config = smallConfig(10);
        estimate(config);
        std::string text = contentOf(file());
        const std::string good = "300000000 2 5 1000 0.1\t";
        const std::size_t place = text.find(good);
        QVERIFY2(place != std::string::npos, text.c_str());
        std::ofstream(file()) << std::string(text).replace(
            place, good.size() - 1, costs.toStdString())
                              << "\xff\xfe no line of ours\n";
        QVERIFY(estimate(config).costs == costsOf());
        QCOMPARE(m_measured, 2);
        QCOMPARE(contentOf(file()), text);
    }

    void Measurement_thatIsCancelled_leavesNothing()
    {
        const RunConfig config = smallConfig(10);
        QVERIFY_THROWS_EXCEPTION(
            Error,
            estimateRun(
                config,
                [](const RunConfig& asked) { return measureRunCosts(asked, [] { return false; }); },
                0, file()));
        QVERIFY(!std::filesystem::exists(file()));
    }

    void Measurement_besideARun_isNotMade()
    {
        const RunConfig config = smallConfig(10);
        {
            const TrainingMark one(m_folder->path());
            const TrainingMark other(m_folder->path()); // both may train
            QVERIFY_THROWS_EXCEPTION(Error, estimate(config));
            QCOMPARE(m_measured, 0);
        }
        estimate(config);
        QCOMPARE(m_measured, 1);
        const TrainingMark one(m_folder->path());
        estimate(config); // what is known needs no processors
        QCOMPARE(m_measured, 1);
    }

    void Measurement_amongOtherPrograms_isToldButNotKept()
    {
        m_costs.isDisturbed = true;
        estimate(smallConfig(10));
        estimate(smallConfig(10));
        QCOMPARE(m_measured, 2);
        QVERIFY(!std::filesystem::exists(file()));
    }

    void Measurement_ofASmallNetwork_findsItsSteps()
    {
        RunConfig config = smallConfig(10);
        const RunCosts costs = measureRunCosts(config, [] { return true; });
        QCOMPARE(costs.stepSeconds.size(), std::size_t{1});
        QVERIFY(costs.stepSeconds[0] > 0.0 && costs.stepSeconds[0] < 5.0);
        QVERIFY(costs.startSeconds > 0.0);
        QVERIFY(costs.evaluationSeconds > 0.0);
        QVERIFY(costs.bytes > 10'000'000);
        config.dataset = "cifar10"; // which need not be there
        config.datasetPath = "/nowhere";
        QVERIFY(measureRunCosts(config, [] { return true; }).bytes > 150'000'000);
    }

    void Measurement_ofAHugeBatch_isMadeWithLessOfIt()
    {
        RunConfig config = smallConfig(10);
        config.evaluateAtEnd = false;
        const RunCosts one = measureRunCosts(config, [] { return true; });
        const std::int64_t batch = config.towerShape().globalBatch();
        config.batchPerTower = 20'000'000 / config.towers;
        const RunCosts huge = measureRunCosts(config, [] { return true; });
        const double times = 2e7 / static_cast<double>(batch);
        const double ratio = huge.stepSeconds[0] / one.stepSeconds[0] / times;
        QVERIFY2(ratio > 0.001 && ratio < 10.0, qPrintable(QString::number(ratio)));
        QVERIFY(huge.bytes > 100 * one.bytes);
    }

    /// Three rows of a pass, of fewer towers than evaluate: neither may be left so.
    void Measurement_ofPairsOfRows_isMadeWithPairs()
    {
        RunConfig config = smallConfig(10);
        config.towers = 64;
        config.evaluateTowers = 64;
        config.threadsPerTower = {1};
        config.accumulatePasses = 20'000'000;
        config.batchPerTower = 3 * std::int64_t{config.accumulatePasses};
        config.distortion.mixup = 0.2;
        QVERIFY(measureRunCosts(config, [] { return true; }).stepSeconds.at(0) > 0.0);
    }

    void StandIn_isOfTheShapeThatTheNetworkReads()
    {
        RunConfig config;
        setConfigValue(config, "model.name", "segdecnet");
        const NetworkSpec network = makeNetwork(config.model);
        const auto dataset = openStandIn(network, 5);
        QCOMPARE(dataset->size(), 5);
        QVERIFY(dataset->info().hasMasks);
        QVERIFY(dataset->info().imageShape == network.inputShape());
        const ExampleView defect = dataset->example(1);
        QCOMPARE(static_cast<std::int64_t>(defect.pixels.size()), network.inputShape().elements());
        QVERIFY(defect.label == 1 && !defect.mask.empty());
        QVERIFY(dataset->example(0).mask.empty());
    }

    void Meter_knowsARunOnceAllItsPhasesHaveSteps()
    {
        RunConfig config;
        setConfigValue(config, "model.name", "segdecnet");
        const std::vector<RunPhase> phases = costPhases(config);
        QCOMPARE(phases.size(), std::size_t{2});
        RunCostMeter meter(config);
        meter.begin(1000);
        for (int i = 0; i < 30; ++i) {
            meter.addStep(phases[0], i == 0 ? 100.0 : 0.5);
        }
        QVERIFY(!meter.costs());
        for (int i = 0; i < 30; ++i) {
            meter.addStep(phases[1], 0.25);
        }
        const RunCosts costs = meter.costs().value();
        QCOMPARE(costs.stepSeconds, (std::vector<double>{0.5, 0.25}));
        QVERIFY(costs.evaluationSeconds < 0.0);
        meter.addEvaluation(2.0);
        meter.addEvaluation(3.0);
        QCOMPARE(meter.costs()->evaluationSeconds, 5.0);
        QVERIFY(costs.bytes > 0);
    }

    void init()
    {
        m_folder = std::make_unique<TemporaryFolder>();
        m_measured = 0;
        m_costs = costsOf();
    }
    void cleanup() { m_folder.reset(); }

private:
    [[nodiscard]] std::filesystem::path file() const { return m_folder->path() / "costs.txt"; }

    RunEstimate estimate(const RunConfig& config, std::int64_t done = 0)
    {
        return estimateRun(
            config,
            [this](const RunConfig&) {
                ++m_measured;
                return m_costs;
            },
            done, file());
    }

    std::unique_ptr<TemporaryFolder> m_folder;
    RunCosts m_costs;
    int m_measured = 0;
};

LOCKSTEP_TEST(TestRunCosts)
#include "test_run_costs.moc"
