// SPDX-License-Identifier: Apache-2.0
// Golden values: reference-systems.md, section G.
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "update/learning_rate.h"

#include <cmath>
#include <limits>

using namespace lockstep;

namespace {

constexpr std::int64_t kTrainingSet = 50000;

LearningRateSchedule cifar10Schedule(int towers, bool ignoreTowers = false)
{
    LearningRateSettings settings;
    settings.ignoreTowers = ignoreTowers;
    return {settings, kTrainingSet, towers, 128};
}

bool isNear(double got, double expected)
{
    return std::abs(got / expected - 1.0) < 1e-12;
}

} // namespace

class TestLearningRate : public QObject
{
    Q_OBJECT

private slots:
    void DecaySteps_ofCifar10_areTheGoldenValues_data()
    {
        QTest::addColumn<int>("towers");
        QTest::addColumn<qint64>("steps");
        QTest::newRow("1") << 1 << qint64{136718};
        QTest::newRow("2") << 2 << qint64{68359};
        QTest::newRow("3") << 3 << qint64{45572};
        QTest::newRow("4") << 4 << qint64{34179};
        QTest::newRow("8") << 8 << qint64{17089};
    }

    void DecaySteps_ofCifar10_areTheGoldenValues()
    {
        QFETCH(int, towers);
        QFETCH(qint64, steps);
        QCOMPARE(cifar10Schedule(towers).decaySteps(), steps);
        QCOMPARE(cifar10Schedule(towers, true).decaySteps(), 136718);
    }

    void Rate_aroundTheDecays_isTheGoldenValue()
    {
        const auto schedule = cifar10Schedule(1);
        QCOMPARE(schedule.at(0), 0.1);
        QCOMPARE(schedule.at(136717), 0.1);
        QVERIFY(isNear(schedule.at(136718), 0.01));
        QVERIFY(isNear(schedule.at(273435), 0.01));
        QVERIFY(isNear(schedule.at(273436), 0.001));
    }

    void Rate_ofTheOldRule_decaysLaterWithMoreTowers()
    {
        // 700,000 steps of 4 towers: five decays by the rule that ignores the towers.
        QVERIFY(isNear(cifar10Schedule(4, true).at(700000), 1e-6));
        QVERIFY(isNear(cifar10Schedule(4).at(34179), 0.01));
    }

    void Rate_atTheSameExamples_doesNotDependOnTowers()
    {
        for (const std::int64_t epochs : {1, 349, 351, 699, 701}) {
            const double expected = cifar10Schedule(1).at(epochs * kTrainingSet / 128);
            for (const int towers : {2, 3, 4, 8}) {
                const auto step = epochs * kTrainingSet / (128 * towers);
                QCOMPARE(cifar10Schedule(towers).at(step), expected);
            }
        }
    }

    void Settings_ofTheirOwn_areFollowed()
    {
        const LearningRateSchedule schedule({0.5, 0.25, 2.0, false}, 100, 2, 10);
        QCOMPARE(schedule.decaySteps(), 10);
        QCOMPARE(schedule.at(9), 0.5);
        QCOMPARE(schedule.at(10), 0.125);
        QCOMPARE(schedule.at(20), 0.03125);
    }

    // 100 examples, 2 x 10 a step: 5 steps an epoch.
    static LearningRateSettings courseSettings(const char* course, const char* unit = "epochs")
    {
        LearningRateSettings settings{0.5, 0.25, 2.0};
        settings.course = course;
        settings.unit = unit;
        settings.warmup = 2.0;
        settings.milestones = "4, 6";
        settings.finalShare = 0.1;
        settings.power = 2.0;
        settings.validate();
        return settings;
    }
    static LearningRateSchedule courseOf(const char* course, const char* unit = "epochs")
    {
        return {courseSettings(course, unit), 100, 2, 10, 110};
    }

    // From step 40 on a batch of 40: 20 steps of that have seen what the 40 have, 35 see the rest.
    void Rate_behindStepsOfAnotherBatch_isThatOfTheSameExamples()
    {
        for (const char* course : {"exponential", "step", "cosine", "polynomial"}) {
            const LearningRateSchedule rest(courseSettings(course), 100, 4, 10, 75, 20 - 40);
            for (int step = 0; step <= 35; ++step) {
                QVERIFY(isNear(rest.at(40 + step), courseOf(course).at(40 + 2 * step)));
            }
        }
        const LearningRateSchedule steps(courseSettings("step"), 100, 4, 10, 75, 20 - 40);
        QVERIFY(steps.at(29) > steps.at(30) && steps.at(34) > steps.at(35));
        const std::string text = steps.describe();
        QVERIFY2(text.find("at steps 30, 35") != text.npos, text.c_str());
    }

    void Warmup_risesInAStraightLine_toTheCourse()
    {
        for (const char* course : {"exponential", "step", "cosine", "polynomial"}) {
            QCOMPARE(courseOf(course, "steps").warmupSteps(), 2);
            QCOMPARE(courseOf(course).warmupSteps(), 10);
            QCOMPARE(courseOf(course).at(0), 0.05);
            QCOMPARE(courseOf(course).at(4), 0.25);
            QCOMPARE(courseOf(course).at(9), 0.5);
        }
    }

