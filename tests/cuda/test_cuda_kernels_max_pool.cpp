// SPDX-License-Identifier: Apache-2.0
// Max pooling against plain loops in float64, forward and backward.
#include "base/error.h"
#include "cuda/end_arrays.h"
#include "cuda/pool_case.h"
#include "device/cuda/pooling/max_pool_kernel.h"

#include <limits>

using namespace lockstep;
using namespace lockstep::cuda;
using namespace lockstep::test;

namespace {

using Case = PoolCase<MaxPool>;
using Result = LayerValues<float>;
using Expected = LayerValues<double>;

Case randomCase(Random& random)
{
    Case one = randomPoolCase<MaxPool>(random, 5);
    if (random.integer(0, 1) == 1) {
        one.gap = 16 - one.src.channels % 8; // whole vectors in both types
    }
    return one;
}

template<class T>
Result run(
    const Case& one, const std::vector<float>& src, const std::vector<float>& diffDst,
    const GradientEnd& end = {})
{
    const TestStream stream;
    const PoolShape shape = one.shape(sizeof(T) == 2 ? DataType::Bfloat16 : DataType::Float32);
    const DeviceArray<T> srcArray(stored<T>(src));
    const auto channels = static_cast<std::size_t>(one.src.channels);
    const auto stride = static_cast<std::size_t>(one.src.channels + one.gap);
    const Gaps gaps{channels, stride, 3.0F};
    const Gaps spoilt{channels, stride, std::numeric_limits<float>::quiet_NaN()};
    const DeviceArray<T> dst(stored<T>(gaps.spread(std::vector<float>(diffDst.size()))));
    const DeviceArray<T> diffDstArray(stored<T>(spoilt.spread(diffDst)));
    const DeviceArray<T> diffSrc(src.size());
    const DeviceArray<std::uint8_t> places(maxPoolPlaceBytes(shape));
    const std::int64_t dstStride = one.src.channels + one.gap;
    maxPoolForward(
        stream.get(), shape, dstStride, srcArray.bytes(), dst.bytes(),
        {places.data(), end.hasRelu});
    maxPoolBackward(
        stream.get(), shape, dstStride, diffDstArray.bytes(), places.data(), diffSrc.bytes(), end);
    stream.synchronize();
    return {gaps.gathered(floatsOf<T>(dst.span())), floatsOf<T>(diffSrc.span())};
}

/// By its meaning: scatters where the kernel gathers.
Expected expected(const Case& one, const std::vector<float>& src, const std::vector<float>& diffDst)
{
    Expected result{std::vector<double>(diffDst.size()), std::vector<double>(src.size())};
    for (std::size_t to = 0; to < diffDst.size(); ++to) {
        std::size_t best = src.size();
        for (const std::size_t i : one.cellsOf(to)) {
            const bool isLarger =
                best == src.size()
                || (!std::isnan(src[best]) && (std::isnan(src[i]) || src[i] > src[best]));
            best = isLarger ? i : best;
        }
        result.dst[to] = double{src[best]};
        result.diffSrc[best] += double{diffDst[to]};
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
            const Case one = poolCase<MaxPool>(1, src, {{3, 3}, {2, 2}, Padding::Same});
            compare<float>(one, 1, -1.0);
            compare<Bfloat16>(one, 1, -1.0);
        }
    }

    /// Several blocks in y, whose parts are joined.
    void LargeTensors_equalPlainLoops()
    {
        const Case one = poolCase<MaxPool>(2, {40, 31, 8}, {{3, 3}, {2, 2}, Padding::Same});
        compare<float>(one, 1, -1.0);
        compare<Bfloat16>(one, 1, 0.0);
    }

    void LargestWindow_ofFifteen_keepsItsPlaces()
    {
        const Case one = poolCase<MaxPool>(1, {30, 31, 4}, {{15, 15}, {4, 7}, Padding::Same});
        compare<float>(one, 5, -1.0);
        const Case larger = poolCase<MaxPool>(1, {30, 31, 4}, {{16, 15}, {4, 7}, Padding::Same});
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
        const Case one = poolCase<MaxPool>(1, {6, 6, 8}, {{3, 3}, {2, 2}, Padding::Same});
        Random random(12);
        auto src = one.values(one.src, random);
        src[(2 * 6 + 3) * 8 + 5] = std::nanf("");
        src[(2 * 6 + 4) * 8 + 5] = std::nanf("");
        src[(5 * 6 + 5) * 8 + 0] = -std::numeric_limits<float>::infinity();
        const auto diffDst = one.values(one.dst, random);
        check<float>(one, src, diffDst);
        check<Bfloat16>(one, rounded<Bfloat16>(src), rounded<Bfloat16>(diffDst));
        QCOMPARE(
            std::ranges::count_if(
                run<float>(one, src, diffDst).dst, [](float x) { return std::isnan(x); }),
            4);
    }

    void Forward_withoutPlaces_isTheSame()
    {
        const Case one = poolCase<MaxPool>(2, {7, 5, 8}, {{3, 2}, {2, 2}, Padding::Same});
        const TestStream stream;
        Random random(13);
        const DeviceArray<float> src(one.values(one.src, random));
        const auto values = static_cast<std::size_t>(2 * one.dst.elements());
        const DeviceArray<float> with(values);
        const DeviceArray<float> without(values);
        const DeviceArray<std::uint8_t> places(values);
        const PoolShape shape = one.shape(DataType::Float32);
        maxPoolForward(stream.get(), shape, 8, src.bytes(), with.bytes(), {places.data()});
        maxPoolForward(stream.get(), shape, 8, src.bytes(), without.bytes(), {});
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
        auto src = one.values(one.src, random);
        for (float& value : src) {
            value = low == 0.0 ? std::max(0.0F, value) : value;
        }
        const auto diffDst = one.values(one.dst, random);
        check<T>(one, rounded<T>(src), rounded<T>(diffDst));
    }

    template<class T>
    static void check(
        const Case& one, const std::vector<float>& src, const std::vector<float>& diffDst)
    {
        const Result got = run<T>(one, src, diffDst);
        const Expected wanted = expected(one, src, diffDst);
        QCOMPARE(firstDifference(got.dst, wanted.dst, 0.0, 0.0), -1);
        QCOMPARE(firstDifference(got.diffSrc, wanted.diffSrc, kRelative<T>, 1e-6), -1);
        // The same behind a ReLU, with the sums for a bias.
        const auto type = sizeof(T) == 2 ? DataType::Bfloat16 : DataType::Float32;
        const std::int64_t cells = one.examples * one.src.height * one.src.width;
        const EndArrays arrays(
            static_cast<std::size_t>(one.src.channels),
            biasBackwardScratchBytes({nullptr, type, cells, one.src.channels}));
        const auto diffSrc = masked(wanted.diffSrc, src);
        for (const bool isLastBlock : {false, true}) {
            const Result ended = run<T>(one, src, diffDst, arrays.end(true, isLastBlock));
            QVERIFY(biasError(arrays.diffBias(), diffSrc) < 1e-6);
            QCOMPARE(firstDifference(ended.dst, wanted.dst, 0.0, 0.0), -1);
            QCOMPARE(firstDifference(ended.diffSrc, diffSrc, kRelative<T>, 1e-6), -1);
        }
    }
};

LOCKSTEP_TEST(TestCudaKernelsMaxPool)
#include "test_cuda_kernels_max_pool.moc"
