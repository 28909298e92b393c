// SPDX-License-Identifier: Apache-2.0
#include "metrics/verdicts/data_verdict.h"
#include "support/gradients.h"
#include "support/lockstep_test.h"

#include <cmath>
#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Towers that see the same direction through noise of their own; one may see another direction.
struct GradientScene
{
    int towers = 4;
    double noise = 1.0; ///< norm of a tower's noise / norm of the common gradient
    int poisoned = -1;
};

GradientAgreement nextOf(const GradientScene& scene, std::mt19937_64& random)
{
    constexpr std::size_t kSize = 200;
    std::normal_distribution<double> normal;
    TowerGradients gradients;
    for (int tower = 0; tower < scene.towers; ++tower) {
        auto& gradient = gradients.emplace_back(kSize);
        for (std::size_t i = 0; i < kSize; ++i) {
            const double common = tower == scene.poisoned ? (i % 2 == 0 ? 1.0 : -1.0) : 1.0;
            gradient[i] = common + scene.noise * normal(random);
        }
    }
    return gradientAgreement({0, 8, {measured("a.weight", gradients)}});
}

/// With weight decay, which is no part of what is compared.
StepRecord stepWithLosses(std::int64_t number, const std::vector<double>& losses)
{
    constexpr double kDecay = 100.0;
    StepRecord step;
    step.step = number;
    step.weightDecayLoss = kDecay;
    for (const double loss : losses) {
        step.towers.emplace_back().loss = loss + kDecay;
        step.lossMean += (loss + kDecay) / static_cast<double>(losses.size());
    }
    return step;
}

} // namespace

class TestDataVerdict : public QObject
{
    Q_OBJECT

private slots:
    void Gradients_ofAPoisonedTower_nameIt_data();
    void Gradients_ofAPoisonedTower_nameIt();
    void Gradients_ofHealthyTowers_nameNobody_data();
    void Gradients_ofHealthyTowers_nameNobody();
    void Gradients_ofTwoTowers_nameNobody();
    void Gradients_none_namesIt();
    void Loss_withoutItsWeightDecay_isCompared();
    void HealthyRuns_nameATowerInOneOfAHundredAtMost();
    void OneTower_isWell();
};

void TestDataVerdict::Gradients_ofAPoisonedTower_nameIt_data()
{
    QTest::addColumn<int>("towers");
    QTest::addColumn<int>("poisoned");
    QTest::newRow("1 of 3") << 3 << 1;
    QTest::newRow("the last of 4") << 4 << 3;
    QTest::newRow("the first of 8") << 8 << 0;
}

void TestDataVerdict::Gradients_ofAPoisonedTower_nameIt()
{
    QFETCH(int, towers);
    QFETCH(int, poisoned);
    std::mt19937_64 random(1);
    DataVerdict data(0.05, static_cast<std::size_t>(towers));
    for (int i = 0; i < 20; ++i) {
        data.take(nextOf({towers, 1.0, poisoned}, random));
    }
    QVERIFY(data.verdict().alert == AlertKind::TowerLoss);
    QCOMPARE(data.verdict().tower, poisoned);
    QVERIFY2(
        data.verdict().text.find("gradients disagree") != std::string::npos,
        data.verdict().text.c_str());
    for (int i = 0; i < 100; ++i) { // mended
        data.take(nextOf({towers, 1.0, -1}, random));
    }
    QCOMPARE(data.verdict().tower, -1);
}

void TestDataVerdict::Gradients_ofHealthyTowers_nameNobody_data()
{
    QTest::addColumn<double>("noise");
    QTest::newRow("little noise") << 0.1;
    QTest::newRow("as much as there is gradient") << 1.0;
    QTest::newRow("hardly any gradient") << 30.0;
}

void TestDataVerdict::Gradients_ofHealthyTowers_nameNobody()
{
    QFETCH(double, noise);
    std::mt19937_64 random(2);
    DataVerdict data(0.05, 4);
    for (int i = 0; i < 3000; ++i) {
        data.take(nextOf({4, noise, -1}, random));
        QVERIFY2(data.verdict().tower < 0, qPrintable(QString::number(i)));
    }
}

void TestDataVerdict::Gradients_ofTwoTowers_nameNobody()
{
    std::mt19937_64 random(3);
    DataVerdict data(0.05, 2);
    for (int i = 0; i < 50; ++i) {
        data.take(nextOf({2, 0.1, 1}, random));
        QVERIFY(!data.verdict().alert);
    }
}

void TestDataVerdict::Gradients_none_namesIt()
{
    DataVerdict data(0.05, 3);
    for (int i = 0; i < 20; ++i) {
        const TowerGradients gradients{{1.0, 2.0}, {0.0, 0.0}, {1.0, 2.0}};
        data.take(gradientAgreement({i, 8, {measured("a.weight", gradients)}}));
    }
    QCOMPARE(data.verdict().tower, 1);
    QVERIFY(data.verdict().since > 1); // though there were no steps yet
}

// 20 % of the cross-entropy are 0.4 % of the loss with its weight decay.
void TestDataVerdict::Loss_withoutItsWeightDecay_isCompared()
{
    std::mt19937_64 random(4);
    std::normal_distribution<double> noise(2.0, 0.2);
    DataVerdict data(0.05, 4);
    for (int i = 0; i < 100; ++i) {
        data.take(
            stepWithLosses(i, {noise(random), noise(random), noise(random) + 0.4, noise(random)}));
    }
    QCOMPARE(data.verdict().tower, 2);
    QVERIFY(data.verdict().light == Light::Bad);
    QVERIFY2(data.verdict().since > 5 && data.verdict().since < 60, data.verdict().text.c_str());
}

// All tests together, at limits that keep nothing back.
void TestDataVerdict::HealthyRuns_nameATowerInOneOfAHundredAtMost()
{
    int named = 0;
    for (std::uint64_t run = 0; run < 1000; ++run) {
        std::mt19937_64 random(run);
        std::normal_distribution<double> noise(0.0, 1.0);
        DataVerdict data(1e-6, 4);
        bool isNamed = false;
        for (int i = 0; i < 400 && !isNamed; ++i) {
            const double mean = 2.0 * std::exp(-0.002 * i);
            const double scatter = 0.2 * mean;
            data.take(stepWithLosses(
                i, {mean + scatter * noise(random), mean + scatter * noise(random),
                    mean + scatter * noise(random), mean + scatter * noise(random)}));
            isNamed = data.verdict().alert.has_value();
        }
        named += isNamed ? 1 : 0;
    }
    QVERIFY2(named <= 10, qPrintable(QString::number(named)));
}

void TestDataVerdict::OneTower_isWell()
{
    DataVerdict data(0.05, 1);
    data.take(stepWithLosses(0, {1.0}));
    QVERIFY(data.verdict().light == Light::Good);
}

LOCKSTEP_TEST(TestDataVerdict)
#include "test_data_verdict.moc"
