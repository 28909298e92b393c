// SPDX-License-Identifier: Apache-2.0
// The search for a learning rate: the curve that says where to look, on curves that are known; the
// trials that say what to take, on a function whose largest stable rate is known; and both on a
// training.
#include "metrics/step_record.h"
#include "session/rate_finder/rate_finder.h"
#include "session/run_witness.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <cmath>
#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int kSteps = 100;

/// Gradient descent on the sum of h x² / 2, whose largest stable rate is 2 / max h. Each step is
/// measured with the noise of its batch, which is the same at any rate.
struct Quadratic
{
    std::vector<double> curvatures;
    double noise = 0.0;

    [[nodiscard]] double noiseOf(int step) const
    {
        std::mt19937 random(static_cast<unsigned>(step));
        return noise * std::normal_distribution<double>()(random);
    }
    [[nodiscard]] std::vector<double> descend(double rate, int steps) const
    {
        std::vector<double> x(curvatures.size(), 1.0);
        std::vector<double> values;
        for (int step = 0; step < steps; ++step) {
            double value = 1.0 + noiseOf(step);
            for (std::size_t i = 0; i < x.size(); ++i) {
                value += 0.5 * curvatures[i] * x[i] * x[i];
                x[i] -= rate * curvatures[i] * x[i];
            }
            values.push_back(value);
        }
        return values;
    }
    [[nodiscard]] RateTrial tryRate(double rate) const
    {
        RateTrial trial{rate, descend(rate, kSteps)};
        trial.isDiverged = !(trial.crossEntropies.back() < 1e6);
        return trial;
    }
    [[nodiscard]] double after300(double rate) const { return descend(rate, 300).back(); }
    [[nodiscard]] std::optional<RateTrial> search(double first) const
    {
        return searchRate({first, 1e-5, 10.0}, descend(0.0, kSteps), [this](double rate) {
            return tryRate(rate);
        });
    }
};

/// A range test in which the cross-entropy falls by 2 around a rate, as a logistic curve does.
struct Curve
{
    std::vector<double> untrained;
    std::vector<RateStep> steps;

    Curve(double middle, double fall, double noise)
    {
        const RateFinderSettings settings{1e-4, 1.0, 101};
        std::mt19937 random(7);
        std::normal_distribution<double> normal;
        for (int i = 0; i < settings.steps; ++i) {
            const double batch = 3.0 + normal(random); // easy and hard ones
            const double rate = settings.rateAt(i);
            untrained.push_back(batch);
            steps.push_back(
                {rate, batch - fall + fall / (1.0 + std::pow(rate / middle, 2.0))
                           + noise * normal(random)});
        }
        smoothRates(steps, untrained);
    }
};

RunConfig quickConfig()
{
    RunConfig config = smallConfig(5);
    config.learningRate.initial = 0.7; // nothing goes by it
    return config;
}

const OnRateFinding kGoOn = [](const RateFinding& /*soFar*/) { return true; };

} // namespace

class TestRateFinder : public QObject
{
    Q_OBJECT

private slots:
    void Rates_riseByTheSameFactor()
    {
        const RateFinderSettings settings{1e-3, 10.0, 13};
        QCOMPARE(settings.rateAt(0), 1e-3);
        QVERIFY(std::abs(settings.rateAt(12) / 10.0 - 1.0) < 1e-12);
        QVERIFY(std::abs(settings.rateAt(6) / 0.1 - 1.0) < 1e-12);
    }

    /// What is easy or hard about a batch is known from the untrained network; nothing comes late.
    void Curve_ofBatchesThatDiffer_isSmoothedWithoutLag()
    {
        const Curve curve(0.01, 2.0, 0.0);
        double level = 0.0;
        for (const double batch : curve.untrained) {
            level += batch / static_cast<double>(curve.untrained.size());
        }
        for (const RateStep& step : curve.steps) {
            const double exact = level - 2.0 + 2.0 / (1.0 + std::pow(step.rate / 0.01, 2.0));
            QVERIFY(std::abs(step.smoothed - exact) < 0.06);
        }
        QVERIFY(std::abs(curve.steps[50].smoothed - (level - 1.0)) < 1e-9);
        Curve straight(0.01, 0.0, 0.0);
        for (std::size_t i = 0; i < straight.steps.size(); ++i) {
            straight.steps[i].crossEntropy = straight.untrained[i] - 0.01 * static_cast<double>(i);
        }
        smoothRates(straight.steps, straight.untrained);
        QVERIFY(std::abs(straight.steps.front().smoothed - level) < 1e-9);
        QVERIFY(std::abs(straight.steps.back().smoothed - (level - 1.0)) < 1e-9);
    }

    void Steepest_ofAKnownCurve_isItsMiddle()
    {
        for (const double middle : {0.003, 0.01, 0.05}) {
            for (const double noise : {0.0, 0.1}) {
                const Curve curve(middle, 2.0, noise);
                const auto rate = steepestRate(curve.steps, curve.untrained);
                QVERIFY(rate && std::abs(std::log10(*rate / middle)) < (noise > 0.0 ? 0.25 : 0.05));
            }
        }
    }

