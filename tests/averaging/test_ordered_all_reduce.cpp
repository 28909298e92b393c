// SPDX-License-Identifier: Apache-2.0
#include "averaging/ordered_all_reduce.h"
#include "support/lockstep_test.h"
#include "support/tower_run.h"

#include <cmath>
#include <limits>

using namespace lockstep;
using test::Random;

namespace {

constexpr float kUntouched = 77.0F;

/// The first layer's weights take several of the chunks that threads share.
const NetworkSpec kNetwork = test::twoDenseLayers(501, 97, 2);

/// Gradients of made-up lanes, and what the all-reduce makes of them.
class Lanes
{
public:
    explicit Lanes(const std::vector<int>& towers) : m_layout(kNetwork)
    {
        Random random(3);
        for (const int tower : towers) {
            m_values.push_back(random.floats(elements(), -1.0, 1.0));
            m_towers.push_back(tower);
        }
    }

    [[nodiscard]] std::size_t elements() const
    {
        return static_cast<std::size_t>(m_layout.elements);
    }
    [[nodiscard]] const ParameterLayout& layout() const { return m_layout; }
    [[nodiscard]] std::vector<float>& operator[](std::size_t lane) { return m_values[lane]; }
    [[nodiscard]] float& at(std::size_t lane, std::size_t parameter, std::int64_t element)
    {
        return m_values[lane][static_cast<std::size_t>(m_layout.offsets[parameter] + element)];
    }

    /// Averages; result() and the return value of OrderedAllReduce::run.
    int average(const AveragingPlan& plan, int threads = 2)
    {
        std::vector<LaneGradient> gradients;
        for (std::size_t i = 0; i < m_values.size(); ++i) {
            gradients.push_back({m_towers[i], m_values[i].data()});
        }
        OrderedAllReduce reduce(m_device, m_layout, plan, gradients);
        m_result.assign(elements(), kUntouched);
        ThreadTeam team("average", threads, false);
        return reduce.run(team, m_result.data());
    }
    [[nodiscard]] const std::vector<float>& result() const { return m_result; }
    [[nodiscard]] std::span<const float> result(std::size_t parameter) const
    {
        return std::span(m_result).subspan(
            static_cast<std::size_t>(m_layout.offsets[parameter]),
            static_cast<std::size_t>(m_layout.counts[parameter]));
    }

private:
    cpu::CpuDevice m_device;
    ParameterLayout m_layout;
    std::vector<std::vector<float>> m_values;
    std::vector<int> m_towers;
    std::vector<float> m_result;
};

AveragingPlan planFor(const std::vector<std::int64_t>& examples)
{
    return planAveraging(
        kNetwork, test::denseContributions(kNetwork, examples), MissingGradient::Error);
}

AveragingPlan planWithout(
    const std::vector<std::int64_t>& examples, std::size_t parameter,
    const std::vector<std::size_t>& towers)
{
    auto contributions = test::denseContributions(kNetwork, examples);
    for (const std::size_t tower : towers) {
        contributions.at(tower).gradients.at(parameter) = {GradientForm::Absent, {}};
    }
    return planAveraging(kNetwork, contributions, MissingGradient::Zeros);
}

} // namespace

class TestOrderedAllReduce : public QObject
{
    Q_OBJECT

private slots:
    void Average_ofUnequalBatches_isWeightedByExamples()
    {
        Lanes lanes({0, 1, 2});
        QCOMPARE(lanes.average(planFor({3, 7, 1})), -1);
        for (std::size_t parameter = 0; parameter < 4; ++parameter) {
            const auto got = lanes.result(parameter);
            for (std::size_t i = 0; i < got.size(); ++i) {
                const auto element = static_cast<std::int64_t>(i);
                const double expected = (3.0 * double{lanes.at(0, parameter, element)}
                                         + 7.0 * double{lanes.at(1, parameter, element)}
                                         + 1.0 * double{lanes.at(2, parameter, element)})
                                        / 11.0;
                // Three roundings of values below 1.
                QVERIFY(std::abs(double{got[i]} - expected) < 3e-7);
            }
        }
    }

    void Average_ofSeveralLanesOfATower_addsThem()
    {
        Lanes lanes({0, 0, 1});
        QCOMPARE(lanes.average(planFor({2, 2})), -1);
        const auto got = lanes.result(0);
        for (std::size_t i = 0; i < got.size(); ++i) {
            const auto element = static_cast<std::int64_t>(i);
            const double expected =
                (double{lanes.at(0, 0, element)} + double{lanes.at(1, 0, element)}
                 + double{lanes.at(2, 0, element)})
                / 2.0;
            QVERIFY(std::abs(double{got[i]} - expected) < 3e-7);
        }
    }

