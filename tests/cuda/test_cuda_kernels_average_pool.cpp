// SPDX-License-Identifier: Apache-2.0
// Average pooling against plain loops in float64, forward and backward.
#include "cuda/device_array.h"
#include "cuda/emulated_runtime.h"
#include "cuda/stored_values.h"
#include "device/cuda/kernels/average_pool_kernel.h"
#include "network/network_spec.h"
#include "support/random_network.h"

#include <QtTest>

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
    AveragePool pool;
    Shape dst;

    [[nodiscard]] PoolShape shape(DataType type) const
    {
        OpPlan plan;
        plan.examples = examples;
        plan.srcs = {tensorPlan(examples, src, type)};
        plan.dstShape = dst;
        return poolShape(pool.window, pool.stride, pool.padding, plan);
    }
};

Case caseOf(std::int64_t examples, const Shape& src, const AveragePool& pool)
{
    return {examples, src, pool, test::chain(src, {pool}).layers[1].shape};
}

Case randomCase(Random& random)
{
    const Shape src{
        random.integer(1, 17), random.integer(1, 17),
        random.oneOf<std::int64_t>({1, 3, 4, 5, 8, 12, 16, 24, 64})};
    const Extent window{random.integer(1, 6), random.integer(1, 6)};
    const bool fits = window.height <= src.height && window.width <= src.width;
    const Padding padding = fits && random.integer(0, 1) == 1 ? Padding::Valid : Padding::Same;
    return caseOf(
        random.integer(1, 3), src, {window, {random.integer(1, 4), random.integer(1, 4)}, padding});
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
    const PoolShape shape = one.shape(sizeof(T) == 2 ? DataType::Bfloat16 : DataType::Float32);
    const DeviceArray<T> srcArray(test::stored<T>(src));
    const DeviceArray<T> dst(diffDst.size());
    const DeviceArray<T> diffDstArray(test::stored<T>(diffDst));
    const DeviceArray<T> diffSrc(src.size());
    averagePoolForward(stream.get(), shape, srcArray.bytes(), dst.bytes());
    averagePoolBackward(stream.get(), shape, diffDstArray.bytes(), diffSrc.bytes());
    stream.synchronize();
    return {test::floatsOf<T>(dst.span()), test::floatsOf<T>(diffSrc.span())};
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
    const auto& [window, stride, padding] = one.pool;
    const auto top = paddingCells(padding, one.src.height, window.height, stride.height).before;
    const auto left = paddingCells(padding, one.src.width, window.width, stride.width).before;
    const auto channels = static_cast<std::size_t>(one.src.channels);
    for (std::size_t to = 0; to < diffDst.size(); ++to) {
        const auto cell = static_cast<std::int64_t>(to / channels);
        const std::int64_t column = cell % one.dst.width;
        const std::int64_t row = cell / one.dst.width % one.dst.height;
        const std::int64_t example = cell / one.dst.width / one.dst.height;
        std::vector<std::size_t> from;
        for (std::int64_t i = 0; i < window.height * window.width; ++i) {
            const std::int64_t y = row * stride.height - top + i / window.width;
            const std::int64_t x = column * stride.width - left + i % window.width;
            if (y >= 0 && y < one.src.height && x >= 0 && x < one.src.width) {
                const std::int64_t place = (example * one.src.height + y) * one.src.width + x;
                from.push_back(static_cast<std::size_t>(place) * channels + to % channels);
            }
        }
        for (const std::size_t i : from) {
            result.dst[to] += double{src[i]} / static_cast<double>(from.size());
            result.diffSrc[i] += double{diffDst[to]} / static_cast<double>(from.size());
        }
    }
    return result;
}

} // namespace

class TestCudaKernelsAveragePool : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }
    void cleanup() { QCOMPARE(emulation::lastFault(), std::string()); }

    void RandomShapes_float32_equalPlainLoops() { randomShapes<float>(); }
    void RandomShapes_bfloat16_equalPlainLoops() { randomShapes<Bfloat16>(); }

    void AllCells_orManyMoreThanMaxPoolingTakes_equalPlainLoops()
    {
        for (const AveragePool& pool :
             {AveragePool{{8, 8}, {1, 1}, Padding::Valid},
              {{5, 5}, {3, 3}, Padding::Valid},
              {{3, 3}, {1, 1}, Padding::Same},
              {{20, 17}, {1, 2}, Padding::Same}}) {
            const Case one = caseOf(2, {8, 8, 48}, pool);
            compare<float>(one, 1);
            compare<Bfloat16>(one, 1);
        }
    }

    void NotANumber_reachesEveryWindowOverIt()
    {
        const Case one = caseOf(1, {6, 6, 8}, {{3, 3}, {1, 1}, Padding::Same});
        std::vector<float> src(static_cast<std::size_t>(one.src.elements()), 1.0F);
        src[(2 * 6 + 3) * 8 + 5] = std::nanf("");
        const Result got = run<float>(one, src, std::vector<float>(src.size(), 1.0F));
        QCOMPARE(std::ranges::count_if(got.dst, [](float x) { return std::isnan(x); }), 9);
    }

private:
    template<class T>
    static void randomShapes()
    {
        Random random(10);
        for (int number = 0; number < 60; ++number) {
            compare<T>(randomCase(random), number);
        }
    }

    template<class T>
    static void compare(const Case& one, std::int64_t seed)
    {
        Random random(static_cast<std::uint64_t>(seed));
        const auto values = [&](const Shape& shape) {
            const auto count = static_cast<std::size_t>(one.examples * shape.elements());
            return test::rounded<T>(random.floats(count, -1.0, 1.0));
        };
        const auto src = values(one.src);
        const auto diffDst = values(one.dst);
        const Result got = run<T>(one, src, diffDst);
        const Expected wanted = expected(one, src, diffDst);
        QCOMPARE(test::firstDifference(got.dst, wanted.dst, test::kRelative<T>, 1e-6), -1);
        QCOMPARE(test::firstDifference(got.diffSrc, wanted.diffSrc, test::kRelative<T>, 1e-6), -1);
    }
};

QTEST_GUILESS_MAIN(TestCudaKernelsAveragePool)
#include "test_cuda_kernels_average_pool.moc"
