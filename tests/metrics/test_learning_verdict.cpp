// SPDX-License-Identifier: Apache-2.0
#include "metrics/verdicts/learning_verdict.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

using namespace lockstep;

namespace {

constexpr int kTestClasses = 10;
constexpr int kStepsOfEpoch = 78; ///< no multiple of the steps between two looks
constexpr int kBatchExamples = 128;

/// What the network does at a step: the probability that an example is right, and its loss.
struct Skill
{
    double accuracy = 0.1;
    double loss = 2.3026;
    double learningRate = 0.1;
    std::vector<double> objectives = {}; ///< of which `loss` is what is trained
};

/// Takes so many steps, each with its noise, and calls `look` after each.
void trainFor(
    LearningVerdict& verdict, int steps, const std::function<Skill(int step)>& skillAt,
    const std::function<void(int made)>& look = {})
{
    std::mt19937_64 random(7);
    for (int i = 0; i < steps; ++i) {
        const Skill skill = skillAt(i);
        StepRecord step;
        step.step = i;
        step.epoch = (i + 1.0) / kStepsOfEpoch;
        step.learningRate = skill.learningRate;
        step.weightDecayLoss = 3.0 * std::exp(-0.01 * i); // falls, whatever is learned
        step.lossMean =
            skill.loss + step.weightDecayLoss + 0.02 * std::normal_distribution<double>()(random);
        TowerRecord& tower = step.towers.emplace_back();
        tower.examples = kBatchExamples;
        tower.correct = std::binomial_distribution<int>(kBatchExamples, skill.accuracy)(random);
        tower.loss = step.lossMean;
        for (const double objective : skill.objectives) {
            tower.objectives.add(objective);
        }
        verdict.take(step);
        if (look) {
            look(i + 1);
        }
    }
}

} // namespace

class TestLearningVerdict : public QObject
{
    Q_OBJECT

private slots:
    void DeadNetwork_isRedWithin100StepsAfterTheFirstEpoch();
    void DeadNetwork_whoseLossWasHigherAtFirst_isNeverGreen();
    void Loss_ofWeightsWithoutBounds_isNotTold();
    void DeadNetwork_thatBeginsToLearn_isGreen();
    void LearningNetwork_isGreen_andNeverRed();
    void RisenLoss_isRed();
    void RisenLoss_ofUnknownChance_isRed();
    void RisenLoss_ofAnObjectiveThatIsNotTrained_isNotRed();
    void LoudLoss_ofUnknownChance_isNeverRed();
    void ConstantAnswer_toUnbalancedClasses_isRed();
    void BetterThanTheLargestClass_isGreen();
    void NoFall_isSaidPlainly();
    void LossThatRisesAgain_isAmber_untilTheRateChanges();
    void LossThatRisesAgain_ifItDoesNotMatter_isGreen();
    void FallingLossOfUnknownClasses_isGreen();
    void Plateau_isAmber_unlessNothingIsLeft();
};

// Its loss falls all the time: by weight decay.
void TestLearningVerdict::DeadNetwork_isRedWithin100StepsAfterTheFirstEpoch()
{
    LearningVerdict verdict(5000, kTestClasses);
    int first = -1;
    trainFor(
        verdict, 400, [](int) { return Skill{}; },
        [&](int made) {
            if (first < 0 && verdict.verdict().light == Light::Bad) {
                first = made;
            }
        });
    QVERIFY2(
        first > kStepsOfEpoch && first <= kStepsOfEpoch + 100, qPrintable(QString::number(first)));
    QVERIFY(verdict.verdict().alert == AlertKind::NotLearning);
    QVERIFY2(
        verdict.verdict().text.find("10 % is chance") != std::string::npos,
        verdict.verdict().text.c_str());
}

/// A loss that has fallen from its first steps to that of guessing is none that falls.
void TestLearningVerdict::DeadNetwork_whoseLossWasHigherAtFirst_isNeverGreen()
{
    LearningVerdict verdict(5000, kTestClasses);
    bool wasGreen = false;
    trainFor(
        verdict, 400,
        [](int step) {
            return Skill{0.1, step < 30 ? 372.0 : 2.31};
        },
        [&](int) { wasGreen = wasGreen || verdict.verdict().light == Light::Good; });
    QVERIFY2(!wasGreen, verdict.verdict().text.c_str());
    QVERIFY(verdict.verdict().light == Light::Bad);
}

