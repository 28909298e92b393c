// SPDX-License-Identifier: Apache-2.0
// Sigmoid and cross-entropy against float64, with masks as targets.
#include "cuda/kernel_test.h"
#include "device/cuda/kernels/sigmoid_cross_entropy_kernel.h"

#include <limits>
#include <numeric>

using namespace lockstep;
using namespace lockstep::cuda;
using namespace lockstep::test;

namespace {

constexpr float kScale = 0.5F;

struct Batch
{
    SigmoidLossShape shape;
    std::vector<float> logits;
    std::vector<float> masks;
};

struct Result
{
    ObjectiveResult found;
    std::vector<float> diff;
};

template<class T>
Result run(const Batch& batch, std::int64_t* ends = nullptr)
{
    const TestStream stream;
    const DeviceArray<T> logits(stored<T>(batch.logits));
    const DeviceArray<float> masks(batch.masks);
    const DeviceArray<float> diffs(batch.logits.size());
    const DeviceArray<T> diffLogits(batch.logits.size());
    const DeviceArray<ObjectiveResult> result(1);
    const DeviceArray<ObjectiveResult> rows(static_cast<std::size_t>(batch.shape.rows));
    sigmoidCrossEntropyForward(
        stream.get(), batch.shape,
        {logits.bytes(), masks.data(), diffs.data(), result.data(), rows.data(), ends});
    sigmoidCrossEntropyBackward(
        stream.get(), batch.shape, diffs.data(), kScale, diffLogits.bytes());
    stream.synchronize();
    return {result[0], floatsOf<T>(diffLogits.span())};
}

struct Expected
{
    double lossSum = 0.0;
    std::int64_t correct = 0;
    std::vector<double> diff;
};

/// -t log(s) - (1 - t) log(1 - s), each logarithm by itself.
Expected expected(const Batch& batch)
{
    Expected result;
    const auto cells = static_cast<std::size_t>(batch.shape.cells);
    const auto maskCells = static_cast<std::size_t>(batch.shape.maskCells);
    for (std::size_t row = 0; row < static_cast<std::size_t>(batch.shape.rows); ++row) {
        const auto mask = batch.masks.begin() + static_cast<std::ptrdiff_t>(row * maskCells);
        const double sum =
            std::accumulate(mask, mask + static_cast<std::ptrdiff_t>(maskCells), 0.0);
        bool saysYes = false;
        bool isYes = false;
        for (std::size_t i = 0; i < cells; ++i) {
            const auto x = double{batch.logits[row * cells + i]};
            const double target = batch.shape.isSum ? std::min(1.0, sum)
                                                    : double{mask[static_cast<std::ptrdiff_t>(i)]};
            const double logOfS = -std::log1p(std::exp(-x));
            const double logOfRest = -std::log1p(std::exp(x));
            result.lossSum +=
                (-target * logOfS - (1.0 - target) * logOfRest) / static_cast<double>(cells);
            result.diff.push_back(
                double{kScale} * (std::exp(logOfS) - target) / static_cast<double>(cells));
            saysYes = saysYes || x > 0.0;
            isYes = isYes || target >= 0.5;
        }
        result.correct += saysYes == isYes ? 1 : 0;
    }
    return result;
}

template<class T>
Batch randomBatch(const SigmoidLossShape& shape, Random& random)
{
    Batch batch{shape, {}, {}};
    batch.shape.type = sizeof(T) == 4 ? DataType::Float32 : DataType::Bfloat16;
    batch.logits =
        rounded<T>(random.floats(static_cast<std::size_t>(shape.rows * shape.cells), -6.0, 3.0));
    batch.masks = random.floats(static_cast<std::size_t>(shape.rows * shape.maskCells), 0.0, 1.0);
    for (std::size_t i = 0; i < batch.masks.size(); ++i) {
        // Every other row has no defect; the others have few cells with one.
        const bool isClean = i / static_cast<std::size_t>(shape.maskCells) % 2 == 0;
        batch.masks[i] = isClean || i % 5 != 0 ? 0.0F : batch.masks[i];
    }
    return batch;
}

template<class T>
void compare(const Batch& batch)
{
    const Result got = run<T>(batch);
    const Expected wanted = expected(batch);
    QVERIFY(std::abs(got.found.lossSum - wanted.lossSum) <= 1e-6 * wanted.lossSum + 1e-7);
    QCOMPARE(got.found.correct, wanted.correct);
    const double absolute = 1e-7 * double{kScale} / static_cast<double>(batch.shape.cells);
    QCOMPARE(firstDifference(got.diff, wanted.diff, kRelative<T>, absolute), -1);
}

} // namespace

class TestCudaKernelsSigmoid : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }
    void cleanup() { QCOMPARE(emulation::lastFault(), std::string()); }

    void RandomBatches_equalFloat64()
    {
        Random random(70);
        for (const std::int64_t rows : {1, 2, 5}) {
            for (const std::int64_t cells : {1, 40, 1500}) {
                compare<float>(
                    randomBatch<float>({DataType::Float32, rows, cells, cells, false}, random));
                compare<float>(
                    randomBatch<float>({DataType::Float32, rows, 1, cells, true}, random));
                compare<Bfloat16>(
                    randomBatch<Bfloat16>({DataType::Bfloat16, rows, cells, cells, false}, random));
            }
        }
    }

    void SumOfASmallDefect_isAFractionalTarget()
    {
        Batch batch{{DataType::Float32, 3, 1, 4, true}, {0.3F, 0.3F, 0.3F}, {}};
        batch.masks = {0.0F, 0.1F, 0.2F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 1.0F, 1.0F, 0.0F, 1.0F};
        compare<float>(batch);
        QCOMPARE(run<float>(batch).found.correct, 1);
    }

    void LargeLogits_doNotOverflow()
    {
        const Batch batch{
            {DataType::Float32, 1, 4, 4, false},
            {1e4F, -1e4F, 90.0F, -90.0F},
            {1.0F, 0.0F, 0.0F, 1.0F}};
        const Result got = run<float>(batch);
        QCOMPARE(got.found.lossSum, 45.0);
        const std::vector<double> diff{0.0, 0.0, 0.125, -0.125};
        QCOMPARE(firstDifference(got.diff, diff, 1e-6, 1e-30), -1);
    }

    void NotANumber_makesTheLossOne_andTheRowWrong()
    {
        Batch batch{{DataType::Float32, 2, 3, 3, false}, {1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F}, {}};
        batch.masks = {1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F};
        QCOMPARE(run<float>(batch).found.correct, 2);
        batch.logits[4] = std::numeric_limits<float>::quiet_NaN();
        const Result got = run<float>(batch);
        QVERIFY(std::isnan(got.found.lossSum));
        QCOMPARE(got.found.correct, 1);
        for (std::size_t i = 0; i < got.diff.size(); ++i) {
            QCOMPARE(std::isnan(got.diff[i]), i == 4);
        }
    }

    /// All other tests give null.
    void Ends_isTheClockAsTheResultIsThere()
    {
        emulation::setClock({[](const emulation::TaskInfo&) { return 1000; }, {7}, {}});
        Random random(71);
        for (const std::int64_t rows : {1, 5}) {
            const DeviceArray<std::int64_t> ends(std::vector<std::int64_t>{0});
            run<float>(
                randomBatch<float>({DataType::Float32, rows, 1, 9, true}, random), ends.data());
            QCOMPARE(ends[0], rows == 1 ? 7 : 1007); // by the second kernel, which sums the rows
        }
    }
};

LOCKSTEP_TEST(TestCudaKernelsSigmoid)
#include "test_cuda_kernels_sigmoid.moc"
