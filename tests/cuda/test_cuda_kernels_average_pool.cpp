// SPDX-License-Identifier: Apache-2.0
// Average pooling against plain loops in float64, forward and backward.
#include "cuda/pool_case.h"
#include "device/cuda/pooling/average_pool_kernel.h"

using namespace lockstep;
using namespace lockstep::cuda;
using namespace lockstep::test;

namespace {

using Case = PoolCase<AveragePool>;
using Result = LayerValues<float>;
using Expected = LayerValues<double>;

template<class T>
Result run(const Case& one, const std::vector<float>& src, const std::vector<float>& diffDst)
{
    const TestStream stream;
    const PoolShape shape = one.shape(sizeof(T) == 2 ? DataType::Bfloat16 : DataType::Float32);
    const DeviceArray<T> srcArray(stored<T>(src));
    const DeviceArray<T> dst(diffDst.size());
    const DeviceArray<T> diffDstArray(stored<T>(diffDst));
    const DeviceArray<T> diffSrc(src.size());
    averagePoolForward(stream.get(), shape, srcArray.bytes(), dst.bytes());
    averagePoolBackward(stream.get(), shape, diffDstArray.bytes(), diffSrc.bytes());
    stream.synchronize();
    return {floatsOf<T>(dst.span()), floatsOf<T>(diffSrc.span())};
}

/// By its meaning: scatters where the kernel gathers.
Expected expected(const Case& one, const std::vector<float>& src, const std::vector<float>& diffDst)
{
    Expected result{std::vector<double>(diffDst.size()), std::vector<double>(src.size())};
    for (std::size_t to = 0; to < diffDst.size(); ++to) {
        const auto from = one.cellsOf(to);
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
            const Case one = poolCase<AveragePool>(2, {8, 8, 48}, pool);
            compare<float>(one, 1);
            compare<Bfloat16>(one, 1);
        }
    }

    void NotANumber_reachesEveryWindowOverIt()
    {
        const Case one = poolCase<AveragePool>(1, {6, 6, 8}, {{3, 3}, {1, 1}, Padding::Same});
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
            compare<T>(randomPoolCase<AveragePool>(random, 6), number);
        }
    }

    template<class T>
    static void compare(const Case& one, std::int64_t seed)
    {
        Random random(static_cast<std::uint64_t>(seed));
        const auto src = rounded<T>(one.values(one.src, random));
        const auto diffDst = rounded<T>(one.values(one.dst, random));
        const Result got = run<T>(one, src, diffDst);
        const Expected wanted = expected(one, src, diffDst);
        QCOMPARE(firstDifference(got.dst, wanted.dst, kRelative<T>, 1e-6), -1);
        QCOMPARE(firstDifference(got.diffSrc, wanted.diffSrc, kRelative<T>, 1e-6), -1);
    }
};

LOCKSTEP_TEST(TestCudaKernelsAveragePool)
#include "test_cuda_kernels_average_pool.moc"
