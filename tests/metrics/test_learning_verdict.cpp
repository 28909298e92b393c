// SPDX-License-Identifier: Apache-2.0
#include "metrics/verdicts/learning_verdict.h"
#include "support/lockstep_test.h"

#include <cmath>
#include <functional>
#include <random>

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
        verdict.verdict().text.find("is chance after") != std::string::npos,
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
