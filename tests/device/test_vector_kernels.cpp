// SPDX-License-Identifier: Apache-2.0
// The loops over whole arenas, on every instruction set, against float64: all small counts, a large
// one, and addresses that are no multiple of a vector.
#include "device/cpu/kernels/update_kernel.h"
#include "device/cpu/kernels/vector_kernels.h"
#include "support/compare.h"
#include "support/elements.h"
#include "support/instruction_sets.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace lockstep;
using cpu::Element;
using test::GuardedElements;
using test::Random;

namespace {

constexpr float kUntouched = 123.0F;
/// Floats before and behind what a kernel may write: none of them may change.
constexpr std::size_t kGuard = 20;

/// A range within guards, at an address that is aligned to a float only.
class Guarded
{
public:
    explicit Guarded(const std::vector<float>& values)
        : m_values(values.size() + 2 * kGuard, kUntouched), m_count(values.size())
    {
        std::ranges::copy(values, m_values.begin() + begin());
    }
    [[nodiscard]] float* data() { return m_values.data() + begin(); }
    [[nodiscard]] std::span<const float> span() const
    {
        return std::span(m_values).subspan(kGuard + 1, m_count);
    }
    [[nodiscard]] bool isIntact() const
    {
        const auto count = static_cast<std::size_t>(std::ranges::count(m_values, kUntouched));
        return count == m_values.size() - m_count;
    }

private:
    static std::ptrdiff_t begin() { return static_cast<std::ptrdiff_t>(kGuard) + 1; }
    std::vector<float> m_values;
    std::size_t m_count;
};

} // namespace

class TestVectorKernels : public QObject
{
    Q_OBJECT

private slots:
    void Average_ofLanes_equalsTheWeightedSum_data() { test::addInstructionSets(); }
    void Average_ofLanes_equalsTheWeightedSum()
    {
        forAllCounts([](std::size_t count, Random& random) {
            const std::size_t offset = 3;
            std::vector<std::vector<float>> arrays;
            std::vector<WeightedGradient> lanes;
            std::vector<double> expected(count);
            for (const float weight : {0.5F, 0.2F, 0.3F}) {
                const auto& values = arrays.emplace_back(random.floats(offset + count, -1.0, 1.0));
                lanes.push_back({values.data(), weight});
                for (std::size_t i = 0; i < count; ++i) {
                    expected[i] += double{weight} * double{values[offset + i]};
                }
            }
            Guarded dst(std::vector<float>(count, -1.0F));
            QVERIFY(cpu::averageRange(
                lanes, static_cast<std::int64_t>(offset), static_cast<std::int64_t>(count),
                dst.data()));
            QVERIFY(dst.isIntact());
            QVERIFY(nearly(dst.span(), expected));
        });
    }

    void Average_ofOneLane_isThatLane_data() { test::addInstructionSets(); }
    void Average_ofOneLane_isThatLane()
    {
        forAllCounts([](std::size_t count, Random& random) {
            const auto values = random.floats(count, -1.0, 1.0);
            const std::vector<WeightedGradient> lanes{{values.data(), 1.0F}};
            Guarded dst(std::vector<float>(count, -1.0F));
            cpu::averageRange(lanes, 0, static_cast<std::int64_t>(count), dst.data());
            QVERIFY(std::ranges::equal(dst.span(), values));
        });
    }

    void Average_intoItsFirstLane_isTheSum_data() { test::addInstructionSets(); }
    void Average_intoItsFirstLane_isTheSum()
    {
        forAllCounts([](std::size_t count, Random& random) {
            auto first = random.floats(count, -1.0, 1.0);
            const auto second = random.floats(count, -1.0, 1.0);
            std::vector<float> expected(count);
            std::ranges::transform(first, second, expected.begin(), std::plus<>());
            const std::vector<WeightedGradient> lanes{{first.data(), 1.0F}, {second.data(), 1.0F}};
            cpu::averageRange(lanes, 0, static_cast<std::int64_t>(count), first.data());
            QVERIFY(first == expected);
        });
    }

    void Average_aValueThatIsNotFinite_isFoundWhereverItStands_data()
    {
        test::addInstructionSets();
    }
    void Average_aValueThatIsNotFinite_isFoundWhereverItStands()
    {
        QFETCH(qint64, target);
        const test::InstructionSet set(target);
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        for (const float bad : {kInfinity, -kInfinity, std::nanf("")}) {
            for (std::size_t place = 0; place < 40; ++place) {
                std::vector<float> good(40, 1.0F);
                std::vector<float> values(40, 1.0F);
                values[place] = bad;
                const std::vector<WeightedGradient> lanes{
                    {good.data(), 0.5F}, {values.data(), 0.5F}};
                std::vector<float> dst(40);
                QVERIFY(!cpu::averageRange(lanes, 0, 40, dst.data()));
                QVERIFY(cpu::averageRange(lanes, 0, static_cast<std::int64_t>(place), dst.data()));
            }
        }
    }

