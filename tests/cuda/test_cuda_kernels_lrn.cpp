// SPDX-License-Identifier: Apache-2.0
// The response normalisation on both ways through its kernels, against the formula in float64.
#include "cuda/end_arrays.h"
#include "device/cuda/pooling/lrn_kernel.h"

using namespace lockstep;
using namespace lockstep::cuda;
using namespace lockstep::test;

namespace {

struct Case
{
    Lrn lrn;
    std::int64_t positions = 1;
    int channels = 1;
    [[nodiscard]] std::size_t values() const
    {
        return static_cast<std::size_t>(positions * channels);
    }
};

using Result = LayerValues<float>;
using Expected = LayerValues<double>;

template<class T>
LrnShape shapeOf(const Case& one)
{
    return {sizeof(T) == 2 ? DataType::Bfloat16 : DataType::Float32, one.positions, one.channels};
}

template<class T>
Result run(
    const Case& one, const std::vector<float>& src, const std::vector<float>& diffDst,
    const GradientEnd& end = {})
{
    const TestStream stream;
    const LrnShape shape = shapeOf<T>(one);
    const DeviceArray<T> srcArray(stored<T>(src));
    const DeviceArray<T> dst(src.size());
    const DeviceArray<T> diffDstArray(stored<T>(diffDst));
    const DeviceArray<T> diffSrc(src.size());
    lrnForward(stream.get(), one.lrn, shape, srcArray.bytes(), dst.bytes());
    lrnBackward(
        stream.get(), one.lrn, shape, {srcArray.bytes(), diffDstArray.bytes(), diffSrc.bytes()},
        end);
    stream.synchronize();
    return {floatsOf<T>(dst.span()), floatsOf<T>(diffSrc.span())};
}

/// By the chain rule from d(dst_c)/d(src_j), term by term: another way than the kernel's.
Expected expected(const Case& one, const std::vector<float>& src, const std::vector<float>& diffDst)
{
    const Lrn& lrn = one.lrn;
    Expected result{std::vector<double>(src.size()), std::vector<double>(src.size())};
    for (std::size_t first = 0; first < src.size();
         first += static_cast<std::size_t>(one.channels)) {
        const auto x = [&](int c) { return double{src[first + static_cast<std::size_t>(c)]}; };
        for (int c = 0; c < one.channels; ++c) {
            const auto i = first + static_cast<std::size_t>(c);
            const auto forNeighbours = [&](auto body) {
                for (int j = 0; j < one.channels; ++j) {
                    if (std::abs(j - c) <= lrn.depthRadius) {
                        body(j);
                    }
                }
            };
            double sum = 0.0;
            forNeighbours([&](int j) { sum += x(j) * x(j); });
            const double scale = lrn.bias + lrn.alpha * sum;
            result.dst[i] = x(c) * std::pow(scale, -lrn.beta);
            const auto diff = double{diffDst[i]};
            result.diffSrc[i] += diff * std::pow(scale, -lrn.beta);
            forNeighbours([&](int j) {
                result.diffSrc[first + static_cast<std::size_t>(j)] -=
                    2.0 * lrn.alpha * lrn.beta * diff * x(c) * x(j)
                    * std::pow(scale, -lrn.beta - 1.0);
            });
        }
    }
    return result;
}

Case randomCase(Random& random)
{
    return {
        {random.oneOf<std::int64_t>({1, 2, 4, 5, 8, 9, 17}), random.uniform(0.5, 2.0),
         random.uniform(0.01, 1.0), random.oneOf<double>({0.75, 0.5, 1.0, 0.31})},
        random.integer(1, 20),
        static_cast<int>(
            random.oneOf<std::int64_t>({1, 3, 4, 7, 8, 16, 24, 33, 64, 96, 128, 256, 264}))};
}

} // namespace

