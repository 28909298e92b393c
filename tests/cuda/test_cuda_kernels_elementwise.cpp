// SPDX-License-Identifier: Apache-2.0
// Activations, joined channels and global pooling against float64.
#include "cuda/kernel_test.h"
#include "device/cuda/kernels/concat_kernel.h"
#include "device/cuda/kernels/elementwise_kernel.h"
#include "device/cuda/pooling/global_pool_kernel.h"

#include <limits>
#include <utility>

using namespace lockstep;
using namespace lockstep::cuda;
using namespace lockstep::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Calls body with a T and its name among the data types.
template<class Body>
void inBothTypes(Body body)
{
    body(0.0F, DataType::Float32);
    body(Bfloat16{}, DataType::Bfloat16);
}

struct BothWays
{
    std::vector<float> dst;
    std::vector<float> diffSrc;
};

template<class T>
BothWays activate(
    const ElementwiseTask& task, const std::vector<float>& src, const std::vector<float>& diff)
{
    const TestStream stream;
    const DeviceArray<T> from(stored<T>(src));
    const DeviceArray<T> diffDst(stored<T>(diff));
    const DeviceArray<T> dst(src.size());
    const DeviceArray<T> diffSrc(src.size());
    elementwiseForward(stream.get(), task, from.bytes(), dst.bytes());
    elementwiseBackward(stream.get(), task, {from.bytes(), diffDst.bytes(), diffSrc.bytes()});
    stream.synchronize();
    return {floatsOf<T>(dst.span()), floatsOf<T>(diffSrc.span())};
}

template<class T>
struct PoolRun
{
    PoolRun(const GlobalPoolShape& shape, const std::vector<float>& src, Random& random)
        : from(stored<T>(src)),
          diffs(
              random.floats(static_cast<std::size_t>(shape.examples * shape.channels), -1.0, 1.0)),
          diffDst(diffs), dst(diffs.size()), diffSrc(src.size()), places(diffs.size())
    {
    }
    void averages(const GlobalPoolShape& shape) const
    {
        globalAverageForward(stream.get(), shape, from.bytes(), dst.data());
        globalAverageBackward(stream.get(), shape, diffDst.data(), diffSrc.bytes());
        stream.synchronize();
    }
    void maxima(const GlobalPoolShape& shape) const
    {
        globalMaxForward(stream.get(), shape, from.bytes(), dst.data(), places.data());
        globalMaxBackward(stream.get(), shape, diffDst.data(), places.data(), diffSrc.bytes());
        stream.synchronize();
    }

    TestStream stream;
    DeviceArray<T> from;
    std::vector<float> diffs;
    DeviceArray<float> diffDst;
    DeviceArray<float> dst;
    DeviceArray<T> diffSrc;
    DeviceArray<std::int32_t> places;
};

const std::vector<GlobalPoolShape> kPools{
    {DataType::Float32, 1, 1, 1},
    {DataType::Float32, 2, 2500, 1},
    {DataType::Float32, 3, 20, 5},
    {DataType::Float32, 1, 176, 32},
    {DataType::Float32, 2, 49, 70}};

/// Calls visit(number of the image and channel, its values) for each.
template<class Visit>
void forEachChannel(const GlobalPoolShape& shape, const std::vector<float>& src, Visit visit)
{
    const auto channels = static_cast<std::size_t>(shape.channels);
    const auto positions = static_cast<std::size_t>(shape.positions);
    for (std::size_t i = 0; i < static_cast<std::size_t>(shape.examples) * channels; ++i) {
        std::vector<float> values;
        for (std::size_t position = 0; position < positions; ++position) {
            values.push_back(src[(i / channels * positions + position) * channels + i % channels]);
        }
        visit(i, values);
    }
}

} // namespace

