// SPDX-License-Identifier: Apache-2.0
// The loops over tensors that may be float32 or bfloat16, on every instruction set: rounding, ReLU
// and sums, to the last bit.
#include "device/cpu/kernels/vector_kernels.h"
#include "support/elements.h"
#include "support/instruction_sets.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

using namespace lockstep;
using cpu::Element;
using test::GuardedBytes;
using test::GuardedElements;
using test::Random;

namespace {

/// Every upper half of a float32 with lower halves around the middle between two bfloat16 numbers:
/// all signs and exponents, ties beside even and odd ones, NaN of every kind, infinities, numbers
/// without a leading one, and those that round to an infinity.
std::vector<float> interestingNumbers()
{
    std::vector<float> numbers;
    for (std::uint32_t upper = 0; upper <= 0xFFFFU; ++upper) {
        for (const std::uint32_t lower : {0U, 1U, 0x7FFFU, 0x8000U, 0x8001U, 0xFFFFU}) {
            numbers.push_back(std::bit_cast<float>(upper << 16U | lower));
        }
    }
    return numbers;
}

/// The bits that a kernel made of the values.
std::vector<std::uint16_t> roundedByKernel(const std::vector<float>& values)
{
    std::vector<std::uint16_t> bits(values.size(), 0xA5A5U);
    GuardedBytes made(values.size() * sizeof(std::uint16_t), sizeof(std::uint16_t));
    cpu::roundRange(values, made.data());
    if (made.isIntact() && !values.empty()) {
        std::memcpy(bits.data(), made.data(), values.size() * sizeof(std::uint16_t));
    }
    return bits;
}

} // namespace

class TestElementKernels : public QObject
{
    Q_OBJECT

private slots:
    void Round_everyKindOfNumber_takesTheNearest_data() { test::addInstructionSets(); }
    void Round_everyKindOfNumber_takesTheNearest()
    {
        QFETCH(qint64, target);
        const test::InstructionSet set(target);
        const auto numbers = interestingNumbers();
        const auto made = roundedByKernel(numbers);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const std::uint16_t wanted = test::toBfloat16(numbers[i]);
            if (made[i] != wanted) {
                QFAIL(qPrintable(QString("%1 became %2, not %3")
                                     .arg(std::bit_cast<std::uint32_t>(numbers[i]), 8, 16)
                                     .arg(made[i], 4, 16)
                                     .arg(wanted, 4, 16)));
            }
        }
    }

    void Round_anyCount_touchesNothingBesideIt_data() { test::addInstructionSets(); }
    void Round_anyCount_touchesNothingBesideIt()
    {
        forAllCounts([](std::size_t count, Random& random) {
            const auto values = random.floats(count, -3.0, 3.0);
            const auto made = roundedByKernel(values);
            for (std::size_t i = 0; i < count; ++i) {
                QCOMPARE(made[i], test::toBfloat16(values[i]));
            }
        });
    }

    void Relu_forwardAndBackward_cutAtZero_data() { test::addInstructionSetsAndElements(); }
    void Relu_forwardAndBackward_cutAtZero()
    {
        forAllCounts([](std::size_t count, Random& random) {
            QFETCH(Element, element);
            auto before = random.floats(count, -1.0, 1.0);
            for (std::size_t i = 0; i < count; i += 5) {
                before[i] = i % 2 == 0 ? 0.0F : -0.0F;
            }
            const auto diffBefore = random.floats(count, -1.0, 1.0);
            GuardedElements values(element, before);
            GuardedElements diff(element, diffBefore);
            cpu::reluForward(element, values.data(), static_cast<std::int64_t>(count));
            cpu::reluBackward(
                element, values.data(), diff.data(), static_cast<std::int64_t>(count));
            QVERIFY(values.isIntact() && diff.isIntact());
            const auto after = values.values();
            const auto diffAfter = diff.values();
            for (std::size_t i = 0; i < count; ++i) {
                const bool isOn = before[i] > 0.0F;
                QCOMPARE(after[i], isOn ? test::rounded(element, before[i]) : 0.0F);
                QCOMPARE(diffAfter[i], isOn ? test::rounded(element, diffBefore[i]) : 0.0F);
            }
        });
    }

    void Relu_notANumber_staysOne_data() { test::addInstructionSetsAndElements(); }
    void Relu_notANumber_staysOne()
    {
        QFETCH(qint64, target);
        QFETCH(Element, element);
        const test::InstructionSet set(target);
        GuardedElements values(element, std::vector<float>(37, std::nanf("")));
        GuardedElements diff(element, std::vector<float>(37, 2.0F));
        cpu::reluForward(element, values.data(), 37);
        cpu::reluBackward(element, values.data(), diff.data(), 37);
        QVERIFY(
            std::ranges::all_of(values.values(), [](float value) { return std::isnan(value); }));
        QCOMPARE(std::ranges::count(diff.values(), 2.0F), 37);
    }

    void Add_twoTensors_isTheirRoundedSum_data() { test::addInstructionSetsAndElements(); }
    void Add_twoTensors_isTheirRoundedSum()
    {
        forAllCounts([](std::size_t count, Random& random) {
            QFETCH(Element, element);
            GuardedElements sum(element, random.floats(count, -1.0, 1.0));
            GuardedElements addend(element, random.floats(count, -1.0, 1.0));
            const auto one = sum.values();
            const auto other = addend.values();
            GuardedElements rectified(element, std::vector<float>(count));
            const auto values = static_cast<std::int64_t>(count);
            cpu::addRange(element, {sum.data(), addend.data(), rectified.data()}, values, true);
            cpu::addRange(element, {sum.data(), addend.data(), sum.data()}, values, false);
            QVERIFY(sum.isIntact() && addend.isIntact() && rectified.isIntact());
            const auto made = sum.values();
            const auto above = rectified.values();
            for (std::size_t i = 0; i < count; ++i) {
                QCOMPARE(made[i], test::rounded(element, one[i] + other[i]));
                QCOMPARE(above[i], std::max(made[i], 0.0F));
            }
            QVERIFY(addend.values() == other);
        });
    }

    void Add_whatIsNoNumber_staysNone_data() { test::addInstructionSetsAndElements(); }
    void Add_whatIsNoNumber_staysNone()
    {
        QFETCH(qint64, target);
        QFETCH(Element, element);
        const test::InstructionSet set(target);
        GuardedElements sum(element, std::vector<float>(37, 1.0F));
        GuardedElements addend(element, std::vector<float>(37, std::nanf("")));
        cpu::addRange(element, {sum.data(), addend.data(), sum.data()}, 37, true);
        QVERIFY(std::ranges::all_of(sum.values(), [](float value) { return std::isnan(value); }));
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
};

LOCKSTEP_TEST(TestElementKernels)
#include "test_element_kernels.moc"
