// SPDX-License-Identifier: Apache-2.0
#include "base/philox.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace lockstep {
namespace {

using Block = std::array<std::uint32_t, 4>;

// Philox 4x32-10 as the paper states it (Salmon et al., 2011, section 3.3), written for this test
// and checked against the known answers that its authors publish; then it is what a stream is held
// against.
Block philoxOfThePaper(Block counter, std::array<std::uint32_t, 2> key)
{
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
        const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
        counter = {
            static_cast<std::uint32_t>(second >> 32U) ^ counter[1] ^ key[0],
            static_cast<std::uint32_t>(second),
            static_cast<std::uint32_t>(first >> 32U) ^ counter[3] ^ key[1],
            static_cast<std::uint32_t>(first)};
        key = {key[0] + 0x9E3779B9U, key[1] + 0xBB67AE85U};
    }
    return counter;
}

// A number drawn by chance lies this many standard deviations off its mean once in 1.7 million
// times; the streams are fixed, so a test that passes passes always.
constexpr double kDeviations = 5;

bool isNear(double value, double expected, double deviation)
{
    if (std::abs(value - expected) <= kDeviations * deviation) {
        return true;
    }
    qWarning("%g instead of %g +- %g", value, expected, kDeviations * deviation);
    return false;
}

PhiloxStream stream(std::uint64_t seed)
{
    return {seed, RandomPurpose::Shuffle, 0, 0};
}

} // namespace

class TestPhilox : public QObject
{
    Q_OBJECT

private slots:
    // From tests/kat_vectors of Random123: "philox4x32 10 <counter> <key> <answer>".
    void Paper_knownAnswers_data();
    void Paper_knownAnswers();
    void Stream_allZero_givesTheKnownAnswer();
    void Stream_anyPlace_isPhiloxOfBlockExampleEpochPurposeKeyedBySeed_data();
    void Stream_anyPlace_isPhiloxOfBlockExampleEpochPurposeKeyedBySeed();
    void Uniform_takesTheTopBits();
    void Uniform_isFlat();
    void UniformRange_narrowRangeFarFromZero_neverReachesItsEnd();
    void Below_one_isZero();
    void Below_smallBounds_areFlat_data();
    void Below_smallBounds_areFlat();
    void Below_threeQuartersOfAllNumbers_hasNoBias();
    void Normal_moments_areThoseOfTheStandardNormal();
    void Normal_shares_areThoseOfTheStandardNormal();
    void Normal_neighbours_areUncorrelated();
    void Normal_isBoxMullerOfTheNextTwoNumbers();
};

