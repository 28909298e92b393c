// SPDX-License-Identifier: Apache-2.0
#include "metrics/verdicts/tower_evidence.h"
#include "support/lockstep_test.h"

#include <cmath>
#include <functional>
#include <random>
#include <vector>

using namespace lockstep;

namespace {

using Noise = std::function<double(std::mt19937_64&)>;

double gaussian(std::mt19937_64& random)
{
    return std::normal_distribution<double>()(random);
}

/// The record after which a tower is named; -1: none is in so many.
struct Named
{
    int record = -1;
    std::size_t tower = 0;
};

/// One tower may be off by `shift` from record `from` on.
struct Shifted
{
    std::size_t towers = 4;
    int records = 400;
    double shift = 0.0;
    int from = 0;
    std::size_t shifted = 1;
    Noise noise = gaussian;
};

Named firstNamed(const Shifted& scene, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    TowerEvidence evidence(scene.towers);
    std::vector<double> values(scene.towers);
    for (int record = 0; record < scene.records; ++record) {
        const double common = 0.5 * gaussian(random); // the loss of all jumps
        for (double& value : values) {
            value = 2.0 + common + 0.2 * scene.noise(random);
        }
        values[scene.shifted] += record >= scene.from ? scene.shift : 0.0;
        evidence.add(values);
        if (const auto tower = evidence.outlier()) {
            return {record, *tower};
        }
    }
    return {};
}

} // namespace

class TestTowerEvidence : public QObject
{
    Q_OBJECT

private slots:
    void AlikeTowers_areHardlyEverNamed_data();
    void AlikeTowers_areHardlyEverNamed();
    void ShiftedTower_isNamedSoon_data();
    void ShiftedTower_isNamedSoon();
    void Deviation_isThatFromTheOthers();
    void Forget_beginsAnew();
    void NotANumber_tellsNothing();
};

void TestTowerEvidence::AlikeTowers_areHardlyEverNamed_data()
{
    QTest::addColumn<int>("towers");
    QTest::addColumn<int>("kind");
    QTest::newRow("2 towers") << 2 << 0;
    QTest::newRow("4 towers") << 4 << 0;
    QTest::newRow("8 towers, heavy tails") << 8 << 1;
    QTest::newRow("4 towers, skewed") << 4 << 2;
    QTest::newRow("4 towers, mostly nothing") << 4 << 3;
}

// 1,000 runs, looked at after each of 400 steps: 2.5 are expected at most. More than 9 happen once
// in a thousand times.

void TestTowerEvidence::AlikeTowers_areHardlyEverNamed()
{
    QFETCH(int, towers);
    QFETCH(int, kind);
    const std::array<Noise, 4> noises{
        gaussian, [](auto& random) { return std::student_t_distribution<double>(2.0)(random); },
        [](auto& random) { return std::lognormal_distribution<double>(0.0, 1.5)(random); },
        [](auto& random) {
            return std::uniform_real_distribution<double>()(random) < 0.02 ? 5.0 : 0.0;
        }};
    Shifted scene;
    scene.towers = static_cast<std::size_t>(towers);
    scene.noise = noises[static_cast<std::size_t>(kind)];
    int named = 0;
    for (std::uint64_t run = 0; run < 1000; ++run) {
        named += firstNamed(scene, run).record >= 0 ? 1 : 0;
    }
    QVERIFY2(named <= 9, qPrintable(QString::number(named)));
}

void TestTowerEvidence::ShiftedTower_isNamedSoon_data()
{
    QTest::addColumn<double>("shift"); // of a scatter of 0.2
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("within");
    QTest::newRow("large") << 0.4 << 0 << 30;
    QTest::newRow("below") << -0.4 << 0 << 30;
    QTest::newRow("half a scatter") << 0.1 << 0 << 400;
    QTest::newRow("late") << 0.4 << 5000 << 40;
}

void TestTowerEvidence::ShiftedTower_isNamedSoon()
{
    QFETCH(double, shift);
    QFETCH(int, from);
    QFETCH(int, within);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Shifted scene;
        scene.records = from + within;
        scene.shift = shift;
        scene.from = from;
        const Named named = firstNamed(scene, seed);
        QVERIFY2(named.record >= from, qPrintable(QString("seed %1").arg(seed)));
        QCOMPARE(named.tower, scene.shifted);
    }
}

void TestTowerEvidence::Deviation_isThatFromTheOthers()
{
    TowerEvidence evidence(3);
    for (int i = 0; i < 20; ++i) {
        evidence.add(std::array{1.0, 2.0, 6.0});
    }
    QVERIFY(std::abs(evidence.deviation(2) - 4.5) < 1e-12);
    QVERIFY(std::abs(evidence.others(2) - 1.5) < 1e-12);
    QVERIFY(std::abs(evidence.deviation(0) + 3.0) < 1e-12);
}

void TestTowerEvidence::Forget_beginsAnew()
{
    TowerEvidence evidence(3);
    for (int i = 0; i < 100; ++i) {
        evidence.add(std::array{1.0, 1.1, 2.0});
    }
    QVERIFY(evidence.outlier() == 2U);
    evidence.forget();
    QVERIFY(!evidence.outlier());
    QCOMPARE(evidence.deviation(2), 0.0);
}

void TestTowerEvidence::NotANumber_tellsNothing()
{
    TowerEvidence evidence(3);
    for (int i = 0; i < 100; ++i) {
        evidence.add(std::array{1.0, std::nan(""), 2.0});
        evidence.add(std::array{1.0, 2.0}); // another number of towers
    }
    QVERIFY(!evidence.outlier());
    QCOMPARE(evidence.others(0), 0.0);
}

LOCKSTEP_TEST(TestTowerEvidence)
#include "test_tower_evidence.moc"
