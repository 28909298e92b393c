// SPDX-License-Identifier: Apache-2.0
// Max pooling's own kernel in every layout and number format and on every instruction set, against
// plain loops in float64. Gradients are small whole numbers, whose sums are exact in float32.
#include "network/network_spec.h"
#include "support/instruction_sets.h"
#include "support/lockstep_test.h"
#include "support/max_pool_reference.h"
#include "support/random_network.h"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

using namespace lockstep;
using cpu::Element;
using cpu::MaxPoolKernel;
using cpu::PoolWork;
using test::GuardedBytes;
using test::GuardedElements;
using test::PoolResults;
using test::PoolTensors;
using test::Random;

namespace {

/// What the kernel makes; nothing where it wrote beside its tensors.
std::optional<PoolResults> computed(const PoolWork& work, const PoolTensors& tensors)
{
    const Element element = work.src.element;
    const std::vector<float> nothing(test::dstElements(work), -77.0F);
    GuardedElements src(element, tensors.src);
    GuardedElements dst(element, nothing);
    GuardedElements dstAlone(element, nothing);
    GuardedElements diffDst(element, tensors.diffDst);
    GuardedElements diffSrc(element, std::vector<float>(tensors.src.size(), -77.0F));
    const MaxPoolKernel kernel(work);
    GuardedBytes index(kernel.indexBytes(), kernel.hasSmallIndex() ? 1 : 2);
    kernel.forward(src.data(), dst.data(), index.data());
    kernel.forward(src.data(), dstAlone.data(), nullptr);
    kernel.backward(diffDst.data(), index.data(), diffSrc.data());
    const bool isIntact = src.isIntact() && dst.isIntact() && dstAlone.isIntact()
                          && index.isIntact() && diffDst.isIntact() && diffSrc.isIntact();
    if (!isIntact || !std::ranges::equal(dst.values(), dstAlone.values(), test::isSame)) {
        return std::nullopt;
    }
    return PoolResults{dst.values(), diffSrc.values()};
}

/// Padding and number of windows along one side such that every window has a cell of the image.
struct Side
{
    std::int64_t before;
    std::int64_t windows;
};

Side randomSide(std::int64_t size, std::int64_t window, std::int64_t stride, Random& random)
{
    const auto kind = random.integer(0, 2);
    if (kind == 0 && window <= size) {
        return {0, (size - window) / stride + 1};
    }
    if (kind == 1) {
        return {
            paddingCells(Padding::Same, size, window, stride).before, (size + stride - 1) / stride};
    }
    const std::int64_t before = random.integer(0, window - 1);
    return {before, random.integer(1, (size - 1 + before) / stride + 1)};
}

PoolWork workOn(
    const Extent& image, std::int64_t channels, std::int64_t block, Extent window, Extent stride)
{
    PoolWork work;
    work.src = {1, image.height * image.width, (channels + block - 1) / block, block};
    work.srcHeight = image.height;
    work.srcWidth = image.width;
    work.window = window;
    work.stride = stride;
    return work;
}

PoolWork randomWork(Element element, bool isLarge, Random& random)
{
    const auto channels = random.oneOf<std::int64_t>({1, 2, 3, 5, 8, 15, 16, 17, 33, 64});
    const auto block = random.oneOf<std::int64_t>({channels, 8, 16});
    const auto extent = [&](std::int64_t least, std::int64_t most) {
        return Extent{random.integer(least, most), random.integer(least, most)};
    };
    PoolWork work = workOn(
        isLarge ? extent(8, 22) : extent(1, 9), channels, block,
        isLarge ? extent(15, 18) : extent(1, 5), extent(1, isLarge ? 6 : 3));
    work.src.images = isLarge ? 1 : random.integer(1, 3);
    work.src.element = element;
    const Side rows = randomSide(work.srcHeight, work.window.height, work.stride.height, random);
    const Side columns = randomSide(work.srcWidth, work.window.width, work.stride.width, random);
    work.rowsBefore = rows.before;
    work.dstHeight = rows.windows;
    work.columnsBefore = columns.before;
    work.dstWidth = columns.windows;
    work.isRelu = random.integer(0, 1) == 1;
    return work;
}

/// NaN of both signs, quiet and loud, and what is next to them.
float notFinite(Random& random)
{
    return std::bit_cast<float>(random.oneOf<std::uint32_t>(
        {0x7FC00000U, 0xFFC00000U, 0x7F810000U, 0xFF810000U, 0xFFFF0000U, 0x7F800000U,
         0xFF800000U}));
}

/// Of few different values, so that windows hold equals; some are not finite if `withNan`.
PoolTensors randomTensors(const PoolWork& work, bool withNan, Random& random)
{
    const bool isCoarse = random.integer(0, 1) == 1;
    PoolTensors tensors;
    for (std::size_t i = 0; i < test::srcElements(work); ++i) {
        const double value =
            isCoarse ? static_cast<double>(random.integer(-3, 3)) : random.uniform(-2.0, 1.0);
        const bool isFinite = !withNan || random.integer(0, 14) != 0;
        tensors.src.push_back(
            isFinite ? test::rounded(work.src.element, static_cast<float>(value))
                     : notFinite(random));
    }
    for (std::size_t i = 0; i < test::dstElements(work); ++i) {
        tensors.diffDst.push_back(static_cast<float>(random.integer(-8, 8)));
    }
    return tensors;
}

QByteArray text(const PoolWork& work, int number)
{
    return QString("case %1: %2 x %3x%4, %5 blocks of %6, window %7x%8, stride %9x%10, before %11 "
                   "and %12, to %13x%14%15")
        .arg(number)
        .arg(work.src.images)
        .arg(work.srcHeight)
        .arg(work.srcWidth)
        .arg(work.src.blocks)
        .arg(work.src.block)
        .arg(work.window.height)
        .arg(work.window.width)
        .arg(work.stride.height)
        .arg(work.stride.width)
        .arg(work.rowsBefore)
        .arg(work.columnsBefore)
        .arg(work.dstHeight)
        .arg(work.dstWidth)
        .arg(work.isRelu ? ", relu" : "")
        .toLatin1();
}

} // namespace

