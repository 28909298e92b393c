// SPDX-License-Identifier: Apache-2.0
#include "metrics/gradient_agreement.h"
#include "support/gradients.h"
#include "support/lockstep_test.h"

#include <cmath>
#include <limits>
#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Gradients g + noise / sqrt(batch), where a single example's noise has variance S in all.
class SyntheticGradients
{
public:
    static constexpr std::size_t kSize = 400;
    static constexpr double kGradientSquares = 4.0;
    static constexpr double kVariance = 800.0;

    explicit SyntheticGradients(std::uint64_t seed) : m_random(seed) {}

    GradientRecord next(int towers, std::int64_t batch)
    {
        const double deviation = std::sqrt(kVariance / kSize / static_cast<double>(batch));
        const double share = std::sqrt(kGradientSquares / kSize);
        TowerGradients gradients(static_cast<std::size_t>(towers), std::vector<double>(kSize));
        for (auto& gradient : gradients) {
            for (double& value : gradient) {
                value = share + deviation * m_normal(m_random);
            }
        }
        return {m_step++, batch, {measured("layer.weight", gradients)}};
    }

private:
    std::mt19937_64 m_random;
    std::normal_distribution<double> m_normal;
    std::int64_t m_step = 0;
};

TowerGradients randomGradients(std::size_t towers, std::size_t size, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> number(-1.0, 1.5);
    TowerGradients gradients(towers, std::vector<double>(size));
    for (auto& gradient : gradients) {
        for (double& value : gradient) {
            value = number(random);
        }
    }
    return gradients;
}

double cosine(const std::vector<double>& a, const std::vector<double>& b)
{
    return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

std::vector<double> joined(const std::vector<double>& a, const std::vector<double>& b)
{
    std::vector<double> both = a;
    both.insert(both.end(), b.begin(), b.end());
    return both;
}

bool nearly(double a, double b)
{
    return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b));
}

} // namespace

/// Cosines, ratios and the noise scale, against vectors that are written out.
class TestGradientAgreement : public QObject
{
    Q_OBJECT

private slots:
    void Agreement_ofVectors_isTheirs();
    void Agreement_ofLayers_joinsWeightAndBias();
    void Agreement_withoutNorm_isNoNumber();
    void SameGradients_haveCosineOneAndNoNoise();
    void NoiseScale_ofKnownNoise_isFound_data();
    void NoiseScale_ofKnownNoise_isFound();
    void NoiseScale_ofOneTower_isNotDefined();
    void NoiseScale_ofPureNoise_isNotMadeUp();
    void NoiseScale_afterABadRecord_isThatOfTheOthers();
};

void TestGradientAgreement::Agreement_ofVectors_isTheirs()
{
    const TowerGradients weights = randomGradients(3, 101, 1);
    const TowerGradients biases = randomGradients(3, 7, 2);
    const GradientRecord record{
        5, 16, {measured("a.weight", weights), measured("b.weight", biases)}};
    const GradientAgreement agreement = gradientAgreement(record);
    TowerGradients all;
    for (std::size_t tower = 0; tower < 3; ++tower) {
        all.push_back(joined(weights[tower], biases[tower]));
    }
    const std::vector<double> mean = meanOf(all);
    QVERIFY(nearly(agreement.whole.gradientNorm, std::sqrt(dot(mean, mean))));
    for (std::size_t tower = 0; tower < 3; ++tower) {
        QVERIFY(nearly(agreement.whole.cosines[tower], cosine(all[tower], mean)));
        QVERIFY(nearly(agreement.whole.towerNorms[tower], std::sqrt(dot(all[tower], all[tower]))));
        TowerGradients others = all;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(tower));
        QVERIFY(nearly(agreement.whole.cosinesToOthers[tower], cosine(all[tower], meanOf(others))));
        QVERIFY(nearly(agreement.layers[1].cosines[tower], cosine(biases[tower], meanOf(biases))));
    }
}

void TestGradientAgreement::Agreement_ofLayers_joinsWeightAndBias()
{
    ParameterGradientRecord weight{"conv.1.weight", 9.0, 100.0, 0.01, {{9.0, 9.0}}};
    ParameterGradientRecord bias{"conv.1.bias", 16.0, 44.0, 0.0225, {{16.0, 16.0}}};
    ParameterGradientRecord other{"logits.weight", 1.0, 1.0, 1.0, {{1.0, 1.0}}};
    const GradientAgreement agreement = gradientAgreement({0, 8, {weight, bias, other}});
    QCOMPARE(agreement.layers.size(), std::size_t{2});
    QCOMPARE(agreement.layers[0].layer, std::string("conv.1"));
    QCOMPARE(agreement.layers[0].gradientNorm, 5.0);
    QCOMPARE(agreement.layers[0].weightNorm, 12.0);
    QVERIFY(nearly(agreement.layers[0].updateToWeight, std::sqrt(0.0325) / 12.0));
    QCOMPARE(agreement.layers[1].layer, std::string("logits"));
    QVERIFY(agreement.whole.layer.empty());
    QVERIFY(agreement.whole.cosinesToOthers.empty());
}