void TestPhilox::Paper_knownAnswers_data()
{
    using Words = std::vector<std::uint32_t>;
    constexpr std::uint32_t kOnes = 0xffffffff;
    lockstep::test::addRows<std::vector<std::uint32_t>, std::vector<std::uint32_t>>(
        {"counterAndKey", "answer"},
        {{"zeros", Words(6, 0), Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
         {"ones", Words(6, kOnes), Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
         {"pi", Words{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0},
          Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}});
}

void TestPhilox::Paper_knownAnswers()
{
    QFETCH(const std::vector<std::uint32_t>, counterAndKey);
    QFETCH(const std::vector<std::uint32_t>, answer);
    const auto& in = counterAndKey;
    const Block block = philoxOfThePaper({in[0], in[1], in[2], in[3]}, {in[4], in[5]});
    QCOMPARE(std::vector<std::uint32_t>(block.begin(), block.end()), answer);
}

void TestPhilox::Stream_allZero_givesTheKnownAnswer()
{
    PhiloxStream numbers(0, RandomPurpose{}, 0, 0);
    for (const std::uint32_t answer : {0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}) {
        QCOMPARE(numbers.next(), answer);
    }
}

void TestPhilox::Stream_anyPlace_isPhiloxOfBlockExampleEpochPurposeKeyedBySeed_data()
{
    lockstep::test::addRows<quint64, quint32, quint32, quint32>(
        {"seed", "purpose", "epoch", "example"},
        {{"low word of the seed", 1, 1U, 0U, 0U},
         {"high word of the seed", (quint64{1} << 32U), 1U, 0U, 0U},
         {"epoch", 7, 3U, 5U, 0U},
         {"example", 7, 3U, 0U, 5U},
         {"all large", 0x299f31d0a4093822, 4U, 0xffffffffU, 0x85a308d3U}});
}

void TestPhilox::Stream_anyPlace_isPhiloxOfBlockExampleEpochPurposeKeyedBySeed()
{
    QFETCH(const quint64, seed);
    QFETCH(const quint32, purpose);
    QFETCH(const quint32, epoch);
    QFETCH(const quint32, example);
    PhiloxStream numbers(seed, static_cast<RandomPurpose>(purpose), epoch, example);
    for (std::uint32_t block = 0; block < 100; ++block) {
        const auto expected = philoxOfThePaper(
            {block, example, epoch, purpose},
            {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)});
        for (const std::uint32_t word : expected) {
            QCOMPARE(numbers.next(), word);
        }
    }
}

void TestPhilox::Uniform_takesTheTopBits()
{
    auto numbers = stream(11);
    auto bits = stream(11);
    for (int i = 0; i < 1000; ++i) {
        const double exact = std::floor(static_cast<double>(bits.next()) / 256) / 16777216;
        QCOMPARE(static_cast<double>(numbers.uniform()), exact);
    }
}

void TestPhilox::Uniform_isFlat()
{
    constexpr int kDraws = 100'000;
    auto numbers = stream(12);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kDraws; ++i) {
        const double value = numbers.uniform();
        QVERIFY(value >= 0 && value < 1);
        sum += value;
        squares += value * value;
    }
    // The variances of u and of u^2 are 1/12 and 4/45.
    QVERIFY(isNear(sum / kDraws, 1.0 / 2, std::sqrt(1.0 / 12 / kDraws)));
    QVERIFY(isNear(squares / kDraws, 1.0 / 3, std::sqrt(4.0 / 45 / kDraws)));
}

void TestPhilox::UniformRange_narrowRangeFarFromZero_neverReachesItsEnd()
{
    // Floats lie 1/8 apart here, so that one sum in sixteen rounds up to the end.
    constexpr float kLow = 1048576;
    constexpr float kHigh = 1048577;
    auto numbers = stream(13);
    for (int i = 0; i < 1000; ++i) {
        const float value = numbers.uniform(kLow, kHigh);
        QVERIFY(value >= kLow && value < kHigh);
    }
}

void TestPhilox::Below_one_isZero()
{
    auto numbers = stream(14);
    for (int i = 0; i < 100; ++i) {
        QCOMPARE(numbers.below(1), 0U);
    }
}

void TestPhilox::Below_smallBounds_areFlat_data()
{
    QTest::addColumn<quint32>("bound");
    for (const quint32 bound : {2U, 3U, 10U, 64U, 1000U}) {
        QTest::addRow("%u", bound) << bound;
    }
}

void TestPhilox::Below_smallBounds_areFlat()
{
    QFETCH(const quint32, bound);
    constexpr int kDraws = 100'000;
    auto numbers = stream(15);
    std::vector<int> seen(bound);
    for (int i = 0; i < kDraws; ++i) {
        const std::uint32_t value = numbers.below(bound);
        QVERIFY(value < bound);
        ++seen[value];
    }
    // Pearson's chi-squared: mean bound - 1, variance 2 (bound - 1).
    const double expected = static_cast<double>(kDraws) / bound;
    const double chiSquared =
        std::accumulate(seen.begin(), seen.end(), 0.0, [expected](double sum, int count) {
            return sum + (count - expected) * (count - expected) / expected;
        });
    QVERIFY(isNear(chiSquared, bound - 1.0, std::sqrt(2 * (bound - 1.0))));
}

