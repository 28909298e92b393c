// SPDX-License-Identifier: Apache-2.0
// The response normalisation's own kernel in every layout and on every instruction set, against the
// formula in float64.
#include "device/cpu/lrn_kernel.h"
#include "support/compare.h"
#include "support/instruction_sets.h"
#include "support/random_network.h"

#include <cmath>
#include <vector>

using namespace lockstep;
using cpu::ChannelLayout;
using test::Random;

namespace {

struct Case
{
    Lrn lrn;
    ChannelLayout layout;
    std::int64_t channels;
};

/// Tensors of one case; channels beyond the last one hold zeros, as the kernel asks.
class Tensors
{
public:
    Tensors(const Case& one, Random& random) : m_case(one), src(size()), diffDst(size())
    {
        forEach([&](std::int64_t image, std::int64_t position, std::int64_t channel) {
            const auto i = index(image, position, channel);
            src[i] = static_cast<float>(random.uniform(-2.0, 2.0));
            diffDst[i] = static_cast<float>(random.uniform(-1.0, 1.0));
        });
    }

    [[nodiscard]] std::size_t size() const
    {
        const ChannelLayout& layout = m_case.layout;
        return static_cast<std::size_t>(
            layout.images * layout.positions * layout.blocks * layout.block);
    }

    [[nodiscard]] std::size_t index(
        std::int64_t image, std::int64_t position, std::int64_t channel) const
    {
        const ChannelLayout& layout = m_case.layout;
        const std::int64_t block = image * layout.blocks + channel / layout.block;
        return static_cast<std::size_t>(
            (block * layout.positions + position) * layout.block + channel % layout.block);
    }

    template<class Body>
    void forEach(Body body) const
    {
        for (std::int64_t image = 0; image < m_case.layout.images; ++image) {
            for (std::int64_t position = 0; position < m_case.layout.positions; ++position) {
                for (std::int64_t channel = 0; channel < m_case.channels; ++channel) {
                    body(image, position, channel);
                }
            }
        }
    }

    /// Calls body(j) for the channels of the window around `channel`.
    template<class Body>
    void forEachNeighbour(std::int64_t channel, Body body) const
    {
        for (std::int64_t j = 0; j < m_case.channels; ++j) {
            if (std::abs(j - channel) <= m_case.lrn.depthRadius) {
                body(j);
            }
        }
    }

    [[nodiscard]] double scale(
        std::int64_t image, std::int64_t position, std::int64_t channel) const
    {
        double sum = 0.0;
        forEachNeighbour(channel, [&](std::int64_t j) {
            const double x = double{src[index(image, position, j)]};
            sum += x * x;
        });
        return m_case.lrn.bias + m_case.lrn.alpha * sum;
    }

    [[nodiscard]] std::vector<double> expectedDst() const
    {
        std::vector<double> dst(size());
        forEach([&](std::int64_t image, std::int64_t position, std::int64_t channel) {
            const auto i = index(image, position, channel);
            dst[i] = double{src[i]} * std::pow(scale(image, position, channel), -m_case.lrn.beta);
        });
        return dst;
    }

    /// By the chain rule from d(dst_c)/d(src_j), term by term: another way than the kernel's.
    [[nodiscard]] std::vector<double> expectedDiffSrc() const
    {
        std::vector<double> diffSrc(size());
        const Lrn& lrn = m_case.lrn;
        forEach([&](std::int64_t image, std::int64_t position, std::int64_t c) {
            const auto i = index(image, position, c);
            const double s = scale(image, position, c);
            diffSrc[i] += double{diffDst[i]} * std::pow(s, -lrn.beta);
            forEachNeighbour(c, [&](std::int64_t j) {
                diffSrc[index(image, position, j)] -=
                    double{diffDst[i]} * double{src[i]} * lrn.beta * std::pow(s, -lrn.beta - 1.0)
                    * lrn.alpha * 2.0 * double{src[index(image, position, j)]};
            });
        });
        return diffSrc;
    }

private:
    Case m_case;

public:
    std::vector<float> src;
    std::vector<float> diffDst;
};

Case randomCase(Random& random)
{
    const auto channels = random.oneOf<std::int64_t>({1, 2, 3, 5, 8, 15, 16, 17, 33, 64});
    // Rows of channels, or blocks of 8 or 16 of them.
    const std::int64_t block = random.oneOf<std::int64_t>({channels, 8, 16});
    const std::int64_t blocks = (channels + block - 1) / block;
    return {
        {random.oneOf<std::int64_t>({1, 2, 4, 5, 9, 17}), random.uniform(0.5, 2.0),
         random.uniform(0.01, 1.0), random.oneOf<double>({0.75, 0.5, 1.0, 0.31})},
        {random.integer(1, 3), random.integer(1, 20), blocks, block},
        channels};
}

/// Exactly the bytes that the kernel asks for, so that a sanitizer sees one too many.
std::vector<float> scratchFor(const Case& one)
{
    return std::vector<float>(cpu::lrnScratchBytes(one.lrn, one.layout) / sizeof(float), 7.0F);
}

} // namespace

