// SPDX-License-Identifier: Apache-2.0
// Softmax and cross-entropy against float64, and rows that are not numbers.
#include "cuda/kernel_test.h"
#include "device/cuda/kernels/softmax_cross_entropy_kernel.h"

#include <limits>

using namespace lockstep;
using namespace lockstep::cuda;
using namespace lockstep::test;

namespace {

struct Batch
{
    LogitsShape shape;
    std::vector<float> logits;
    std::vector<std::int32_t> labels;
};

Batch randomBatch(int rows, int classes, double size, Random& random)
{
    Batch batch{{rows, classes, 0.0F}, {}, {}};
    const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(classes);
    batch.logits = random.floats(count, -size, size);
    for (int row = 0; row < rows; ++row) {
        batch.labels.push_back(static_cast<std::int32_t>(random.integer(0, classes - 1)));
    }
    return batch;
}

struct Result
{
    ObjectiveResult found;
    std::vector<float> probabilities;
    std::vector<float> diff;
};

constexpr float kScale = 1.0F / 128.0F;

Result run(const Batch& batch, std::int64_t* ends = nullptr)
{
    const TestStream stream;
    const DeviceArray<float> logits(batch.logits);
    const DeviceArray<std::int32_t> labels(batch.labels);
    const DeviceArray<float> probabilities(batch.logits.size());
    const DeviceArray<float> diff(batch.logits.size());
    const DeviceArray<ObjectiveResult> result(1);
    softmaxCrossEntropyForward(
        stream.get(), batch.shape,
        {logits.data(), labels.data(), probabilities.data(), result.data(), ends});
    softmaxCrossEntropyBackward(
        stream.get(), batch.shape, {probabilities.data(), labels.data(), diff.data(), kScale});
    stream.synchronize();
    return {result[0], probabilities.values(), diff.values()};
}

struct Expected
{
    double lossSum = 0.0;
    std::int64_t correct = 0;
    std::vector<double> probabilities;
    std::vector<double> diff;
};

Expected expected(const Batch& batch)
{
    Expected result;
    const auto classes = static_cast<std::size_t>(batch.shape.classes);
    for (std::size_t row = 0; row < batch.labels.size(); ++row) {
        const float* const logits = batch.logits.data() + row * classes;
        const auto label = static_cast<std::size_t>(batch.labels[row]);
        const float* const largest = std::max_element(logits, logits + classes);
        double sum = 0.0;
        for (std::size_t i = 0; i < classes; ++i) {
            sum += std::exp(double{logits[i]} - double{*largest});
        }
        for (std::size_t i = 0; i < classes; ++i) {
            const double probability = std::exp(double{logits[i]} - double{*largest}) / sum;
            result.probabilities.push_back(probability);
            const auto smoothing = double{batch.shape.labelSmoothing};
            const double target =
                (i == label ? 1.0 - smoothing : 0.0) + smoothing / static_cast<double>(classes);
            result.diff.push_back((probability - target) * double{kScale});
            result.lossSum += target * (std::log(sum) + double{*largest} - double{logits[i]});
        }
        result.correct += static_cast<std::size_t>(largest - logits) == label ? 1 : 0;
    }
    return result;
}

} // namespace