    void Steepest_whereNothingFalls_isNone()
    {
        for (const double noise : {0.0, 0.1, 3.0}) {
            const Curve silent(0.01, 0.0, noise);
            QVERIFY(!steepestRate(silent.steps, silent.untrained));
            const Curve rising(0.01, -1.0, noise);
            QVERIFY(!steepestRate(rising.steps, rising.untrained));
        }
        QVERIFY(!steepestRate({}, {}));
    }

    void Search_onAQuadratic_staysBelowItsLargestStableRate_data()
    {
        QTest::addColumn<double>("most"); // curvature
        QTest::addColumn<double>("first");
        for (const double most : {0.5, 3.0, 10.0, 70.0, 400.0}) {
            for (const double first : {1e-4, 0.01, 1.0, 10.0}) {
                QTest::addRow("%g from %g", most, first) << most << first;
            }
        }
    }

    void Search_onAQuadratic_staysBelowItsLargestStableRate()
    {
        QFETCH(const double, most);
        QFETCH(const double, first);
        for (const double noise : {0.0, 0.01}) {
            const Quadratic quadratic{{most, 0.4 * most, 0.1 * most, 0.02 * most}, noise * most};
            const auto found = quadratic.search(first);
            QVERIFY(found);
            QVERIFY(found->rate < 2.0 / most);
            QVERIFY(quadratic.after300(found->rate) <= quadratic.after300(found->rate / 10.0));
            QVERIFY(!(quadratic.after300(found->rate) > quadratic.after300(found->rate * 10.0)));
        }
    }

    /// The noise of a batch is that of the untrained network: both are asked of the same.
    void Search_inNoiseFarAboveTheFall_findsIt()
    {
        const Quadratic quadratic{{1.0, 0.1}, 30.0};
        const auto found = quadratic.search(0.1);
        QVERIFY(found && found->rate < 2.0);
    }

    void Search_whereNothingIsLearnt_suggestsNothing()
    {
        const std::vector<double> flat(kSteps, 2.3);
        const auto silent = [&](double rate) { return RateTrial{rate, flat}; };
        QVERIFY(!searchRate({0.1, 1e-5, 10.0}, flat, silent));
        const auto lost = [&](double rate) { return RateTrial{rate, {2.3, 900.0}, true}; };
        QVERIFY(!searchRate({0.1, 1e-5, 10.0}, flat, lost));
        const auto rises = [&](double rate) {
            return RateTrial{rate, std::vector<double>(kSteps, 2.3 + rate)};
        };
        QVERIFY(!searchRate({0.1, 1e-5, 10.0}, flat, rises));
        int suggestions = 0;
        for (unsigned seed = 0; seed < 200; ++seed) {
            std::mt19937 random(seed);
            std::normal_distribution<double> normal(2.3, 0.1);
            const auto noisy = [&](double rate) {
                RateTrial trial{rate};
                for (int i = 0; i < kSteps; ++i) {
                    trial.crossEntropies.push_back(normal(random));
                }
                return trial;
            };
            suggestions += searchRate({0.1, 1e-5, 10.0}, noisy(0.0).crossEntropies, noisy) ? 1 : 0;
        }
        QVERIFY2(suggestions <= 10, qPrintable(QString::number(suggestions)));
    }

    /// 0.3 is better by 0.01, with a standard error of 0.03.
    void Search_ofTwoThatAreAlike_takesTheLower()
    {
        std::vector<double> tried;
        const std::vector<double> untrained(kSteps, 2.3);
        const auto found =
            searchRate({0.25, 1e-5, 10.0}, untrained, [&tried](double rate) -> RateTrial {
                tried.push_back(rate);
                const double value = rate > 0.5 ? 2.2 : rate > 0.2 ? 0.99 : rate > 0.05 ? 1.0 : 1.9;
                RateTrial trial{rate};
                for (int i = 0; i < kSteps; ++i) {
                    trial.crossEntropies.push_back(value + (i % 2 == 0 ? rate : -rate));
                }
                return trial;
            });
        QCOMPARE(found->rate, 0.1);
        QCOMPARE(tried, (std::vector<double>{0.1, 0.03, 0.3, 1.0, 0.01}));
    }