    void Step_decaysAtItsMilestones()
    {
        for (const auto& [unit, first] :
             {std::pair("epochs", std::int64_t{20}), std::pair("steps", std::int64_t{4})}) {
            const auto schedule = courseOf("step", unit);
            QCOMPARE(schedule.at(first - 1), 0.5);
            QCOMPARE(schedule.at(first), 0.125);
            QCOMPARE(schedule.at(first * 3 / 2), 0.03125);
        }
    }

    void CosineAndPolynomial_fallToTheEndOfTheRun()
    {
        // 100 steps after the warm-up; 35 is a quarter of the way.
        QVERIFY(isNear(courseOf("cosine").at(10), 0.5));
        QVERIFY(isNear(courseOf("cosine").at(35), 0.05 + 0.45 * (1.0 + std::sqrt(0.5)) / 2.0));
        QVERIFY(isNear(courseOf("cosine").at(60), 0.275));
        QVERIFY(isNear(courseOf("polynomial").at(35), 0.05 + 0.45 * 0.5625));
        for (const char* course : {"cosine", "polynomial"}) {
            QVERIFY(isNear(courseOf(course).at(110), 0.05));
            QVERIFY(isNear(courseOf(course).at(1000), 0.05));
            const auto changed = courseOf(course).withRateAt(60, 0.3);
            QVERIFY(isNear(LearningRateSchedule(changed, 100, 2, 10, 110).at(60), 0.3));
        }
    }

    void Settings_thatAreNone_nameTheirKey()
    {
        const auto refusal = [](auto change) {
            LearningRateSettings settings;
            change(settings);
            return test::failureOf([&] { settings.validate(); });
        };
        using S = LearningRateSettings;
        QVERIFY(refusal([](S& s) { s.course = "cosinus"; }).contains("learning_rate.schedule"));
        QVERIFY(refusal([](S& s) { s.course = "step"; }).contains("milestones"));
        for (const char* list : {"3, 2", "x", "1,,x", "-1", "5 5"}) {
            QVERIFY(refusal([list](S& s) {
                        s.course = "step";
                        s.milestones = list;
                    }).contains("ascending"));
        }
        QVERIFY(refusal([](S& s) { s.warmup = -1.0; }).contains("learning_rate.warmup"));
        QVERIFY(refusal([](S& s) { s.unit = "days"; }).contains("learning_rate.unit"));
        QVERIFY(refusal([](S& s) { s.finalShare = 1.5; }).contains("final_share"));
    }

    void WithRateAt_hasTheRateThere_andDecaysOn_data()
    {
        QTest::addColumn<qint64>("step");
        QTest::addColumn<double>("rate");
        for (const qint64 step : {0, 9, 10, 25, 99}) {
            for (const double rate : {0.0, 0.003, 0.1, 1.0 / 3.0, 7.0}) {
                QTest::addRow("%g at %lld", rate, static_cast<long long>(step)) << step << rate;
            }
        }
    }

    void WithRateAt_hasTheRateThere_andDecaysOn()
    {
        QFETCH(qint64, step);
        QFETCH(double, rate);
        const LearningRateSettings before{0.5, 0.3, 2.0, false};
        const LearningRateSchedule schedule(before, 100, 2, 10); // a decay every 10 steps
        const LearningRateSettings settings = schedule.withRateAt(step, rate);
        const LearningRateSchedule changed(settings, 100, 2, 10);
        // The double beside it at most: not every double is a product with the decays.
        QVERIFY(std::abs(changed.at(step) - rate) <= rate * 2.3e-16);
        if (step < 10) {
            QCOMPARE(changed.at(step), rate);
        }
        QVERIFY(std::abs(changed.at(step + 10) - 0.3 * rate) <= rate * 1e-15);
        QCOMPARE(settings.decayFactor, before.decayFactor);
        QCOMPARE(settings.epochsPerDecay, before.epochsPerDecay);
    }

    void WithRateAt_whatCantBe_isRefused()
    {
        const LearningRateSchedule schedule({0.5, 0.0, 2.0, false}, 100, 2, 10);
        QCOMPARE(schedule.withRateAt(9, 0.2).initial, 0.2);
        QVERIFY(test::failureOf([&] {
                    static_cast<void>(schedule.withRateAt(10, 0.2));
                }).contains("decay_factor"));
        for (const double rate : {-0.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
            QVERIFY(test::failureOf([&] {
                        static_cast<void>(schedule.withRateAt(0, rate));
                    }).contains("0 or more"));
        }
    }

    void DecaySteps_stayWithinBounds()
    {
        QCOMPARE(LearningRateSchedule({0.1, 0.1, 0.001, false}, 10, 4, 128).decaySteps(), 1);
        const double never = std::numeric_limits<double>::infinity();
        const LearningRateSchedule schedule({0.1, 0.1, never, false}, 50000, 1, 128);
        QCOMPARE(schedule.at(std::int64_t{1} << 40U), 0.1);
    }
};

LOCKSTEP_TEST(TestLearningRate)
#include "test_learning_rate.moc"
