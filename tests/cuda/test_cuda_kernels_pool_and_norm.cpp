// SPDX-License-Identifier: Apache-2.0
// Max pooling and normalisation in one kernel: the bits of the two kernels one after the other,
// which have tests against the definition of their own.
#include "cuda/end_arrays.h"
#include "cuda/pool_case.h"
#include "device/cuda/pooling/lrn_kernel.h"
#include "device/cuda/pooling/pool_and_norm_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

using namespace lockstep;
using namespace lockstep::cuda;
using namespace lockstep::test;

namespace {

struct Case
{
    PoolCase<MaxPool> pool;
    Lrn lrn;
    bool isPoolFirst = false;

    [[nodiscard]] PoolAndNorm pair() const { return {pool.pool, lrn, isPoolFirst}; }
    [[nodiscard]] const Shape& inner() const { return isPoolFirst ? pool.dst : pool.src; }
    [[nodiscard]] std::size_t values(const Shape& shape) const
    {
        return static_cast<std::size_t>(pool.examples * shape.elements());
    }
    [[nodiscard]] QByteArray text() const
    {
        return QString("%1 x %2 x %3 x %4, %5 first, radius %6")
            .arg(pool.examples)
            .arg(pool.src.height)
            .arg(pool.src.width)
            .arg(pool.src.channels)
            .arg(isPoolFirst ? "pool" : "norm")
            .arg(lrn.depthRadius)
            .toUtf8();
    }
};

template<class T>
constexpr DataType kType = sizeof(T) == 2 ? DataType::Bfloat16 : DataType::Float32;

/// What a way leaves.
struct Result
{
    std::vector<float> dst;
    std::vector<float> inner;
    std::vector<std::uint8_t> places;
    std::vector<float> diffSrc;
    std::vector<float> diffBias;
    std::int64_t launches = 0;
};

/// What the two ways have in common.
template<class T>
struct Arrays
{
    Arrays(const Case& one, const std::vector<float>& from, const std::vector<float>& diff)
        : src(stored<T>(from)), diffDst(stored<T>(diff)), inner(one.values(one.inner())),
          dst(diff.size()), places(one.values(one.pool.dst)), diffSrc(from.size()),
          end(static_cast<std::size_t>(one.pool.src.channels),
              std::max(
                  poolAndNormScratchBytes(one.pool.shape(kType<T>)),
                  biasBackwardScratchBytes(
                      {nullptr, kType<T>,
                       static_cast<std::int64_t>(from.size()) / one.pool.src.channels,
                       one.pool.src.channels})))
    {
    }

    [[nodiscard]] Result result() const
    {
        stream.synchronize();
        return {
            floatsOf<T>(dst.span()), floatsOf<T>(inner.span()), places.values(),
            floatsOf<T>(diffSrc.span()), end.diffBias()};
    }

