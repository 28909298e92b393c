// SPDX-License-Identifier: Apache-2.0
// Max pooling against plain loops in float64, forward and backward.
#include "base/error.h"
#include "cuda/device_array.h"
#include "cuda/emulated_runtime.h"
#include "cuda/stored_values.h"
#include "device/cuda/kernels/max_pool_kernel.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"

#include <QtTest>

#include <limits>

using namespace lockstep;
using namespace lockstep::cuda;
using test::DeviceArray;
using test::Random;
using test::TestStream;

namespace {

struct Case
{
    std::int64_t examples = 1;
    Shape src;
    MaxPool pool;
    Shape dst;
    std::int64_t gap = 0; ///< behind the channels of a position of dst
};

Case caseOf(std::int64_t examples, const Shape& src, const MaxPool& pool)
{
    return {examples, src, pool, test::chain(src, {pool}).layers[1].shape};
}

Case randomCase(Random& random)
{
    const Shape src{
        random.integer(1, 17), random.integer(1, 17),
        random.oneOf<std::int64_t>({1, 3, 4, 5, 8, 12, 16, 24, 64})};
    const Extent window{random.integer(1, 5), random.integer(1, 5)};
    const bool fits = window.height <= src.height && window.width <= src.width;
    const Padding padding = fits && random.integer(0, 1) == 1 ? Padding::Valid : Padding::Same;
    Case one = caseOf(
        random.integer(1, 3), src, {window, {random.integer(1, 4), random.integer(1, 4)}, padding});
    if (random.integer(0, 1) == 1) {
        one.gap = 16 - src.channels % 8; // whole vectors in both types
    }
    return one;
}

PoolShape poolShape(const Case& one, DataType type)
{
    const auto vertical = paddingCells(
        one.pool.padding, one.src.height, one.pool.window.height, one.pool.stride.height);
    const auto horizontal =
        paddingCells(one.pool.padding, one.src.width, one.pool.window.width, one.pool.stride.width);
    const auto whole = [](std::int64_t value) { return static_cast<int>(value); };
    return {
        type,
        whole(one.examples),
        whole(one.src.channels),
        whole(one.src.height),
        whole(one.src.width),
        whole(one.dst.height),
        whole(one.dst.width),
        whole(one.pool.window.height),
        whole(one.pool.window.width),
        whole(one.pool.stride.height),
        whole(one.pool.stride.width),
        whole(vertical.before),
        whole(horizontal.before)};
}

struct Result
{
    std::vector<float> dst;
    std::vector<float> diffSrc;
};

template<class T>
Result run(const Case& one, const std::vector<float>& src, const std::vector<float>& diffDst)
{
    const TestStream stream;
    const PoolShape shape = poolShape(one, sizeof(T) == 2 ? DataType::Bfloat16 : DataType::Float32);
    const DeviceArray<T> srcArray(test::stored<T>(src));
    const auto channels = static_cast<std::size_t>(one.src.channels);
    const auto stride = static_cast<std::size_t>(one.src.channels + one.gap);
    const test::Gaps gaps{channels, stride, 3.0F};
    const test::Gaps spoilt{channels, stride, std::numeric_limits<float>::quiet_NaN()};
    const DeviceArray<T> dst(test::stored<T>(gaps.spread(std::vector<float>(diffDst.size()))));
    const DeviceArray<T> diffDstArray(test::stored<T>(spoilt.spread(diffDst)));
    const DeviceArray<T> diffSrc(src.size());
    const DeviceArray<std::uint8_t> places(maxPoolPlaceBytes(shape));
    const std::int64_t dstStride = one.src.channels + one.gap;
    maxPoolForward(stream.get(), shape, dstStride, srcArray.bytes(), dst.bytes(), places.data());
    maxPoolBackward(
        stream.get(), shape, dstStride, diffDstArray.bytes(), places.data(), diffSrc.bytes());
    stream.synchronize();
    return {gaps.gathered(test::floatsOf<T>(dst.span())), test::floatsOf<T>(diffSrc.span())};
}

struct Expected
{
    std::vector<double> dst;
    std::vector<double> diffSrc;
};

/// By its meaning: scatters where the kernel gathers.
Expected expected(const Case& one, const std::vector<float>& src, const std::vector<float>& diffDst)
{
    Expected result{std::vector<double>(diffDst.size()), std::vector<double>(src.size())};
    const PoolShape s = poolShape(one, DataType::Float32);
    const auto index = [](int n, int y, int x, int c, int height, int width, int channels) {
        const std::int64_t cell = (std::int64_t{n} * height + y) * width + x;
        return static_cast<std::size_t>(cell * channels + c);
    };
    for (int n = 0; n < s.examples; ++n) {
        for (int row = 0; row < s.dstHeight; ++row) {
            for (int column = 0; column < s.dstWidth; ++column) {
                for (int c = 0; c < s.channels; ++c) {
                    std::size_t best = src.size();
                    for (int y = row * s.strideHeight - s.top;
                         y < row * s.strideHeight - s.top + s.windowHeight; ++y) {
                        for (int x = column * s.strideWidth - s.left;
                             x < column * s.strideWidth - s.left + s.windowWidth; ++x) {
                            if (y < 0 || y >= s.srcHeight || x < 0 || x >= s.srcWidth) {
                                continue;
                            }
                            const auto i = index(n, y, x, c, s.srcHeight, s.srcWidth, s.channels);
                            const bool isLarger =
                                best == src.size()
                                || (!std::isnan(src[best])
                                    && (std::isnan(src[i]) || src[i] > src[best]));
                            best = isLarger ? i : best;
                        }
                    }
                    const auto to = index(n, row, column, c, s.dstHeight, s.dstWidth, s.channels);
                    result.dst[to] = double{src[best]};
                    result.diffSrc[best] += double{diffDst[to]};
                }
            }
        }
    }
    return result;
}

} // namespace