class TestLrnKernel : public QObject
{
    Q_OBJECT

private slots:
    void Forward_allLayouts_equalsTheFormula_data() { test::addInstructionSets(); }
    void Forward_allLayouts_equalsTheFormula()
    {
        forRandomCases([](const Case& one, const Tensors& tensors) {
            std::vector<float> dst(tensors.size(), -1.0F);
            auto scratch = scratchFor(one);
            cpu::lrnForward(one.lrn, one.layout, tensors.src.data(), dst.data(), scratch.data());
            return test::relativeError<float, double>(dst, tensors.expectedDst());
        });
    }

    void Backward_allLayouts_equalsTheFormula_data() { test::addInstructionSets(); }
    void Backward_allLayouts_equalsTheFormula()
    {
        forRandomCases([](const Case& one, const Tensors& tensors) {
            std::vector<float> diffSrc(tensors.size(), -1.0F);
            auto scratch = scratchFor(one);
            cpu::lrnBackward(
                one.lrn, one.layout, tensors.src.data(), tensors.diffDst.data(), diffSrc.data(),
                scratch.data());
            return test::relativeError<float, double>(diffSrc, tensors.expectedDiffSrc());
        });
    }

    void Cifar10s_constants_areExactToFloat_data() { test::addInstructionSets(); }
    void Cifar10s_constants_areExactToFloat()
    {
        QFETCH(qint64, target);
        const test::InstructionSet set(target);
        Random random(2);
        const Case one{{4, 1.0, 0.001 / 9.0, 0.75}, {2, 36, 4, 16}, 64};
        const Tensors tensors(one, random);
        std::vector<float> dst(tensors.size());
        auto scratch = scratchFor(one);
        cpu::lrnForward(one.lrn, one.layout, tensors.src.data(), dst.data(), scratch.data());
        const auto expected = tensors.expectedDst();
        for (std::size_t i = 0; i < dst.size(); ++i) {
            // Four units in the last place of a value below 2.
            QVERIFY(std::abs(double{dst[i]} - expected[i]) <= 5e-7);
        }
    }

    void NotANumber_spreadsToItsWindow_only_data() { test::addInstructionSets(); }
    void NotANumber_spreadsToItsWindow_only()
    {
        QFETCH(qint64, target);
        const test::InstructionSet set(target);
        for (const double beta : {0.75, 0.5}) {
            const Case one{{2, 1.0, 0.1, beta}, {1, 3, 2, 16}, 32};
            Random random(8);
            Tensors tensors(one, random);
            tensors.src[tensors.index(0, 1, 15)] = std::nanf("");
            std::vector<float> dst(tensors.size());
            auto scratch = scratchFor(one);
            cpu::lrnForward(one.lrn, one.layout, tensors.src.data(), dst.data(), scratch.data());
            tensors.forEach([&](std::int64_t, std::int64_t position, std::int64_t channel) {
                const bool isNear = position == 1 && std::abs(channel - 15) <= 2;
                QCOMPARE(std::isnan(dst[tensors.index(0, position, channel)]), isNear);
            });
        }
    }

private:
    template<class ErrorOf>
    static void forRandomCases(ErrorOf errorOf)
    {
        QFETCH(qint64, target);
        const test::InstructionSet set(target);
        Random random(55);
        for (int number = 0; number < 80; ++number) {
            const Case one = randomCase(random);
            const Tensors tensors(one, random);
            const double error = errorOf(one, tensors);
            QVERIFY2(
                error < test::tolerance::kLrn,
                qPrintable(QString("case %1: %2, radius %3, beta %4, %5 channels in blocks of %6")
                               .arg(number)
                               .arg(error)
                               .arg(one.lrn.depthRadius)
                               .arg(one.lrn.beta)
                               .arg(one.channels)
                               .arg(one.layout.block)));
        }
    }
};

QTEST_GUILESS_MAIN(TestLrnKernel)
#include "test_lrn_kernel.moc"
