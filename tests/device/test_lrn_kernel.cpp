// SPDX-License-Identifier: Apache-2.0
// The response normalisation's own kernel in every layout and number format and on every
// instruction set, with and without ReLU in front, against the formula in float64.
#include "support/compare.h"
#include "support/instruction_sets.h"
#include "support/lockstep_test.h"
#include "support/lrn_reference.h"

#include <cmath>
#include <vector>

using namespace lockstep;
using cpu::Element;
using cpu::LrnWork;
using test::GuardedBytes;
using test::GuardedElements;
using test::LrnCase;
using test::LrnTensors;
using test::Random;

namespace {

LrnCase randomCase(Element element, Random& random)
{
    const auto channels = random.oneOf<std::int64_t>({1, 2, 3, 5, 8, 15, 16, 17, 33, 64});
    // Rows of channels, or blocks of 8 or 16 of them.
    const auto block = random.oneOf<std::int64_t>({channels, 8, 16});
    const std::int64_t blocks = (channels + block - 1) / block;
    return {
        {{random.oneOf<std::int64_t>({1, 2, 4, 5, 9, 17}), random.uniform(0.5, 2.0),
          random.uniform(0.01, 1.0), random.oneOf<double>({0.75, 0.5, 1.0, 0.31})},
         {random.integer(1, 3), random.integer(1, 20), blocks, block, element},
         random.integer(0, 1) == 1},
        channels};
}

/// A pass into memory that holds exactly the bytes that the kernel asks for; nothing where it wrote
/// beside that.
template<class Pass>
std::vector<float> passed(const LrnWork& work, const std::vector<float>& src, Pass pass)
{
    GuardedElements source(work.layout.element, src);
    GuardedElements made(work.layout.element, std::vector<float>(src.size(), -1.0F));
    GuardedBytes scratch(cpu::lrnScratchBytes(work), sizeof(float));
    pass(source.data(), made.data(), reinterpret_cast<float*>(scratch.data()));
    const bool isIntact = source.isIntact() && made.isIntact() && scratch.isIntact();
    return isIntact ? made.values() : std::vector<float>();
}

std::vector<float> forward(const LrnWork& work, const LrnTensors& tensors)
{
    return passed(work, tensors.src, [&](std::byte* src, std::byte* dst, float* scratch) {
        cpu::lrnForward(work, src, dst, scratch);
    });
}

std::vector<float> backward(const LrnWork& work, const LrnTensors& tensors)
{
    GuardedElements diffDst(work.layout.element, tensors.diffDst);
    return passed(work, tensors.src, [&](std::byte* src, std::byte* diffSrc, float* scratch) {
        cpu::lrnBackward(work, {src, diffDst.data(), diffSrc}, scratch);
    });
}

} // namespace

class TestLrnKernel : public QObject
{
    Q_OBJECT

private slots:
    void Forward_allLayouts_equalsTheFormula_data() { test::addInstructionSetsAndElements(); }
    void Forward_allLayouts_equalsTheFormula()
    {
        forRandomCases([](const LrnCase& one, const LrnTensors& tensors) {
            return test::relativeError<float, double>(
                forward(one.work, tensors), tensors.expectedDst());
        });
    }

    void Backward_allLayouts_equalsTheFormula_data() { test::addInstructionSetsAndElements(); }
    void Backward_allLayouts_equalsTheFormula()
    {
        forRandomCases([](const LrnCase& one, const LrnTensors& tensors) {
            return test::relativeError<float, double>(
                backward(one.work, tensors), tensors.expectedDiffSrc());
        });
    }