    void Finder_makesEveryTrialFromTheSameWeightsAndBatches()
    {
        const RateFinderSettings settings{1e-9, 1e3, 30};
        const RunConfig config = quickConfig();
        const RateFinding found = findRate(config, settings, kGoOn);
        QVERIFY(found.trialSteps == 30 || found.trialSteps == 60);
        QCOMPARE(found.untrained.size(), static_cast<std::size_t>(found.trialSteps));
        QVERIFY(found.sweep.size() > 10 && found.sweep.size() < 30); // ends before a rate of 1e3
        for (std::size_t i = 0; i < found.sweep.size(); ++i) {
            const RateStep& step = found.sweep[i];
            QCOMPARE(step.rate, settings.rateAt(static_cast<int>(i)));
            if (step.rate < 1e-7) { // nothing moves
                QVERIFY(std::abs(step.crossEntropy / found.untrained[i] - 1.0) < 1e-5);
            }
        }
        QVERIFY(found.trials.size() > 2);
        for (const RateTrial& trial : found.trials) {
            RunConfig one = config;
            one.learningRate = {.initial = trial.rate, .decayFactor = 1.0};
            one.steps = found.trialSteps;
            one.checkpointEverySteps = 0;
            const TemporaryFolder folder;
            if (trial.isDiverged) {
                continue;
            }
            Witness witness;
            trainWhole({one, folder / "run"}, witness);
            const auto records = storedSteps(folder / "run");
            for (std::size_t i = 0; i < records.size(); ++i) {
                QCOMPARE(trial.crossEntropies[i], crossEntropy(records[i]));
            }
        }
        const RateFinding again = findRate(config, settings, kGoOn);
        QCOMPARE(again.rate, found.rate);
        QCOMPARE(again.untrained, found.untrained);
        QCOMPARE(again.trials.size(), found.trials.size());
    }

    void Finder_suggestsARateThatTrains()
    {
        RunConfig config;
        config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
        config.device = "cpu";
        config.batchPerTower = 16;
        const RateFinding found = findRate(config, {}, kGoOn);
        QVERIFY(found.rate);
        const RateTrial* const trial = found.trialOf(*found.rate);
        const RateTrial* const tenth = found.trialOf(*found.rate / 10.0);
        QVERIFY(trial != nullptr && tenth != nullptr && found.trialOf(123.0) == nullptr);
        QVERIFY(trial->crossEntropy() < tenth->crossEntropy());
    }

    /// Gradients are cut so short that no weight moves.
    void Finder_whereNothingIsLearnt_triesItLongerAndSuggestsNothing()
    {
        RunConfig config = quickConfig();
        config.optimizer.clipNorm = 1e-12;
        config.optimizer.weightDecay = 0.0;
        const RateFinding found = findRate(config, {1e-3, 1.0, 10}, kGoOn);
        QVERIFY(!found.rate);
        QCOMPARE(found.trialSteps, 20);
        QCOMPARE(found.untrained.size(), std::size_t{20});
        QVERIFY(!found.trials.empty());
        for (const RateTrial& trial : found.trials) {
            QCOMPARE(trial.crossEntropies.size(), std::size_t{20});
        }
    }

    void Finder_thatIsCancelled_saysSo_data()
    {
        QTest::addColumn<int>("calls");
        QTest::newRow("at once") << 0;
        QTest::newRow("untrained") << 40;
        QTest::newRow("rising") << 120;
        QTest::newRow("in a trial") << 260;
    }

    void Finder_thatIsCancelled_saysSo()
    {
        QFETCH(int, calls);
        try {
            findRate(quickConfig(), {}, [&calls](const auto& /*soFar*/) { return calls-- > 0; });
            QFAIL("was not cancelled");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::Cancelled);
            QVERIFY(calls < 0 && calls > -10);
        }
    }

    /// The first phase is tried, whatever its rate, and is what the rate is for.
    void Finder_ofPhases_triesTheFirst()
    {
        RunConfig config = quickConfig();
        QVERIFY(!hasOwnRate(config));
        RunConfig taken = config;
        takeRate(taken, 0.03);
        QCOMPARE(taken.learningRate.initial, 0.03);
        QVERIFY(areTriedAlike(taken, config));
        config.phases = {{"", 3, 0.5, {}}, {"", 2, 0.25, {}}};
        QVERIFY(hasOwnRate(config));
        taken = config;
        takeRate(taken, 0.03);
        QCOMPARE(taken.learningRate.initial, config.learningRate.initial);
        QCOMPARE(taken.phases.front().learningRate, std::optional(0.03));
        QCOMPARE(taken.phases.back(), config.phases.back());
        QVERIFY(areTriedAlike(taken, config));
        taken.batchPerTower = 4;
        QVERIFY(!areTriedAlike(taken, config));
        const RateFinding found = findRate(config, {1e-3, 1.0, 10}, kGoOn);
        QCOMPARE(found.untrained, findRate(quickConfig(), {1e-3, 1.0, 10}, kGoOn).untrained);
    }

    void Settings_thatAreNone_areRefused()
    {
        QVERIFY(failureOf([] { RateFinderSettings{0.0}.validate(); }).contains("more than 0"));
        QVERIFY(failureOf([] { RateFinderSettings{1.0, 0.5}.validate(); }).contains("above"));
        QVERIFY(failureOf([] { RateFinderSettings{1e-3, 1.0, 5}.validate(); }).contains("10"));
        QVERIFY(failureOf([] { RateFinderSettings{0.4, 0.9}.validate(); }).contains("0.4 to 0.9"));
        RateFinderSettings{0.25, 0.3}.validate();
        RateFinderSettings{0.3, 0.9}.validate();
    }
};

LOCKSTEP_TEST(TestRateFinder)
#include "test_rate_finder.moc"
