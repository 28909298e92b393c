// SPDX-License-Identifier: Apache-2.0
// What gradients are measured with, on every instruction set, against float64: all small counts, a
// large one, addresses that are no multiple of a vector, and values that are no numbers.
#include "device/cpu/kernels/gradient_kernels.h"
#include "support/instruction_sets.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace lockstep;
using test::Random;

namespace {

constexpr std::size_t kOffset = 3;

/// Both sum in double; only the order differs. `size`: of the terms, without their signs.
bool nearly(double a, double b, double size)
{
    return std::abs(a - b) <= 1e-12 * size;
}

} // namespace

class TestGradientKernels : public QObject
{
    Q_OBJECT

private slots:
    void Products_ofATower_equalTheSumsOfItsLanes_data() { test::addInstructionSets(); }
    void Products_ofATower_equalTheSumsOfItsLanes();
    void Distance_equalsTheSumOfSquares_data() { test::addInstructionSets(); }
    void Distance_equalsTheSumOfSquares();
    void NotANumber_anywhere_isSeen_data() { test::addInstructionSets(); }
    void NotANumber_anywhere_isSeen();
};

void TestGradientKernels::Products_ofATower_equalTheSumsOfItsLanes()
{
    QFETCH(qint64, target);
    const test::InstructionSet instructions(target);
    Random random(1);
    for (const std::size_t count : test::kernelCounts()) {
        for (std::size_t lanes = 1; lanes <= 3; ++lanes) {
            std::vector<std::vector<float>> values;
            std::vector<const float*> starts;
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                values.push_back(random.floats(kOffset + count, -1.0, 1.0));
            }
            for (const auto& lane : values) {
                starts.push_back(lane.data());
            }
            const std::vector<float> mean = random.floats(count + 1, -1.0, 1.0);
            double squares = 0.0;
            double dotMean = 0.0;
            double size = 0.0;
            for (std::size_t i = 0; i < count; ++i) {
                double gradient = 0.0;
                for (const auto& lane : values) {
                    gradient += double{lane[kOffset + i]};
                }
                squares += gradient * gradient;
                dotMean += gradient * double{mean[i + 1]};
                size += std::abs(gradient * double{mean[i + 1]});
            }
            const GradientProducts products = cpu::productsOfRange(
                starts, static_cast<std::int64_t>(kOffset), static_cast<std::int64_t>(count),
                mean.data() + 1);
            QVERIFY(nearly(products.squares, squares, squares));
            QVERIFY(nearly(products.dotMean, dotMean, size));
        }
    }
}

void TestGradientKernels::Distance_equalsTheSumOfSquares()
{
    QFETCH(qint64, target);
    const test::InstructionSet instructions(target);
    Random random(2);
    for (const std::size_t count : test::kernelCounts()) {
        const std::vector<float> a = random.floats(count + 1, -1.0, 1.0);
        std::vector<float> b = a;
        double expected = 0.0;
        for (std::size_t i = 1; i <= count; ++i) { // an update is small beside the weights
            b[i] += static_cast<float>(random.uniform(-1e-4, 1e-4));
            expected += std::pow(double{a[i]} - double{b[i]}, 2);
        }
        const double found = cpu::squaredDistanceOf(std::span(a).subspan(1), b.data() + 1);
        QVERIFY(nearly(found, expected, expected));
    }
}

void TestGradientKernels::NotANumber_anywhere_isSeen()
{
    QFETCH(qint64, target);
    const test::InstructionSet instructions(target);
    constexpr std::size_t kCount = 37;
    for (std::size_t i = 0; i < kCount; ++i) {
        for (const float bad :
             {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
            std::vector<float> values(kCount, 0.5F);
            const std::vector<float> good(kCount, 0.25F);
            values[i] = bad;
            const std::vector<const float*> lanes{good.data(), values.data()};
            const auto products = cpu::productsOfRange(lanes, 0, kCount, good.data());
            QVERIFY(!std::isfinite(products.squares) && !std::isfinite(products.dotMean));
            QVERIFY(!std::isfinite(cpu::squaredDistanceOf(values, good.data())));
        }
    }
}

LOCKSTEP_TEST(TestGradientKernels)
#include "test_gradient_kernels.moc"