/// Beside weights without bounds a single-precision loss holds no cross-entropy.
void TestLearningVerdict::Loss_ofWeightsWithoutBounds_isNotTold()
{
    StepRecord step;
    step.weightDecayLoss = step.lossMean = 9.14e15;
    QVERIFY(std::isnan(crossEntropy(step)));
    LearningVerdict verdict(5000, kTestClasses);
    verdict.take(step);
    QVERIFY(verdict.verdict().light == Light::Bad);
    QVERIFY(verdict.verdict().text.find("without bounds") != std::string::npos);
    step.lossMean = 1.5 * step.weightDecayLoss; // the weight decay is not all of it
    QCOMPARE(crossEntropy(step), 0.5 * step.weightDecayLoss);
    step.weightDecayLoss = step.lossMean = 2.5; // a perfect network
    QCOMPARE(crossEntropy(step), 0.0);
}

void TestLearningVerdict::DeadNetwork_thatBeginsToLearn_isGreen()
{
    LearningVerdict verdict(5000, kTestClasses);
    trainFor(verdict, 600, [](int step) { return step < 400 ? Skill{} : Skill{0.4, 1.6, 0.1}; });
    QVERIFY(verdict.verdict().light == Light::Good);
}

// Slowly: a tenth of a per cent of accuracy in 4 steps.
void TestLearningVerdict::LearningNetwork_isGreen_andNeverRed()
{
    LearningVerdict verdict(5000, kTestClasses);
    int green = 0;
    trainFor(
        verdict, 1000,
        [](int step) {
            return Skill{0.1 + 0.00025 * step, 2.3026 - 0.0005 * step, 0.1};
        },
        [&](int made) {
            QVERIFY2(
                verdict.verdict().light == Light::Unknown || verdict.verdict().light == Light::Good,
                verdict.verdict().text.c_str());
            if (green == 0 && verdict.verdict().light == Light::Good) {
                green = made;
            }
        });
    QVERIFY2(green > 0 && green <= 200, qPrintable(QString::number(green)));
}

void TestLearningVerdict::RisenLoss_isRed()
{
    LearningVerdict verdict(5000, kTestClasses);
    trainFor(verdict, 150, [](int step) { return Skill{0.1, step < 20 ? 2.3 : 9.0, 0.1}; });
    QVERIFY2(
        verdict.verdict().text.find("has risen") != std::string::npos,
        verdict.verdict().text.c_str());
    QVERIFY(verdict.verdict().light == Light::Bad);
}

void TestLearningVerdict::RisenLoss_ofUnknownChance_isRed()
{
    LearningVerdict verdict(5000, 0);
    trainFor(verdict, 200, [](int step) { return Skill{0.5, step < 20 ? 0.75 : 3.0, 0.1}; });
    QVERIFY2(
        verdict.verdict().text.find("has risen from 0.7") != std::string::npos,
        verdict.verdict().text.c_str());
    QVERIFY(verdict.verdict().light == Light::Bad);
}

/// As of a head that is trained only in a later phase.
void TestLearningVerdict::RisenLoss_ofAnObjectiveThatIsNotTrained_isNotRed()
{
    LearningVerdict verdict(5000, 0);
    bool wasTold = false;
    trainFor(
        verdict, 600,
        [](int step) {
            const double trained = 0.7 * std::exp(-0.01 * step);
            return Skill{0.5, trained, 0.1, {trained, 0.7 + 0.01 * step}};
        },
        [&](int) { wasTold = wasTold || verdict.verdict().alert; });
    QVERIFY2(!wasTold, verdict.verdict().text.c_str());
}

/// One batch in five is hard, and none of the first.
void TestLearningVerdict::LoudLoss_ofUnknownChance_isNeverRed()
{
    LearningVerdict verdict(5000, 0);
    bool wasTold = false;
    trainFor(
        verdict, 2000,
        [](int step) {
            return Skill{0.5, step > 10 && step % 5 == 0 ? 4.0 : 0.3, 0.1};
        },
        [&](int) { wasTold = wasTold || verdict.verdict().alert; });
    QVERIFY2(!wasTold, verdict.verdict().text.c_str());
}

