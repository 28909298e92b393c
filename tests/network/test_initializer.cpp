// SPDX-License-Identifier: Apache-2.0
#include "network/initializer.h"
#include "network/models/catalog.h"
#include "network/reference.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace lockstep;

namespace {

constexpr std::size_t kMany = 400000;

std::vector<float> drawn(
    const Initializer& initializer, std::uint64_t seed, std::uint32_t parameter,
    std::size_t count = kMany)
{
    std::vector<float> values(count, -1.0F);
    initialize(initializer, seed, parameter, values);
    return values;
}

struct Moments
{
    double mean = 0.0;
    double stddev = 0.0;
    double kurtosis = 0.0;
};

Moments momentsOf(const std::vector<float>& values)
{
    const auto count = static_cast<double>(values.size());
    Moments moments;
    moments.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double second = 0.0;
    double fourth = 0.0;
    for (const float value : values) {
        const double square = (value - moments.mean) * (value - moments.mean);
        second += square / count;
        fourth += square * square / count;
    }
    moments.stddev = std::sqrt(second);
    moments.kurtosis = fourth / (second * second);
    return moments;
}

} // namespace

class TestInitializer : public QObject
{
    Q_OBJECT

private slots:
    void TruncatedNormal_values_stayWithinTwoSigma()
    {
        const auto values = drawn(TruncatedNormal{0.05}, 7, 3);
        const auto [low, high] = std::ranges::minmax(values);
        QVERIFY(low >= -0.1F && high <= 0.1F);
        // Of 400,000 values some come close to the ends; a clipped normal would sit on them.
        QVERIFY(low < -0.0999F && high > 0.0999F);
        QVERIFY(std::ranges::count(values, 0.1F) + std::ranges::count(values, -0.1F) < 5);
    }

    void TruncatedNormal_moments_areThoseOfTheDistribution()
    {
        // Normal cut at +-2: with phi the density and P the probability within, the variance is
        // 1 - 4 phi(2) / P = 0.87963^2 and the fourth moment 3 - (8 * 2 + 6 * 2) phi(2) / P.
        const double density = std::exp(-2.0) / std::sqrt(2.0 * std::acos(-1.0));
        const double ratio = density / std::erf(std::sqrt(2.0));
        const double variance = 1.0 - 4.0 * ratio;
        const double kurtosis = (3.0 - 28.0 * ratio) / (variance * variance);
        QVERIFY(std::abs(std::sqrt(variance) - 0.87963) < 1e-5);

        const auto moments = momentsOf(drawn(TruncatedNormal{0.04}, 1, 0));
        // Five standard errors of 400,000 draws.
        QVERIFY(std::abs(moments.mean) < 5.0 * 0.04 / std::sqrt(kMany));
        QVERIFY(std::abs(moments.stddev / 0.04 - std::sqrt(variance)) < 0.005);
        QVERIFY(std::abs(moments.kurtosis - kurtosis) < 0.03);
    }

    void TruncatedNormal_neighbours_areNotCorrelated()
    {
        const auto values = drawn(TruncatedNormal{1.0}, 11, 2);
        double sum = 0.0;
        for (std::size_t i = 1; i < values.size(); ++i) {
            sum += static_cast<double>(values[i]) * static_cast<double>(values[i - 1]);
        }
        QVERIFY(std::abs(sum / static_cast<double>(kMany)) < 5.0 * 0.774 / std::sqrt(kMany));
    }

    void Normal_moments_areThoseOfTheDistribution()
    {
        const auto values = drawn(Normal{0.01}, 5, 1);
        const auto moments = momentsOf(values);
        QVERIFY(std::abs(moments.mean) < 5.0 * 0.01 / std::sqrt(kMany));
        QVERIFY(std::abs(moments.stddev / 0.01 - 1.0) < 0.006);
        QVERIFY(std::abs(moments.kurtosis - 3.0) < 0.04);
        // Not truncated: 4.55 % lie beyond two standard deviations.
        const auto beyond =
            std::ranges::count_if(values, [](float value) { return std::abs(value) > 0.02F; });
        QVERIFY(std::abs(static_cast<double>(beyond) / kMany - 0.0455) < 0.002);
    }

