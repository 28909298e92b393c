// SPDX-License-Identifier: Apache-2.0
// Dropout's own kernel on every instruction set: the random numbers are those of PhiloxStream,
// drawn one by one.
#include "device/cpu/kernels/dropout_kernel.h"
#include "network/dropout.h"
#include "support/elements.h"
#include "support/instruction_sets.h"
#include "support/random_network.h"

#include <limits>
#include <vector>

using namespace lockstep;
using cpu::DropoutRow;
using cpu::Element;
using test::GuardedElements;
using test::Random;

namespace {

constexpr DropoutDraw kDraw{0x123456789ABCDEFU, 70'000'000'123, 40};
constexpr int kLayer = 17;

DropoutRow rowOf(std::int64_t row)
{
    return {
        dropoutSeed(kDraw.seed, kLayer), static_cast<std::uint32_t>(kDraw.step),
        static_cast<std::uint32_t>(kDraw.firstRow + row)};
}

/// Which of the first `count` values of a row are kept.
std::vector<bool> keptBy(const Dropout& dropout, std::int64_t row, std::int64_t count)
{
    PhiloxStream stream = dropoutStream(kDraw, kLayer, row);
    std::vector<bool> kept;
    for (std::int64_t i = 0; i < count; ++i) {
        kept.push_back(static_cast<double>(stream.uniform()) < dropout.keep);
    }
    return kept;
}

/// Values [first, first + count) of a row, as the kernel leaves them.
std::vector<float> dropped(
    const Dropout& dropout, std::int64_t row, Element element, std::int64_t first,
    const std::vector<float>& values)
{
    GuardedElements src(element, values);
    GuardedElements dst(element, std::vector<float>(values.size(), -77.0F));
    cpu::dropOut(
        dropout, rowOf(row), element,
        {first, static_cast<std::int64_t>(values.size()), src.data(), dst.data()});
    return src.isIntact() && dst.isIntact() ? dst.values() : std::vector<float>{};
}

} // namespace

class TestDropoutKernel : public QObject
{
    Q_OBJECT

private slots:
    void Values_areKeptWhereTheStreamSaysSo_data() { test::addInstructionSetsAndElements(); }
    void Values_areKeptWhereTheStreamSaysSo()
    {
        QFETCH(qint64, target);
        QFETCH(Element, element);
        const test::InstructionSet set(target);
        Random random(31);
        for (const double keep : {0.5, 0.8, 0.1, 0.9999}) {
            for (const std::int64_t count : {1, 3, 4, 15, 63, 64, 65, 500}) {
                const std::int64_t first = 4 * random.integer(0, 300);
                const std::int64_t row = random.integer(0, 5);
                const auto values =
                    random.floats(static_cast<std::size_t>(count), 1.0, 2.0); // none is 0
                const auto got = dropped({keep}, row, element, first, values);
                const auto kept = keptBy({keep}, row, first + count);
                QCOMPARE(got.size(), values.size());
                for (std::size_t i = 0; i < got.size(); ++i) {
                    const float wanted =
                        test::rounded(element, values[i]) * static_cast<float>(1.0 / keep);
                    const bool isKept = kept[static_cast<std::size_t>(first) + i];
                    QCOMPARE(got[i], isKept ? test::rounded(element, wanted) : 0.0F);
                }
            }
        }
    }

    void Values_theSameInPieces_data() { test::addInstructionSetsAndElements(); }
    void Values_theSameInPieces()
    {
        QFETCH(qint64, target);
        QFETCH(Element, element);
        const test::InstructionSet set(target);
        const std::vector<float> ones(300, 1.0F);
        const auto whole = dropped({0.5}, 2, element, 0, ones);
        for (const std::int64_t first : {4, 64, 100, 296}) {
            const auto piece = dropped(
                {0.5}, 2, element, first,
                std::vector<float>(ones.size() - static_cast<std::size_t>(first), 1.0F));
            QVERIFY(std::ranges::equal(piece, std::span(whole).subspan(std::size_t(first))));
        }
    }

    void Keep1_isTheIdentity_data() { test::addInstructionSetsAndElements(); }
    void Keep1_isTheIdentity()
    {
        QFETCH(qint64, target);
        QFETCH(Element, element);
        const test::InstructionSet set(target);
        Random random(32);
        auto values = random.floats(100'000, -3.0, 3.0);
        std::ranges::transform(
            values, values.begin(), [&](float value) { return test::rounded(element, value); });
        QCOMPARE(dropped({1.0}, 0, element, 0, values), values);
    }

    void Share_ofKeptValues_isKeep_andTheirMeanStays()
    {
        constexpr std::size_t kCount = 400'000;
        const std::vector<float> ones(kCount, 1.0F);
        for (const double keep : {0.5, 0.8, 0.02}) {
            const auto got = dropped({keep}, 1, Element::Float32, 0, ones);
            const auto zeros = static_cast<double>(std::ranges::count(got, 0.0F));
            // Five standard deviations of a binomial share.
            const double bound = 5.0 * std::sqrt(keep * (1.0 - keep) / double{kCount});
            QVERIFY(std::abs(1.0 - zeros / double{kCount} - keep) < bound);
            double sum = 0.0;
            for (const float value : got) {
                sum += static_cast<double>(value);
            }
            QVERIFY(std::abs(sum / double{kCount} - 1.0) < bound / keep + 1e-6);
        }
    }

    void NotANumber_isDroppedLikeAnyValue_andStaysOneWhereKept()
    {
        const std::vector<float> values(200, std::numeric_limits<float>::quiet_NaN());
        const auto got = dropped({0.5}, 3, Element::Float32, 0, values);
        const auto kept = keptBy({0.5}, 3, 200);
        for (std::size_t i = 0; i < got.size(); ++i) {
            QVERIFY(kept[i] ? std::isnan(got[i]) : got[i] == 0.0F);
        }
    }
};

QTEST_GUILESS_MAIN(TestDropoutKernel)
#include "test_dropout_kernel.moc"