/// Nine of ten examples are of one of two classes, and a network that says always that.
void TestLearningVerdict::ConstantAnswer_toUnbalancedClasses_isRed()
{
    Chance chance;
    chance.accuracy = 0.9;
    chance.crossEntropy = 0.3251;
    LearningVerdict verdict(5000, chance);
    bool wasGreen = false;
    trainFor(
        verdict, 400,
        [](int step) {
            return Skill{0.9, step < 15 ? 0.69 : 0.3251, 0.1};
        },
        [&](int) { wasGreen = wasGreen || verdict.verdict().light == Light::Good; });
    QVERIFY2(!wasGreen, verdict.verdict().text.c_str());
    QVERIFY(verdict.verdict().light == Light::Bad);
    QVERIFY2(
        verdict.verdict().text.find("90 % is chance") != std::string::npos,
        verdict.verdict().text.c_str());
}

void TestLearningVerdict::BetterThanTheLargestClass_isGreen()
{
    Chance chance;
    chance.accuracy = 0.9;
    chance.crossEntropy = 0.3251;
    LearningVerdict verdict(5000, chance);
    trainFor(verdict, 400, [](int) { return Skill{0.93, 0.2, 0.1}; });
    QVERIFY(verdict.verdict().light == Light::Good);
    QVERIFY2(
        verdict.verdict().text.find("(90 % is chance)") != std::string::npos,
        verdict.verdict().text.c_str());
}

void TestLearningVerdict::NoFall_isSaidPlainly()
{
    const auto textAfter = [](int steps, const Chance& chance) {
        LearningVerdict verdict(5000, chance);
        trainFor(verdict, steps, [](int) { return Skill{0.1, 2.3, 0.1}; });
        return verdict.verdict().light == Light::Unknown ? verdict.verdict().text : std::string();
    };
    QVERIFY(textAfter(90, 0).starts_with("too early"));
    QVERIFY(textAfter(400, 0).ends_with("no clear fall of the loss so far"));
    QVERIFY(textAfter(100, kTestClasses).ends_with("10 % is chance"));
}

void TestLearningVerdict::LossThatRisesAgain_isAmber_untilTheRateChanges()
{
    LearningVerdict verdict(5000, kTestClasses);
    bool wasAmber = false;
    const auto lookAt = [&](int made) {
        if (made == 1000) {
            QVERIFY(verdict.verdict().light == Light::Good);
        } else if (made == 1500 || made == 2000) { // it has stayed high since
            QVERIFY2(
                verdict.verdict().text.find("the loss has risen from 0.4") != std::string::npos,
                verdict.verdict().text.c_str());
            wasAmber = verdict.verdict().light == Light::Doubtful;
        }
    };
    trainFor(
        verdict, 2200,
        [](int step) {
            const double loss = step < 1000 ? 0.48 : std::min(1.2, 0.48 + 0.002 * (step - 1000));
            return Skill{0.6, loss, step < 2000 ? 0.1 : 0.01};
        },
        lookAt);
    QVERIFY(wasAmber);
    QVERIFY(verdict.verdict().light == Light::Good);
}

void TestLearningVerdict::LossThatRisesAgain_ifItDoesNotMatter_isGreen()
{
    LearningVerdict verdict(5000, kTestClasses);
    trainFor(verdict, 1500, [](int step) {
        return Skill{0.99, step < 1000 ? 0.05 : std::min(0.12, 0.05 + 0.0005 * (step - 1000)), 0.1};
    });
    QVERIFY2(verdict.verdict().light == Light::Good, verdict.verdict().text.c_str());
}

void TestLearningVerdict::FallingLossOfUnknownClasses_isGreen()
{
    LearningVerdict verdict(5000, 0);
    trainFor(verdict, 200, [](int step) { return Skill{0.0, 0.7 * std::exp(-0.01 * step), 0.1}; });
    QVERIFY(verdict.verdict().light == Light::Good);
    QVERIFY2(
        verdict.verdict().text.find("falls") != std::string::npos, verdict.verdict().text.c_str());
}

void TestLearningVerdict::Plateau_isAmber_unlessNothingIsLeft()
{
    const auto lightAt = [](Skill skill, double firstRate) {
        LearningVerdict verdict(200, kTestClasses);
        trainFor(verdict, 600, [&](int step) {
            Skill now = skill;
            now.learningRate = step < 100 ? firstRate : skill.learningRate;
            return now;
        });
        return verdict.verdict().light;
    };
    QVERIFY(lightAt({0.7, 1.0, 0.1}, 0.1) == Light::Doubtful);
    QVERIFY(lightAt({0.97, 0.1, 0.1}, 0.1) == Light::Good);
    QVERIFY(lightAt({0.7, 1.0, 0.0005}, 0.1) == Light::Good); // the rate has decayed
}

LOCKSTEP_TEST(TestLearningVerdict)
#include "test_learning_verdict.moc"