class TestMaxPoolKernel : public QObject
{
    Q_OBJECT

private slots:
    void Windows_random_equalPlainLoops_data() { test::addInstructionSetsAndElements(); }
    void Windows_random_equalPlainLoops() { checkRandomCases(120, false, false); }

    void Windows_withNaN_takeTheFirst_data() { test::addInstructionSetsAndElements(); }
    void Windows_withNaN_takeTheFirst() { checkRandomCases(60, false, true); }

    void Windows_ofHundredsOfCells_equalPlainLoops_data() { test::addInstructionSetsAndElements(); }
    void Windows_ofHundredsOfCells_equalPlainLoops() { checkRandomCases(12, true, false); }

    void Index_isOneByte_upTo255Cells()
    {
        for (const auto& [window, bytes] :
             {std::pair<Extent, std::size_t>{{3, 3}, 1},
              {{2, 127}, 1},
              {{15, 17}, 1},
              {{16, 16}, 2}}) {
            PoolWork work = workOn({20, 130}, 17, 8, window, {1, 1});
            work.dstHeight = 2;
            work.dstWidth = 3;
            QCOMPARE(MaxPoolKernel(work).indexBytes(), 2 * 3 * 24 * bytes);
        }
    }

    void Cell_anyOfAWindow_getsTheGradient_data() { test::addInstructionSetsAndElements(); }
    /// Each cell of windows around the border of the one-byte index in turn, also with ReLU, whose
    /// mark must not be the number of a cell.
    void Cell_anyOfAWindow_getsTheGradient()
    {
        QFETCH(qint64, target);
        QFETCH(Element, element);
        const test::InstructionSet set(target);
        for (const Extent& window :
             {Extent{2, 127}, Extent{15, 17}, Extent{16, 16}, Extent{3, 100}}) {
            const std::int64_t cells = window.height * window.width;
            PoolWork work = workOn(window, 1, 8, window, {1, 1});
            work.src.element = element;
            work.dstHeight = 1;
            work.dstWidth = 1;
            for (std::int64_t cell = 0; cell < cells; ++cell) {
                work.isRelu = cell % 2 == 0;
                PoolTensors tensors{
                    std::vector<float>(static_cast<std::size_t>(cells * 8), -1.0F),
                    std::vector<float>(8, 3.0F)};
                tensors.src[static_cast<std::size_t>(cell * 8 + 5)] = 2.0F;
                check(work, tensors, static_cast<int>(cell));
            }
        }
    }