    void Average_thatOverflows_isFound_data() { test::addInstructionSets(); }
    void Average_thatOverflows_isFound()
    {
        QFETCH(qint64, target);
        const test::InstructionSet set(target);
        const std::vector<float> values(9, 3e38F);
        const std::vector<WeightedGradient> lanes{{values.data(), 1.0F}, {values.data(), 1.0F}};
        std::vector<float> dst(9);
        QVERIFY(!cpu::averageRange(lanes, 0, 9, dst.data()));
    }

    void Update_equalsTheRule_averageAfterTheWeights_data() { test::addInstructionSets(); }
    void Update_equalsTheRule_averageAfterTheWeights()
    {
        forAllCounts([](std::size_t count, Random& random) {
            const UpdateRule rule{0.25F, 0.5F, 0.125F};
            const auto gradient = random.floats(count, -1.0, 1.0);
            const auto oldWeights = random.floats(count, -1.0, 1.0);
            const auto oldAverage = random.floats(count, -1.0, 1.0);
            Guarded weights(oldWeights);
            Guarded average(oldAverage);
            cpu::updateRange(
                rule, static_cast<std::int64_t>(count),
                {gradient.data(), weights.data(), average.data()});
            std::vector<double> expectedWeights(count);
            std::vector<double> expectedAverage(count);
            for (std::size_t i = 0; i < count; ++i) {
                const auto w = double{oldWeights[i]};
                expectedWeights[i] = w - 0.25 * (double{gradient[i]} + 0.5 * w);
                const auto a = double{oldAverage[i]};
                expectedAverage[i] = 0.875 * a + 0.125 * expectedWeights[i];
            }
            QVERIFY(weights.isIntact() && average.isIntact());
            QVERIFY(nearly(weights.span(), expectedWeights));
            QVERIFY(nearly(average.span(), expectedAverage));
        });
    }

    void SumOfSquares_equalsADoubleSum_data() { test::addInstructionSets(); }
    void SumOfSquares_equalsADoubleSum()
    {
        forAllCounts([](std::size_t count, Random& random) {
            const Guarded values(random.floats(count, -2.0, 2.0));
            double expected = 0.0;
            for (const float value : values.span()) {
                expected += double{value} * double{value};
            }
            const double got = cpu::sumOfSquaresOf(values.span());
            QVERIFY(std::abs(got - expected) <= 1e-13 * expected);
        });
    }

    void Update_operands_areTheRoundedNewWeights_data() { test::addInstructionSets(); }
    void Update_operands_areTheRoundedNewWeights()
    {
        forAllCounts([](std::size_t count, Random& random) {
            const UpdateRule rule{0.1F, 0.3F, 0.01F};
            const auto elements = static_cast<std::int64_t>(count);
            const auto gradient = random.floats(count, -1.0, 1.0);
            Guarded weights(random.floats(count, -1.0, 1.0));
            Guarded average(random.floats(count, -1.0, 1.0));
            auto otherWeights = std::vector(weights.span().begin(), weights.span().end());
            auto otherAverage = std::vector(average.span().begin(), average.span().end());
            GuardedElements operands(Element::Bfloat16, std::vector<float>(count, 7.0F));
            cpu::updateRange(
                rule, elements, {gradient.data(), weights.data(), average.data(), operands.data()});
            QVERIFY(weights.isIntact() && average.isIntact() && operands.isIntact());
            const auto made = operands.values();
            for (std::size_t i = 0; i < count; ++i) {
                QCOMPARE(made[i], test::rounded(Element::Bfloat16, weights.span()[i]));
            }
            // Whether copies are kept changes nothing else.
            cpu::updateRange(
                rule, elements, {gradient.data(), otherWeights.data(), otherAverage.data()});
            QVERIFY(std::ranges::equal(weights.span(), otherWeights));
            QVERIFY(std::ranges::equal(average.span(), otherAverage));
        });
    }

private:
    template<class Body>
    static void forAllCounts(Body body)
    {
        QFETCH(qint64, target);
        const test::InstructionSet set(target);
        Random random(9);
        for (const std::size_t count : test::kernelCounts()) {
            body(count, random);
        }
    }

    static bool nearly(std::span<const float> got, const std::vector<double>& expected)
    {
        return std::ranges::equal(got, expected, [](float value, double wanted) {
            // Values of size 1: a few roundings.
            return std::abs(double{value} - wanted) <= test::tolerance::kElementwise;
        });
    }
};

LOCKSTEP_TEST(TestVectorKernels)
#include "test_vector_kernels.moc"