    TestStream stream;
    DeviceArray<T> src;
    DeviceArray<T> diffDst;
    DeviceArray<T> inner;
    DeviceArray<T> dst;
    DeviceArray<std::uint8_t> places;
    DeviceArray<T> diffSrc;
    EndArrays end;
};

template<class T>
Result apart(const Case& one, const std::vector<float>& src, const std::vector<float>& diffDst)
{
    const Arrays<T> arrays(one, src, diffDst);
    const DeviceArray<T> diffInner(one.values(one.inner()));
    cudaStream_t stream = arrays.stream.get();
    const PoolShape pool = one.pool.shape(kType<T>);
    const LrnShape norm{
        pool.type, static_cast<std::int64_t>(one.values(one.inner())) / pool.channels,
        pool.channels};
    const GradientEnd end = arrays.end.end(true, false);
    if (one.isPoolFirst) {
        maxPoolForward(
            stream, pool, pool.channels, arrays.src.bytes(), arrays.inner.bytes(),
            {arrays.places.data(), true});
        lrnForward(stream, one.lrn, norm, arrays.inner.bytes(), arrays.dst.bytes());
        lrnBackward(
            stream, one.lrn, norm,
            {arrays.inner.bytes(), arrays.diffDst.bytes(), diffInner.bytes()}, {});
        maxPoolBackward(
            stream, pool, pool.channels, diffInner.bytes(), arrays.places.data(),
            arrays.diffSrc.bytes(), end);
    } else {
        lrnForward(stream, one.lrn, norm, arrays.src.bytes(), arrays.inner.bytes());
        maxPoolForward(
            stream, pool, pool.channels, arrays.inner.bytes(), arrays.dst.bytes(),
            {arrays.places.data()});
        maxPoolBackward(
            stream, pool, pool.channels, arrays.diffDst.bytes(), arrays.places.data(),
            diffInner.bytes(), {});
        lrnBackward(
            stream, one.lrn, norm, {arrays.src.bytes(), diffInner.bytes(), arrays.diffSrc.bytes()},
            end);
    }
    return arrays.result();
}

template<class T>
Result fused(
    const Case& one, const std::vector<float>& src, const std::vector<float>& diffDst, bool hasBias,
    bool isJoinedByLastBlock)
{
    const Arrays<T> arrays(one, src, diffDst);
    const PoolShape shape = one.pool.shape(kType<T>);
    const std::int64_t before = emulation::counters().kernelLaunches;
    poolAndNormForward(
        arrays.stream.get(), one.pair(), shape,
        {arrays.src.bytes(),
         arrays.inner.bytes(),
         arrays.dst.bytes(),
         {arrays.places.data(), one.isPoolFirst}});
    const std::byte* const normSrc = one.isPoolFirst ? arrays.inner.bytes() : arrays.src.bytes();
    poolAndNormBackward(
        arrays.stream.get(), one.pair(), shape,
        {normSrc, arrays.diffDst.bytes(), arrays.places.data(), arrays.diffSrc.bytes()},
        hasBias ? arrays.end.end(true, isJoinedByLastBlock) : GradientEnd{true});
    Result result = arrays.result();
    result.launches = emulation::counters().kernelLaunches - before;
    return result;
}

/// A NaN is equal to a NaN.
bool areSame(const std::vector<float>& a, const std::vector<float>& b)
{
    return std::ranges::equal(
        a, b, [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

} // namespace

class TestCudaKernelsPoolAndNorm : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }

    void RandomShapes_haveTheBitsOfTwoKernels()
    {
        Random random(30);
        int compared = 0;
        for (int number = 0; number < 40; ++number) {
            Case one{randomPoolCase<MaxPool>(random, 4), {}, random.integer(0, 1) == 1};
            one.lrn = {random.integer(1, 8), 1.0, 0.1, random.oneOf<double>({0.75, 0.5})};
            compared += compare<float>(one, random) ? 1 : 0;
            compared += compare<Bfloat16>(one, random) ? 1 : 0;
        }
        QVERIFY2(compared > 10, "hardly one of them has such a kernel");
    }

    /// Those of cifar10, in one band of rows an example and in several; windows that leave cells
    /// out; more bands than blocks.
    void Shapes_thatMatter_haveTheBitsOfTwoKernels()
    {
        const MaxPool usual{{3, 3}, {2, 2}, Padding::Same};
        const Lrn lrn{4, 1.0, 0.001 / 9.0, 0.75};
        Random random(31);
        for (const bool isPoolFirst : {true, false}) {
            for (const auto& [examples, src, pool] :
                 std::vector<std::tuple<std::int64_t, Shape, MaxPool>>{
                     {1, {24, 24, 64}, usual},
                     {2, {12, 12, 64}, usual},
                     {600, {8, 5, 8}, usual},
                     {90, {13, 4, 8}, {{2, 3}, {1, 1}, Padding::Same}},
                     {2, {9, 9, 16}, {{2, 2}, {3, 4}, Padding::Valid}}}) {
                const Case one{poolCase<MaxPool>(examples, src, pool), lrn, isPoolFirst};
                QVERIFY(compare<float>(one, random));
                QVERIFY(compare<Bfloat16>(one, random));
            }
        }
    }

    void NotANumber_goesTheSameWay()
    {
        const Case one{
            poolCase<MaxPool>(1, {6, 6, 16}, {{3, 3}, {2, 2}, Padding::Same}),
            {4, 1.0, 0.1, 0.75},
            true};
        Case other = one;
        other.isPoolFirst = false;
        Random random(32);
        for (const Case& each : {one, other}) {
            QVERIFY(compare<float>(each, random, std::numeric_limits<float>::quiet_NaN()));
            QVERIFY(compare<Bfloat16>(each, random, std::numeric_limits<float>::infinity()));
        }
    }

    void Others_areTwoKernels()
    {
        const PoolAndNorm usual{{{3, 3}, {2, 2}, Padding::Same}, {4, 1.0, 1.0, 0.75}, true};
        QVERIFY(isOneKernel(usual, {12, 12, 64}, DataType::Float32));
        QVERIFY(!isOneKernel(usual, {12, 12, 66}, DataType::Float32));  // parts of vectors
        QVERIFY(!isOneKernel(usual, {12, 12, 192}, DataType::Float32)); // more than a warp
        QVERIFY(isOneKernel(usual, {12, 12, 192}, DataType::Bfloat16));
        QVERIFY(!isOneKernel(usual, {12, 100, 64}, DataType::Float32)); // two rows are too long
        PoolAndNorm wide = usual;
        wide.lrn.depthRadius = 5;
        QVERIFY(!isOneKernel(wide, {12, 12, 64}, DataType::Float32));
        QVERIFY(isOneKernel(wide, {12, 12, 64}, DataType::Bfloat16));
        wide = usual;
        wide.pool.window = {16, 2};
        QVERIFY(!isOneKernel(wide, {12, 2, 8}, DataType::Float32));
    }

private:
    /// False: there is no such kernel.
    template<class T>
    static bool compare(const Case& one, Random& random, float spoilt = 0.5F)
    {
        if (!isOneKernel(one.pair(), one.inner(), kType<T>)) {
            return false;
        }
        auto src = rounded<T>(one.pool.values(one.pool.src, random));
        for (float& value : src) { // as a ReLU leaves them
            value = std::max(value, 0.0F);
        }
        src[src.size() / 2] = spoilt;
        const auto diffDst = rounded<T>(one.pool.values(one.pool.dst, random));
        const Result wanted = apart<T>(one, src, diffDst);
        for (const auto& [withBias, withLastBlock] :
             {std::pair{true, false}, std::pair{true, true}, std::pair{false, false}}) {
            const bool hasBias = withBias; // Clang 14's lambdas don't take bindings
            const bool isLastBlock = withLastBlock;
            const Result got = fused<T>(one, src, diffDst, hasBias, isLastBlock);
            [&] {
                QVERIFY2(!one.isPoolFirst || areSame(got.inner, wanted.inner), one.text());
                QVERIFY2(areSame(got.dst, wanted.dst), one.text());
                QVERIFY2(got.places == wanted.places, one.text());
                QVERIFY2(areSame(got.diffSrc, wanted.diffSrc), one.text());
                QVERIFY2((hasBias && !isLastBlock) || got.launches == 2, one.text());
                // In another order, and before cells in several windows are rounded.
                if (hasBias && spoilt == 0.5F) {
                    const double error = biasError(got.diffBias, wanted.diffSrc);
                    QVERIFY2(error < 2 * kRelative<T>, one.text());
                }
            }();
        }
        return true;
    }
};

LOCKSTEP_TEST(TestCudaKernelsPoolAndNorm)
#include "test_cuda_kernels_pool_and_norm.moc"