    void Average_isSummedInTowerOrder()
    {
        // 1e8 + 1 is 1e8 in float32: only in this order 0.25 is left over.
        Lanes lanes({0, 1, 2, 3});
        const std::array<float, 4> values{4e8F, 4.0F, -4e8F, 1.0F};
        for (std::size_t lane = 0; lane < values.size(); ++lane) {
            std::ranges::fill(lanes[lane], values.at(lane));
        }
        QCOMPARE(lanes.average(planFor({5, 5, 5, 5})), -1);
        for (std::size_t parameter = 0; parameter < 4; ++parameter) {
            const auto got = lanes.result(parameter);
            QCOMPARE(std::ranges::count(got, 0.25F), static_cast<std::ptrdiff_t>(got.size()));
        }
    }

    void Average_bits_areThoseOfAPlainLoop()
    {
        Lanes lanes({0, 1, 2});
        const auto plan = planFor({3, 7, 1});
        lanes.average(plan);
        // One rounding a term with fused multiply-add, two on processors that have none.
        bool isFused = true;
        bool isSeparate = true;
        const auto got = lanes.result(0);
        for (std::size_t i = 0; i < got.size(); ++i) {
            float fused = 0.0F;
            float separate = 0.0F;
            for (std::size_t lane = 0; lane < 3; ++lane) {
                const float value = lanes.at(lane, 0, static_cast<std::int64_t>(i));
                fused = std::fma(plan.towerWeights[lane], value, fused);
                const volatile float product = plan.towerWeights[lane] * value;
                separate += product;
            }
            isFused = isFused && got[i] == fused;
            isSeparate = isSeparate && got[i] == separate;
        }
        QVERIFY(isFused || isSeparate);
    }

    void Average_anyNumberOfThreads_givesTheSameBits()
    {
        Lanes lanes({0, 1, 2});
        lanes.average(planFor({3, 7, 1}), 1);
        const auto expected = lanes.result();
        for (const int threads : {2, 3, 5, 16}) {
            lanes.average(planFor({3, 7, 1}), threads);
            QVERIFY(lanes.result() == expected);
        }
    }

    void AbsentEverywhere_leavesTheMemoryAlone()
    {
        Lanes lanes({0, 1});
        // What lies where no gradient was made may be anything.
        for (std::int64_t i = 0; i < lanes.layout().counts[0]; ++i) {
            lanes.at(1, 0, i) = std::nanf("");
        }
        QCOMPARE(lanes.average(planWithout({2, 2}, 0, {0, 1})), -1);
        const auto untouched = lanes.result(0);
        QCOMPARE(
            std::ranges::count(untouched, kUntouched),
            static_cast<std::ptrdiff_t>(untouched.size()));
        QCOMPARE(std::ranges::count(lanes.result(2), kUntouched), 0);
    }

    void AbsentOnSome_countsAsZeros()
    {
        Lanes lanes({0, 1});
        for (std::int64_t i = 0; i < lanes.layout().counts[1]; ++i) {
            lanes.at(1, 1, i) = std::nanf("");
        }
        QCOMPARE(lanes.average(planWithout({2, 2}, 1, {1})), -1);
        const auto got = lanes.result(1);
        for (std::size_t i = 0; i < got.size(); ++i) {
            QCOMPARE(got[i], 0.5F * lanes.at(0, 1, static_cast<std::int64_t>(i)));
        }
    }

    void Fault_isFoundWhereverItStands_andItsParameterNamed_data()
    {
        QTest::addColumn<float>("bad");
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        QTest::newRow("NaN") << std::nanf("");
        QTest::newRow("infinity") << kInfinity;
        QTest::newRow("negative infinity") << -kInfinity;
    }

    void Fault_isFoundWhereverItStands_andItsParameterNamed()
    {
        QFETCH(float, bad);
        Lanes lanes({0, 1, 2});
        const auto plan = planFor({1, 1, 1});
        for (std::size_t parameter = 0; parameter < 4; ++parameter) {
            const std::int64_t count = lanes.layout().counts[parameter];
            // First and last element, and both sides of what the threads share (64 KiB).
            for (const std::int64_t place :
                 {std::int64_t{0}, std::int64_t{16383}, std::int64_t{16384}, std::int64_t{32768},
                  count - 1}) {
                if (place < count) {
                    for (const std::size_t lane : {0U, 2U}) {
                        float& value = lanes.at(lane, parameter, place);
                        const float before = std::exchange(value, bad);
                        QCOMPARE(lanes.average(plan), static_cast<int>(parameter));
                        value = before;
                    }
                }
            }
        }
        QCOMPARE(lanes.average(plan), -1);
    }

    void Faults_inSeveralParameters_nameTheFirstOfTheArena()
    {
        Lanes lanes({0, 1});
        // The arena begins with the last layer.
        for (const std::size_t parameter : {0U, 1U, 2U}) {
            lanes.at(1, parameter, 0) = std::nanf("");
        }
        QVERIFY(lanes.layout().offsets[2] < lanes.layout().offsets[0]);
        QCOMPARE(lanes.average(planFor({1, 1})), 2);
    }
};

LOCKSTEP_TEST(TestOrderedAllReduce)
#include "test_ordered_all_reduce.moc"