class TestCudaKernelsSoftmax : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }

    void RandomBatches_equalFloat64()
    {
        Random random(40);
        for (const int rows : {1, 2, 31, 128, 1025}) {
            for (const int classes : {1, 2, 10, 32, 33, 100}) {
                const Batch batch = randomBatch(rows, classes, 4.0, random);
                const Result got = run(batch);
                const Expected wanted = expected(batch);
                QVERIFY(
                    std::abs(got.found.lossSum - wanted.lossSum) <= 1e-6 * wanted.lossSum + 1e-7);
                QCOMPARE(got.found.correct, wanted.correct);
                QCOMPARE(
                    test::firstDifference(got.probabilities, wanted.probabilities, 2e-6, 0.0), -1);
                QCOMPARE(
                    test::firstDifference(got.diff, wanted.diff, 2e-6, 1e-7 * double{kScale}), -1);
            }
        }
    }

    void SmoothedLabels_equalFloat64()
    {
        Random random(45);
        for (const int classes : {2, 10, 33, 1001}) {
            for (const float smoothing : {0.1F, 0.7F}) {
                Batch batch = randomBatch(31, classes, 4.0, random);
                batch.shape.labelSmoothing = smoothing;
                const Result got = run(batch);
                const Expected wanted = expected(batch);
                QVERIFY(std::abs(got.found.lossSum - wanted.lossSum) <= 1e-6 * wanted.lossSum);
                QCOMPARE(got.found.correct, wanted.correct);
                QCOMPARE(
                    test::firstDifference(got.diff, wanted.diff, 2e-6, 1e-7 * double{kScale}), -1);
            }
        }
    }

    void LargeLogits_doNotOverflow()
    {
        Random random(41);
        const Batch batch = randomBatch(20, 10, 1e4, random);
        const Result got = run(batch);
        const Expected wanted = expected(batch);
        QVERIFY(std::abs(got.found.lossSum - wanted.lossSum) <= 1e-6 * wanted.lossSum);
        QCOMPARE(test::firstDifference(got.diff, wanted.diff, 2e-6, 1e-7 * double{kScale}), -1);
    }

    /// Several classes share the largest logit: only the first one is the answer.
    void Ties_countForTheFirstClass()
    {
        for (const int classes : {10, 70}) {
            const auto classCount = static_cast<std::size_t>(classes);
            Batch batch{{4, classes, 0.0F}, std::vector<float>(4 * classCount), {}};
            batch.labels = {0, 1, 3, 9};
            const std::size_t row = 2 * classCount;
            batch.logits[row + 3] = batch.logits[row + 8] = 1.0F;
            QCOMPARE(run(batch).found.correct, 2);
        }
    }

    void NotANumber_makesTheLossOne_andTheRowWrong()
    {
        for (const int classes : {10, 70}) {
            for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
                const auto classCount = static_cast<std::size_t>(classes);
                Random random(42);
                Batch batch = randomBatch(5, classes, 1.0, random);
                // Every row is right, so that the bad one is missed.
                for (std::size_t i = 0; i < 5; ++i) {
                    batch.logits[i * classCount] = 3.0F;
                    batch.labels[i] = 0;
                }
                QCOMPARE(run(batch).found.correct, 5);
                batch.logits[2 * classCount + 7] = bad;
                const Result got = run(batch);
                QVERIFY(std::isnan(got.found.lossSum));
                QCOMPARE(got.found.correct, 4);
                for (std::size_t i = 0; i < got.diff.size(); ++i) {
                    QVERIFY(i / classCount == 2 || std::isfinite(got.diff[i]));
                }
                QVERIFY(std::isnan(got.diff[2 * classCount + 7]));
            }
        }
    }

    void LabelThatIsNoClass_makesTheLossNotANumber()
    {
        for (const std::int32_t label : {-1, 10}) {
            Random random(43);
            Batch batch = randomBatch(3, 10, 1.0, random);
            batch.labels[1] = label;
            QVERIFY(std::isnan(run(batch).found.lossSum));
        }
    }

    /// All other tests give null.
    void Ends_isTheClockAsTheResultIsThere()
    {
        emulation::setClock({[](const emulation::TaskInfo&) { return 1000; }, {7}, {}});
        Random random(46);
        for (const int classes : {10, 70}) {
            const DeviceArray<std::int64_t> ends(std::vector<std::int64_t>{0});
            run(randomBatch(5, classes, 1.0, random), ends.data());
            QCOMPARE(ends[0], 7);
        }
    }

    void Repeated_givesTheSameBits()
    {
        Random random(44);
        const Batch batch = randomBatch(300, 10, 3.0, random);
        const Result first = run(batch);
        const Result second = run(batch);
        QCOMPARE(first.found.lossSum, second.found.lossSum);
        QVERIFY(first.probabilities == second.probabilities);
    }
};

LOCKSTEP_TEST(TestCudaKernelsSoftmax)
#include "test_cuda_kernels_softmax.moc"