class TestCudaKernelsMaxPool : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }

    void RandomShapes_float32_equalPlainLoops() { randomShapes<float>(); }
    void RandomShapes_bfloat16_equalPlainLoops() { randomShapes<Bfloat16>(); }

    void Cifar10s_pools_equalPlainLoops()
    {
        for (const Shape& src : {Shape{24, 24, 64}, Shape{12, 12, 64}}) {
            const Case one = caseOf(1, src, {{3, 3}, {2, 2}, Padding::Same});
            compare<float>(one, 1, -1.0);
            compare<Bfloat16>(one, 1, -1.0);
        }
    }

    void LargestWindow_ofFifteen_keepsItsPlaces()
    {
        const Case one = caseOf(1, {30, 31, 4}, {{15, 15}, {4, 7}, Padding::Same});
        compare<float>(one, 5, -1.0);
        const Case larger = caseOf(1, {30, 31, 4}, {{16, 15}, {4, 7}, Padding::Same});
        QVERIFY_THROWS_EXCEPTION(Error, compare<float>(larger, 5, -1.0));
    }

    /// Behind a ReLU most windows hold several zeros.
    void Ties_takeTheFirstCell()
    {
        Random random(11);
        for (int number = 0; number < 20; ++number) {
            compare<float>(randomCase(random), random.integer(1, 1000), 0.0);
        }
    }

    void NotANumber_goesThroughItsWindows_only()
    {
        const Case one = caseOf(1, {6, 6, 8}, {{3, 3}, {2, 2}, Padding::Same});
        Random random(12);
        const auto count = static_cast<std::size_t>(one.src.elements());
        auto src = random.floats(count, -1.0, 1.0);
        src[(2 * 6 + 3) * 8 + 5] = std::nanf("");
        src[(2 * 6 + 4) * 8 + 5] = std::nanf("");
        src[(5 * 6 + 5) * 8 + 0] = -std::numeric_limits<float>::infinity();
        const auto diffDst = random.floats(static_cast<std::size_t>(one.dst.elements()), -1.0, 1.0);
        check<float>(one, src, diffDst);
        check<Bfloat16>(one, test::rounded<Bfloat16>(src), test::rounded<Bfloat16>(diffDst));
        QCOMPARE(
            std::ranges::count_if(
                run<float>(one, src, diffDst).dst, [](float x) { return std::isnan(x); }),
            4);
    }

    void Forward_withoutPlaces_isTheSame()
    {
        const Case one = caseOf(2, {7, 5, 8}, {{3, 2}, {2, 2}, Padding::Same});
        const TestStream stream;
        Random random(13);
        const DeviceArray<float> src(
            random.floats(static_cast<std::size_t>(2 * one.src.elements()), -1.0, 1.0));
        const auto values = static_cast<std::size_t>(2 * one.dst.elements());
        const DeviceArray<float> with(values);
        const DeviceArray<float> without(values);
        const DeviceArray<std::uint8_t> places(values);
        const PoolShape shape = poolShape(one, DataType::Float32);
        maxPoolForward(stream.get(), shape, 8, src.bytes(), with.bytes(), places.data());
        maxPoolForward(stream.get(), shape, 8, src.bytes(), without.bytes(), nullptr);
        stream.synchronize();
        QVERIFY(with.values() == without.values());
    }

private:
    template<class T>
    static void randomShapes()
    {
        Random random(10);
        for (int number = 0; number < 60; ++number) {
            compare<T>(randomCase(random), number, -1.0);
        }
    }

    /// With values from `low` on; below zero they become zeros where `low` is 0.
    template<class T>
    static void compare(const Case& one, std::int64_t seed, double low)
    {
        Random random(static_cast<std::uint64_t>(seed));
        auto src =
            random.floats(static_cast<std::size_t>(one.examples * one.src.elements()), -1.0, 1.0);
        for (float& value : src) {
            value = low == 0.0 ? std::max(0.0F, value) : value;
        }
        const auto diffDst =
            random.floats(static_cast<std::size_t>(one.examples * one.dst.elements()), -1.0, 1.0);
        check<T>(one, test::rounded<T>(src), test::rounded<T>(diffDst));
    }

    template<class T>
    static void check(
        const Case& one, const std::vector<float>& src, const std::vector<float>& diffDst)
    {
        const Result got = run<T>(one, src, diffDst);
        const Expected wanted = expected(one, src, diffDst);
        QCOMPARE(test::firstDifference(got.dst, wanted.dst, 0.0, 0.0), -1);
        QCOMPARE(test::firstDifference(got.diffSrc, wanted.diffSrc, test::kRelative<T>, 1e-6), -1);
    }
};

LOCKSTEP_TEST(TestCudaKernelsMaxPool)
#include "test_cuda_kernels_max_pool.moc"