void TestPhilox::Below_threeQuartersOfAllNumbers_hasNoBias()
{
    // Scaling 2^32 numbers down to 3 * 2^30 without rejecting any gives every third value twice the
    // chance of the others: shares of 1/2, 1/4, 1/4 instead of thirds. A remainder does it, too.
    constexpr std::uint32_t kBound = 3U << 30U;
    constexpr int kDraws = 100'000;
    auto numbers = stream(16);
    std::array<int, 3> remainders{};
    std::array<int, 3> thirds{};
    for (int i = 0; i < kDraws; ++i) {
        const std::uint32_t value = numbers.below(kBound);
        QVERIFY(value < kBound);
        ++remainders[value % 3];
        ++thirds[value >> 30U];
    }
    const double deviation = std::sqrt(kDraws * 2.0 / 9);
    for (std::size_t i = 0; i < 3; ++i) {
        QVERIFY(isNear(remainders[i], kDraws / 3.0, deviation));
        QVERIFY(isNear(thirds[i], kDraws / 3.0, deviation));
    }
}

void TestPhilox::Normal_moments_areThoseOfTheStandardNormal()
{
    constexpr int kDraws = 200'000;
    auto numbers = stream(17);
    std::array<double, 5> sums{};
    for (int i = 0; i < kDraws; ++i) {
        const double value = numbers.normal();
        for (int power = 1; power <= 4; ++power) {
            sums[static_cast<std::size_t>(power)] += std::pow(value, power);
        }
    }
    // E x^k of k = 2, 4, 6, 8 is 1, 3, 15, 105; the variance of x^k is E x^2k - (E x^k)^2.
    QVERIFY(isNear(sums[1] / kDraws, 0, std::sqrt(1.0 / kDraws)));
    QVERIFY(isNear(sums[2] / kDraws, 1, std::sqrt(2.0 / kDraws)));
    QVERIFY(isNear(sums[3] / kDraws, 0, std::sqrt(15.0 / kDraws)));
    QVERIFY(isNear(sums[4] / kDraws, 3, std::sqrt(96.0 / kDraws)));
}

void TestPhilox::Normal_shares_areThoseOfTheStandardNormal()
{
    constexpr int kDraws = 200'000;
    auto numbers = stream(18);
    std::vector<double> values(kDraws);
    std::generate(values.begin(), values.end(), [&numbers] { return numbers.normal(); });
    for (const double limit : {-3.0, -2.0, -1.0, -0.5, 0.0, 0.25, 1.0, 2.0, 3.0}) {
        const double share = std::erfc(-limit / std::sqrt(2.0)) / 2;
        const auto below = std::count_if(
            values.begin(), values.end(), [limit](double value) { return value < limit; });
        QVERIFY(isNear(
            static_cast<double>(below), share * kDraws, std::sqrt(kDraws * share * (1 - share))));
    }
}

void TestPhilox::Normal_neighbours_areUncorrelated()
{
    constexpr int kDraws = 200'000;
    auto numbers = stream(19);
    double sum = 0;
    double previous = numbers.normal();
    for (int i = 0; i < kDraws; ++i) {
        const double value = numbers.normal();
        sum += value * previous;
        previous = value;
    }
    QVERIFY(isNear(sum / kDraws, 0, std::sqrt(1.0 / kDraws)));
}

void TestPhilox::Normal_isBoxMullerOfTheNextTwoNumbers()
{
    // Box and Muller, 1958: sqrt(-2 ln u) cos(2 pi v), with u in (0, 1] and v in [0, 1).
    auto numbers = stream(20);
    auto bits = stream(20);
    for (int i = 0; i < 1000; ++i) {
        const long double u = (bits.next() + 1.0L) / 4294967296.0L;
        const long double turn = bits.next() / 4294967296.0L * 2 * std::acos(-1.0L);
        const long double exact = std::sqrt(-2 * std::log(u)) * std::cos(turn);
        QVERIFY(std::abs(numbers.normal() - static_cast<double>(exact)) < 1e-14);
    }
}

} // namespace lockstep

LOCKSTEP_TEST(lockstep::TestPhilox)
#include "test_philox.moc"