    void XavierUniform_values_fillItsInterval()
    {
        // 5 x 5 windows over 3 channels, to 8: sqrt(6 / (75 + 200)).
        const double limit = 0.14770979;
        const auto values = drawn(XavierUniform{75, 200}, 5, 1);
        const auto [low, high] = std::ranges::minmax(values);
        QVERIFY(low >= -limit && high <= limit && low < -0.9999 * limit && high > 0.9999 * limit);
        const auto moments = momentsOf(values);
        QVERIFY(std::abs(moments.mean) < 5.0 * limit / std::sqrt(3.0 * kMany));
        QVERIFY(std::abs(moments.stddev / limit - std::sqrt(1.0 / 3.0)) < 0.003);
        QVERIFY(std::abs(moments.kurtosis - 1.8) < 0.02);
    }

    void XavierUniform_ofALayer_knowsItsFans()
    {
        NetworkBuilder builder("net", {6, 6, 3}, 2);
        Conv2d conv;
        conv.channels = 8;
        conv.kernel = {5, 5};
        conv.parameters.weights = XavierUniform{};
        Dense dense;
        dense.units = 2;
        dense.parameters.weights = XavierUniform{};
        builder.add("dense", dense, {builder.add("conv", conv, {0})});
        builder.objective({"loss", 1.0, SoftmaxCrossEntropy{2}, {}});
        const NetworkSpec network = builder.build();
        const auto fansOf = [&](std::size_t parameter) {
            return std::get<XavierUniform>(network.parameters.at(parameter).initializer);
        };
        QCOMPARE(fansOf(0).fanIn, std::int64_t{75});
        QCOMPARE(fansOf(0).fanOut, std::int64_t{200});
        QCOMPARE(fansOf(2).fanIn, std::int64_t{6 * 6 * 8});
        QCOMPARE(fansOf(2).fanOut, std::int64_t{2});
    }

    void Constant_values_areAllTheSame()
    {
        const auto values = drawn(Constant{0.1}, 1, 0, 100);
        QCOMPARE(std::ranges::count(values, 0.1F), 100);
    }

    void Initializer_sameSeedAndParameter_givesTheSameBits()
    {
        QVERIFY(drawn(TruncatedNormal{0.05}, 42, 6) == drawn(TruncatedNormal{0.05}, 42, 6));
    }

    void Initializer_otherSeedOrParameter_givesOtherValues()
    {
        const auto values = drawn(TruncatedNormal{0.05}, 42, 6, 1000);
        for (const auto& other :
             {drawn(TruncatedNormal{0.05}, 43, 6, 1000), drawn(TruncatedNormal{0.05}, 42, 7, 1000),
              drawn(TruncatedNormal{0.05}, 42 + (std::uint64_t{1} << 32U), 6, 1000)}) {
            int equal = 0;
            for (std::size_t i = 0; i < values.size(); ++i) {
                equal += values[i] == other[i] ? 1 : 0;
            }
            QVERIFY(equal < 5);
        }
    }

    void Initializer_lengthOfAnotherParameter_doesNotMatter()
    {
        // The parameter's own number is its stream: a longer tensor begins like a shorter one, and
        // the values of one do not depend on what was drawn for those before it.
        auto shorter = drawn(TruncatedNormal{0.05}, 3, 4, 100);
        const auto longer = drawn(TruncatedNormal{0.05}, 3, 4, 1000);
        QVERIFY(std::equal(shorter.begin(), shorter.end(), longer.begin()));

        const NetworkSpec network = cifar10Network();
        const auto parameters = referenceParameters(network, 3);
        const auto alone = drawn(TruncatedNormal{0.04}, 3, 4, parameters.at(4).size());
        QVERIFY(std::equal(alone.begin(), alone.end(), parameters.at(4).begin()));
    }
};

LOCKSTEP_TEST(TestInitializer)
#include "test_initializer.moc"