    void Cifar10s_constants_areExactToFloat_data() { test::addInstructionSets(); }
    void Cifar10s_constants_areExactToFloat()
    {
        QFETCH(qint64, target);
        const test::InstructionSet set(target);
        Random random(2);
        const LrnCase one{{{4, 1.0, 0.001 / 9.0, 0.75}, {2, 36, 4, 16}}, 64};
        const LrnTensors tensors(one, random);
        const auto dst = forward(one.work, tensors);
        const auto expected = tensors.expectedDst();
        QCOMPARE(dst.size(), expected.size());
        for (std::size_t i = 0; i < dst.size(); ++i) {
            // Four units in the last place of a value below 2.
            QVERIFY(std::abs(double{dst[i]} - expected[i]) <= 5e-7);
        }
    }

    void NotANumber_spreadsToItsWindow_only_data() { test::addInstructionSetsAndElements(); }
    void NotANumber_spreadsToItsWindow_only()
    {
        QFETCH(qint64, target);
        QFETCH(Element, element);
        const test::InstructionSet set(target);
        for (const double beta : {0.75, 0.5}) {
            for (const bool isRelu : {false, true}) {
                const LrnCase one{{{2, 1.0, 0.1, beta}, {1, 3, 2, 16, element}, isRelu}, 32};
                Random random(8);
                LrnTensors tensors(one, random);
                tensors.src[tensors.index(0, 1, 15)] = std::nanf("");
                const auto dst = forward(one.work, tensors);
                const auto diffSrc = backward(one.work, tensors);
                tensors.forEach([&](std::int64_t, std::int64_t position, std::int64_t channel) {
                    const auto distance = position == 1 ? std::abs(channel - 15) : 99;
                    const auto i = tensors.index(0, position, channel);
                    // ReLU gives 0 where the source is below it, whatever the sum beside it is: 0
                    // times what is no number is none, but its gradient is cut.
                    QCOMPARE(std::isnan(dst[i]), distance <= 2);
                    const bool isCut = isRelu && tensors.src[i] <= 0.0F;
                    // Terms of the window are no numbers, and every sum that takes one in.
                    QCOMPARE(std::isnan(diffSrc[i]), distance <= 4 && !isCut);
                });
            }
        }
    }

    void Gradient_thatIsNoNumber_spreadsToItsWindow_only_data()
    {
        test::addInstructionSetsAndElements();
    }
    void Gradient_thatIsNoNumber_spreadsToItsWindow_only()
    {
        QFETCH(qint64, target);
        QFETCH(Element, element);
        const test::InstructionSet set(target);
        const LrnCase one{{{2, 1.0, 0.1, 0.75}, {2, 9, 3, 8, element}}, 17};
        Random random(9);
        LrnTensors tensors(one, random);
        tensors.diffDst[tensors.index(1, 8, 15)] = std::nanf("");
        const auto diffSrc = backward(one.work, tensors);
        tensors.forEach([&](std::int64_t image, std::int64_t position, std::int64_t channel) {
            const bool isNear = image == 1 && position == 8 && std::abs(channel - 15) <= 2;
            QCOMPARE(std::isnan(diffSrc[tensors.index(image, position, channel)]), isNear);
        });
    }

private:
    template<class ErrorOf>
    static void forRandomCases(ErrorOf errorOf)
    {
        QFETCH(qint64, target);
        QFETCH(Element, element);
        const test::InstructionSet set(target);
        Random random(55);
        for (int number = 0; number < 80; ++number) {
            const LrnCase one = randomCase(element, random);
            const LrnTensors tensors(one, random);
            const double error = errorOf(one, tensors);
            // The result is rounded once more.
            const double allowed =
                test::tolerance::kLrn
                + (element == Element::Bfloat16 ? test::tolerance::kBfloat16Rounding : 0.0);
            QVERIFY2(
                error < allowed,
                qPrintable(QString("case %1: %2, radius %3, beta %4, %5 channels in blocks of %6")
                               .arg(number)
                               .arg(error)
                               .arg(one.work.lrn.depthRadius)
                               .arg(one.work.lrn.beta)
                               .arg(one.channels)
                               .arg(one.work.layout.block)));
        }
    }
};

LOCKSTEP_TEST(TestLrnKernel)
#include "test_lrn_kernel.moc"
