// SPDX-License-Identifier: Apache-2.0
#include "metrics/gradient_outlier.h"
#include "support/gradients.h"
#include "support/lockstep_test.h"

#include <cmath>
#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Towers that see the same direction through noise of their own; one may see another direction.
struct Scene
{
    int towers = 4;
    double noise = 1.0; ///< norm of a tower's noise / norm of the common gradient
    int poisoned = -1;
};

GradientAgreement nextOf(const Scene& scene, std::mt19937_64& random)
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

} // namespace

/// The tower that disagrees with the others is named, and no other.
class TestGradientOutlier : public QObject
{
    Q_OBJECT

private slots:
    void PoisonedTower_isNamed_data();
    void PoisonedTower_isNamed();
    void HealthyTowers_areNeverNamed_data();
    void HealthyTowers_areNeverNamed();
    void TwoTowers_areNeverNamed();
    void TowerWithoutGradient_isNamed();
    void OtherTowers_beginAnew();
};

void TestGradientOutlier::PoisonedTower_isNamed_data()
{
    QTest::addColumn<int>("towers");
    QTest::addColumn<int>("poisoned");
    QTest::newRow("1 of 3") << 3 << 1;
    QTest::newRow("the last of 4") << 4 << 3;
    QTest::newRow("the first of 8") << 8 << 0;
}

void TestGradientOutlier::PoisonedTower_isNamed()
{
    QFETCH(int, towers);
    QFETCH(int, poisoned);
    std::mt19937_64 random(1);
    GradientOutlier outlier;
    for (int i = 0; i < 20; ++i) {
        outlier.add(nextOf({towers, 1.0, poisoned}, random));
    }
    QVERIFY(outlier.find().has_value());
    QCOMPARE(outlier.find()->tower, poisoned);
    QVERIFY(std::abs(outlier.find()->cosine) < 0.2);
    QVERIFY(outlier.find()->othersCosine > 0.3);
    for (int i = 0; i < 100; ++i) { // mended
        outlier.add(nextOf({towers, 1.0, -1}, random));
    }
    QVERIFY(!outlier.find());
}

void TestGradientOutlier::HealthyTowers_areNeverNamed_data()
{
    QTest::addColumn<double>("noise");
    QTest::newRow("little noise") << 0.1;
    QTest::newRow("as much as there is gradient") << 1.0;
    QTest::newRow("hardly any gradient") << 30.0;
}

void TestGradientOutlier::HealthyTowers_areNeverNamed()
{
    QFETCH(double, noise);
    std::mt19937_64 random(2);
    GradientOutlier outlier;
    for (int i = 0; i < 3000; ++i) {
        outlier.add(nextOf({4, noise, -1}, random));
        QVERIFY2(!outlier.find(), qPrintable(QString::number(i)));
    }
}

void TestGradientOutlier::TwoTowers_areNeverNamed()
{
    std::mt19937_64 random(3);
    GradientOutlier outlier;
    for (int i = 0; i < 50; ++i) {
        outlier.add(nextOf({2, 0.1, 1}, random));
        QVERIFY(!outlier.find());
    }
}

void TestGradientOutlier::TowerWithoutGradient_isNamed()
{
    GradientOutlier outlier;
    for (int i = 0; i < 10; ++i) {
        const TowerGradients gradients{{1.0, 2.0}, {0.0, 0.0}, {1.0, 2.0}};
        outlier.add(gradientAgreement({i, 8, {measured("a.weight", gradients)}}));
    }
    QCOMPARE(outlier.find().value().tower, 1);
}

void TestGradientOutlier::OtherTowers_beginAnew()
{
    std::mt19937_64 random(4);
    GradientOutlier outlier;
    for (int i = 0; i < 20; ++i) {
        outlier.add(nextOf({4, 0.5, 2}, random));
    }
    QVERIFY(outlier.find());
    outlier.add(nextOf({3, 0.5, -1}, random));
    QVERIFY(!outlier.find());
}

LOCKSTEP_TEST(TestGradientOutlier)
#include "test_gradient_outlier.moc"