class TestCudaKernelsElementwise : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }
    void cleanup() { QCOMPARE(emulation::lastFault(), std::string()); }

    void Relu_bothWays_keepsPositivesAndNan()
    {
        inBothTypes([](auto zero, DataType type) {
            using T = decltype(zero);
            const std::vector<float> src{1.5F, -2.0F, 0.0F, kNan, -0.25F, 3.0F, 8.0F, -1.0F, 4.0F};
            const std::vector<float> diff{1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 7.0F, 8.0F, 9.0F};
            const std::vector<double> dst{1.5, 0.0, 0.0, double{kNan}, 0.0, 3.0, 8.0, 0.0, 4.0};
            const std::vector<double> diffSrc{1.0, 0.0, 0.0, 4.0, 0.0, 6.0, 7.0, 0.0, 9.0};
            const auto got = activate<T>({Activation::Relu, type, 9}, src, diff);
            QCOMPARE(firstDifference(got.dst, dst, 0.0, 0.0), -1);
            QCOMPARE(firstDifference(got.diffSrc, diffSrc, 0.0, 0.0), -1);
        });
    }

    void Sigmoid_bothWays_isTheDefinition_alsoFarOut()
    {
        inBothTypes([](auto zero, DataType type) {
            using T = decltype(zero);
            Random random(60);
            auto src = rounded<T>(random.floats(3001, -12.0, 12.0));
            src[0] = 100.0F;
            src[1] = -100.0F;
            src[2] = 30.0F;
            const auto diff = rounded<T>(random.floats(3001, -1.0, 1.0));
            std::vector<double> dst;
            std::vector<double> diffSrc;
            for (std::size_t i = 0; i < src.size(); ++i) {
                const auto x = double{src[i]};
                dst.push_back(1.0 / (1.0 + std::exp(-x)));
                diffSrc.push_back(double{diff[i]} * dst.back() / (1.0 + std::exp(x)));
            }
            const auto got = activate<T>(
                {Activation::Sigmoid, type, static_cast<std::int64_t>(src.size())}, src, diff);
            QCOMPARE(firstDifference(got.dst, dst, kRelative<T>, 1e-37), -1);
            QCOMPARE(firstDifference(got.diffSrc, diffSrc, kRelative<T>, 1e-37), -1);
        });
    }

    /// Widths of all three units of the copy.
    void Pieces_thereAndBack_areTheSame()
    {
        for (const auto& [first, second] :
             std::vector<std::pair<std::size_t, std::size_t>>{{8, 16}, {2, 6}, {1, 3}, {1024, 1}}) {
            const TestStream stream;
            Random random(61);
            constexpr std::size_t kPositions = 30;
            const auto a = stored<Bfloat16>(random.floats(kPositions * first, -1.0, 1.0));
            const auto b = stored<Bfloat16>(random.floats(kPositions * second, -1.0, 1.0));
            const DeviceArray<Bfloat16> left(a);
            const DeviceArray<Bfloat16> right(b);
            const DeviceArray<Bfloat16> joined(a.size() + b.size());
            const DeviceArray<Bfloat16> back(b.size());
            const std::size_t all = 2 * (first + second);
            copyPieces(
                stream.get(), {kPositions, 2 * first, 2 * first, all}, left.bytes(),
                joined.bytes());
            copyPieces(
                stream.get(), {kPositions, 2 * second, 2 * second, all}, right.bytes(),
                joined.bytes() + 2 * first);
            copyPieces(
                stream.get(), {kPositions, 2 * second, all, 2 * second}, joined.bytes() + 2 * first,
                back.bytes());
            stream.synchronize();
            for (std::size_t i = 0; i < joined.span().size(); ++i) {
                const std::size_t position = i / (first + second);
                const std::size_t channel = i % (first + second);
                const Bfloat16 expected = channel < first ? a[position * first + channel]
                                                          : b[position * second + channel - first];
                QCOMPARE(joined[i].bits, expected.bits);
            }
            for (std::size_t i = 0; i < b.size(); ++i) {
                QCOMPARE(back[i].bits, b[i].bits);
            }
        }
    }

    void GlobalAverage_bothWays_isTheMean()
    {
        inBothTypes([](auto zero, DataType type) {
            using T = decltype(zero);
            for (GlobalPoolShape shape : kPools) {
                shape.type = type;
                Random random(62);
                const auto src = rounded<T>(random.floats(
                    static_cast<std::size_t>(shape.examples * shape.positions * shape.channels),
                    -1.0, 1.0));
                const PoolRun<T> run(shape, src, random);
                run.averages(shape);
                std::vector<double> dst;
                std::vector<double> diffSrc(src.size());
                forEachChannel(shape, src, [&](std::size_t, const std::vector<float>& values) {
                    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
                    dst.push_back(sum / static_cast<double>(shape.positions));
                });
                const auto channels = static_cast<std::size_t>(shape.channels);
                for (std::size_t i = 0; i < src.size(); ++i) {
                    const std::size_t image =
                        i / channels / static_cast<std::size_t>(shape.positions);
                    diffSrc[i] = double{run.diffs[image * channels + i % channels]}
                                 / static_cast<double>(shape.positions);
                }
                const double relative = kRelative<T>;
                QCOMPARE(firstDifference(run.dst.span(), dst, 2e-6, 1e-6), -1);
                QCOMPARE(
                    firstDifference(floatsOf<T>(run.diffSrc.span()), diffSrc, relative, 0.0), -1);
            }
        });
    }

    void GlobalMax_bothWays_findsTheFirstLargest()
    {
        inBothTypes([](auto zero, DataType type) {
            using T = decltype(zero);
            for (GlobalPoolShape shape : kPools) {
                shape.type = type;
                Random random(63);
                auto src = random.floats(
                    static_cast<std::size_t>(shape.examples * shape.positions * shape.channels),
                    0.0, 8.0);
                for (float& value : src) {
                    value = std::floor(value); // so that there are ties
                }
                const PoolRun<T> run(shape, src, random);
                run.maxima(shape);
                double sum = 0.0;
                forEachChannel(shape, src, [&](std::size_t i, const std::vector<float>& values) {
                    const auto largest = std::ranges::max_element(values);
                    QCOMPARE(run.dst[i], *largest);
                    QCOMPARE(run.places[i], static_cast<std::int32_t>(largest - values.begin()));
                    sum += double{rounded<T>({run.diffs[i]})[0]};
                });
                const auto diffSrc = floatsOf<T>(run.diffSrc.span());
                QVERIFY(
                    std::abs(std::accumulate(diffSrc.begin(), diffSrc.end(), 0.0) - sum) < 1e-9);
                QVERIFY(
                    std::ranges::count_if(diffSrc, [](float value) { return value != 0.0F; })
                    <= shape.examples * shape.channels);
            }
        });
    }

    void GlobalMax_ofNan_isTheFirstNan()
    {
        const GlobalPoolShape shape{DataType::Float32, 1, 1500, 2};
        Random random(64);
        auto src = random.floats(3000, -1.0, 1.0);
        src[2 * 700] = src[2 * 1200] = kNan;
        const PoolRun<float> run(shape, src, random);
        run.maxima(shape);
        QVERIFY(std::isnan(run.dst[0]) && std::isfinite(run.dst[1]));
        QCOMPARE(run.places[0], 700);
    }
};

LOCKSTEP_TEST(TestCudaKernelsElementwise)
#include "test_cuda_kernels_elementwise.moc"
