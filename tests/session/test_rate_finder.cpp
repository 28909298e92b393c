// SPDX-License-Identifier: Apache-2.0
// The learning-rate range test: the rates that it tries, the losses that a training has at them,
// and where a curve is steepest.
#include "session/rate_finder/rate_finder.h"
#include "session/run_witness.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <cmath>

using namespace lockstep;
using namespace lockstep::test;

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

    /// A logistic fall over the logarithm of the rate is steepest in its middle.
    void Steepest_ofAKnownCurve_isItsMiddle()
    {
        std::vector<RateTrial> trials;
        const RateFinderSettings settings{1e-4, 1.0, 81};
        for (int i = 0; i < settings.steps; ++i) {
            const double rate = settings.rateAt(i);
            const double loss = 2.0 / (1.0 + std::pow(rate / 0.01, 2.0));
            trials.push_back({rate, loss, loss});
        }
        QVERIFY(std::abs(steepestRate(trials).value() / 0.01 - 1.0) < 1e-9);
        for (RateTrial& trial : trials) {
            trial.smoothed = -trial.smoothed; // rises everywhere
        }
        QVERIFY(!steepestRate(trials));
        trials.resize(9);
        QVERIFY(!steepestRate(trials));
    }

    void Trials_areStepsOfATraining_andEndWhereItDiverges()
    {
        RunConfig config = smallConfig(5);
        RateFinderSettings settings{1e-9, 1e6, 60};
        const auto trials = tryRates(config, settings, [](const auto& /*made*/) { return true; });
        QVERIFY(trials.size() > 20 && trials.size() < 60); // long before a rate of 1e6
        double mean = 0.0;
        for (std::size_t i = 0; i < trials.size(); ++i) {
            QCOMPARE(trials[i].rate, settings.rateAt(static_cast<int>(i)));
            mean = 0.9 * mean + 0.1 * trials[i].loss;
            const double smoothed = mean / (1.0 - std::pow(0.9, static_cast<double>(i + 1)));
            QVERIFY(std::abs(trials[i].smoothed / smoothed - 1.0) < 1e-12);
        }
        // At a rate of 1e-9 nothing moves: the losses are those of a run with next to no rate.
        config.learningRate.initial = 1e-9;
        config.learningRate.decayFactor = 1.0;
        const TemporaryFolder folder;
        Witness witness;
        const auto losses = trainWhole({config, folder / "run"}, witness);
        for (std::size_t i = 0; i < losses.size(); ++i) {
            QVERIFY(std::abs(trials[i].loss / losses[i] - 1.0) < 1e-5);
        }
    }

    void Trials_thatAreCancelled_end()
    {
        const auto trials =
            tryRates(smallConfig(5), {}, [](const auto& made) { return made.size() < 3; });
        QCOMPARE(trials.size(), std::size_t{3});
    }

    void Settings_thatAreNone_areRefused()
    {
        QVERIFY(failureOf([] { RateFinderSettings{0.0}.validate(); }).contains("more than 0"));
        QVERIFY(failureOf([] { RateFinderSettings{1.0, 0.5}.validate(); }).contains("above"));
        QVERIFY(failureOf([] { RateFinderSettings{1e-3, 1.0, 5}.validate(); }).contains("10"));
    }
};

LOCKSTEP_TEST(TestRateFinder)
#include "test_rate_finder.moc"