class TestCudaKernelsLrn : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }

    void RandomShapes_float32_equalTheFormula() { randomShapes<float>(); }
    void RandomShapes_bfloat16_equalTheFormula() { randomShapes<Bfloat16>(); }

    void Cifar10s_constants_equalTheFormula()
    {
        for (const std::int64_t positions : {1, 36, 145, 20000}) {
            const Case one{{4, 1.0, 0.001 / 9.0, 0.75}, positions, 64};
            compare<float>(one, 1);
            compare<Bfloat16>(one, 1);
        }
    }

    /// A warp has room for 32 threads; 12 and 24 of them leave some idle.
    void PositionsThatDontFillAWarp_equalTheFormula()
    {
        for (const int channels : {48, 96, 192}) {
            const Case one{{3, 2.0, 0.1, 0.75}, 37, channels};
            compare<float>(one, 2);
            compare<Bfloat16>(one, 2);
        }
    }

    void NotANumber_spreadsToItsWindow_only()
    {
        for (const int channels : {32, 33}) {
            notANumber<float>(channels);
            notANumber<Bfloat16>(channels);
        }
    }

    void Repeated_givesTheSameBits()
    {
        const Case one{{4, 1.0, 0.1, 0.75}, 9, 64};
        Random random(4);
        const auto src = random.floats(one.values(), -2.0, 2.0);
        const auto diff = random.floats(one.values(), -2.0, 2.0);
        const Result first = run<float>(one, src, diff);
        const Result second = run<float>(one, src, diff);
        QVERIFY(first.dst == second.dst);
        QVERIFY(first.diffSrc == second.diffSrc);
    }

private:
    template<class T>
    static void randomShapes()
    {
        Random random(20);
        for (int number = 0; number < 60; ++number) {
            compare<T>(randomCase(random), static_cast<std::uint64_t>(number));
        }
    }

    template<class T>
    static void compare(const Case& one, std::uint64_t seed)
    {
        Random random(seed);
        const auto src = rounded<T>(random.floats(one.values(), -2.0, 2.0));
        const auto diff = rounded<T>(random.floats(one.values(), -1.0, 1.0));
        const Result got = run<T>(one, src, diff);
        const Expected wanted = expected(one, src, diff);
        const QByteArray text = QString("%1 channels, radius %2, beta %3")
                                    .arg(one.channels)
                                    .arg(one.lrn.depthRadius)
                                    .arg(one.lrn.beta)
                                    .toUtf8();
        QVERIFY2(firstDifference(got.dst, wanted.dst, kRelative<T>, 1e-7) < 0, text);
        // Backward, the two terms may all but cancel.
        QVERIFY2(firstDifference(got.diffSrc, wanted.diffSrc, kRelative<T>, 3e-6) < 0, text);
        // The same behind a ReLU, with the sums for a bias.
        const EndArrays arrays(
            static_cast<std::size_t>(one.channels), lrnScratchBytes(shapeOf<T>(one)));
        const auto diffSrc = masked(wanted.diffSrc, src);
        for (const bool isLastBlock : {false, true}) {
            const Result ended = run<T>(one, src, diff, arrays.end(true, isLastBlock));
            QVERIFY2(biasError(arrays.diffBias(), diffSrc) < kRelative<T> + 1e-5, text);
            QVERIFY2(firstDifference(ended.diffSrc, diffSrc, kRelative<T>, 3e-6) < 0, text);
        }
    }

    template<class T>
    static void notANumber(int channels)
    {
        const Case one{{2, 1.0, 0.1, 0.75}, 3, channels};
        Random random(8);
        auto src = random.floats(one.values(), -1.0, 1.0);
        const auto bad = static_cast<std::size_t>(channels) + 15;
        src[bad] = std::nanf("");
        const Result got = run<T>(one, src, random.floats(one.values(), -1.0, 1.0));
        for (std::size_t i = 0; i < src.size(); ++i) {
            const auto distance =
                std::abs(static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(bad));
            QCOMPARE(std::isnan(got.dst[i]), distance <= 2);
            QCOMPARE(std::isnan(got.diffSrc[i]), distance <= 4);
        }
    }
};

LOCKSTEP_TEST(TestCudaKernelsLrn)
#include "test_cuda_kernels_lrn.moc"