    void Values_noneAboveZero_withReluAreZeroAndGetNoGradient_data()
    {
        test::addInstructionSetsAndElements();
    }
    void Values_noneAboveZero_withReluAreZeroAndGetNoGradient()
    {
        QFETCH(qint64, target);
        QFETCH(Element, element);
        const test::InstructionSet set(target);
        PoolWork work = workOn({4, 4}, 17, 17, {2, 2}, {2, 2});
        work.src.element = element;
        work.dstHeight = 2;
        work.dstWidth = 2;
        work.isRelu = true;
        const PoolTensors tensors{
            std::vector<float>(16 * 17, -0.0F), std::vector<float>(4 * 17, 1.0F)};
        const auto results = computed(work, tensors);
        QVERIFY(results.has_value());
        for (const float value : results->dst) {
            QVERIFY(value == 0.0F && !std::signbit(value));
        }
        QCOMPARE(std::ranges::count(results->diffSrc, 0.0F), 16 * 17);
    }

    void Infinity_andNoGradientNumber_goThrough_data() { test::addInstructionSetsAndElements(); }
    void Infinity_andNoGradientNumber_goThrough()
    {
        QFETCH(qint64, target);
        QFETCH(Element, element);
        const test::InstructionSet set(target);
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        for (const bool isRelu : {false, true}) {
            PoolWork work = workOn({2, 4}, 16, 16, {2, 2}, {2, 2});
            work.src.element = element;
            work.dstHeight = 1;
            work.dstWidth = 2;
            work.isRelu = isRelu;
            PoolTensors tensors{
                std::vector<float>(8 * 16, -kInfinity), std::vector<float>(2 * 16, 1.0F)};
            tensors.src[16 * 4 + 3] = kInfinity;
            tensors.src[16 * 7 + 4] = 5.0F;
            tensors.diffDst[3] = std::numeric_limits<float>::quiet_NaN();
            tensors.diffDst[16 + 4] = -kInfinity;
            check(work, tensors, isRelu ? 1 : 0);
        }
    }

private:
    static void checkRandomCases(int count, bool isLarge, bool withNan)
    {
        QFETCH(qint64, target);
        QFETCH(Element, element);
        const test::InstructionSet set(target);
        Random random(77);
        for (int number = 0; number < count; ++number) {
            const PoolWork work = randomWork(element, isLarge, random);
            check(work, randomTensors(work, withNan, random), number);
        }
    }

    static void check(const PoolWork& work, const PoolTensors& tensors, int number)
    {
        const auto results = computed(work, tensors);
        QVERIFY2(results.has_value(), text(work, number));
        const PoolResults wanted = test::poolReference(work, tensors);
        QVERIFY2(
            std::ranges::equal(results->dst, wanted.dst, test::isSame),
            text(work, number) + ": forward");
        QVERIFY2(
            std::ranges::equal(results->diffSrc, wanted.diffSrc, test::isSame),
            text(work, number) + ": backward");
    }
};

LOCKSTEP_TEST(TestMaxPoolKernel)
#include "test_max_pool_kernel.moc"