void TestGradientAgreement::Agreement_withoutNorm_isNoNumber()
{
    const ParameterGradientRecord dead{"a.weight", 0.0, 0.0, 0.0, {{0.0, 0.0}, {0.0, 0.0}}};
    const GradientAgreement agreement = gradientAgreement({0, 8, {dead}});
    QVERIFY(std::isnan(agreement.whole.updateToWeight));
    QVERIFY(std::isnan(agreement.whole.cosines[0]));
    QCOMPARE(agreement.whole.cosinesToOthers, (std::vector<double>{0.0, 0.0}));
}

void TestGradientAgreement::SameGradients_haveCosineOneAndNoNoise()
{
    const TowerGradients one = randomGradients(1, 1000, 3);
    const TowerGradients same(4, one.front());
    const GradientRecord record{0, 32, {measured("a.weight", same)}};
    for (const double value : gradientAgreement(record).whole.cosines) {
        QVERIFY(std::abs(value - 1.0) < 1e-12);
    }
    GradientNoiseScale noiseScale;
    noiseScale.add(record);
    QVERIFY(noiseScale.examples().value() < 1e-9);
    QVERIFY(std::abs(noiseScale.gradientSquares() / dot(one[0], one[0]) - 1.0) < 1e-12);
}

void TestGradientAgreement::NoiseScale_ofKnownNoise_isFound_data()
{
    QTest::addColumn<int>("towers");
    QTest::addColumn<qint64>("batch");
    QTest::newRow("2 x 16") << 2 << qint64{16};
    QTest::newRow("4 x 64") << 4 << qint64{64};
    QTest::newRow("8 x 8") << 8 << qint64{8};
}

// Many trainings, so that the error is far below that of one; it is taken from their own spread.
void TestGradientAgreement::NoiseScale_ofKnownNoise_isFound()
{
    QFETCH(int, towers);
    QFETCH(qint64, batch);
    constexpr int kTrainings = 60;
    std::vector<double> squares;
    std::vector<double> variances;
    for (int training = 0; training < kTrainings; ++training) {
        SyntheticGradients gradients(static_cast<std::uint64_t>(100 + training));
        GradientNoiseScale noiseScale;
        for (int record = 0; record < 40; ++record) {
            noiseScale.add(gradients.next(towers, batch));
        }
        squares.push_back(noiseScale.gradientSquares());
        variances.push_back(noiseScale.variance());
    }
    const auto isFound = [](const std::vector<double>& estimates, double expected) {
        double mean = 0.0;
        double spread = 0.0;
        for (const double estimate : estimates) {
            mean += estimate / kTrainings;
            spread += (estimate - expected) * (estimate - expected) / kTrainings;
        }
        const double error = std::sqrt(spread / kTrainings);
        return std::abs(mean - expected) < 4.0 * error && error < 0.1 * expected;
    };
    QVERIFY(isFound(squares, SyntheticGradients::kGradientSquares));
    QVERIFY(isFound(variances, SyntheticGradients::kVariance));
}

void TestGradientAgreement::NoiseScale_ofOneTower_isNotDefined()
{
    GradientNoiseScale noiseScale;
    QVERIFY(noiseScale.state() == GradientNoiseScale::State::Unmeasured);
    noiseScale.add({0, 32, {measured("a.weight", randomGradients(1, 10, 4))}});
    QVERIFY(noiseScale.state() == GradientNoiseScale::State::OneTower);
    QVERIFY(!noiseScale.examples());
}

// Two towers that pull in opposite directions: what they agree on is nothing.
void TestGradientAgreement::NoiseScale_ofPureNoise_isNotMadeUp()
{
    GradientNoiseScale noiseScale;
    noiseScale.add({0, 32, {measured("a.weight", {{1.0, 2.0}, {-1.0, -2.0}})}});
    QVERIFY(noiseScale.state() == GradientNoiseScale::State::Drowned);
    QVERIFY(!noiseScale.examples());
    QVERIFY(noiseScale.gradientSquares() < 0.0);
}

void TestGradientAgreement::NoiseScale_afterABadRecord_isThatOfTheOthers()
{
    SyntheticGradients gradients(9);
    GradientNoiseScale clean;
    GradientNoiseScale disturbed;
    for (int i = 0; i < 30; ++i) {
        GradientRecord record = gradients.next(4, 64);
        clean.add(record);
        disturbed.add(record);
        record.parameters[0].towers[1].squares = std::numeric_limits<double>::quiet_NaN();
        disturbed.add(record);
    }
    QCOMPARE(disturbed.gradientSquares(), clean.gradientSquares());
    QCOMPARE(disturbed.variance(), clean.variance());
}

LOCKSTEP_TEST(TestGradientAgreement)
#include "test_gradient_agreement.moc"
