// SPDX-License-Identifier: Apache-2.0
// The last fully connected layer and its loss in one kernel each way, against float64.
#include "cuda/kernel_test.h"
#include "device/cuda/kernels/softmax_head_kernel.h"

using namespace lockstep;
using namespace lockstep::cuda;
using namespace lockstep::test;

Q_DECLARE_METATYPE(lockstep::cuda::SoftmaxHeadShape)

namespace {

constexpr float kScale = 1.0F / 24.0F; // rounds

double roundedTo(DataType type, float value)
{
    return static_cast<double>(type == DataType::Float32 ? value : toFloat(toBfloat16(value)));
}

/// A head with random values, and what its kernels make of them.
struct Head
{
    SoftmaxHeadShape shape;
    std::size_t rows = static_cast<std::size_t>(shape.logits.rows);
    std::size_t classes = static_cast<std::size_t>(shape.logits.classes);
    std::size_t depth = static_cast<std::size_t>(shape.depth);
    Random random{1};
    TypedArray src{shape.srcType, random.floats(rows* depth, -1.0, 1.0)};
    TypedArray weights{shape.type, random.floats(classes* depth, -0.5, 0.5)};
    std::vector<float> srcValues = src.values();
    std::vector<float> weightValues = weights.values();
    DeviceArray<float> bias{random.floats(classes, -0.5, 0.5)};
    DeviceArray<std::int32_t> labels{rows};
    DeviceArray<float> logits{rows * classes};
    DeviceArray<float> probabilities{rows * classes};
    DeviceArray<ObjectiveResult> rowResults{rows};
    DeviceArray<ObjectiveResult> result{1};
    DeviceArray<std::uint32_t> counter{std::vector<std::uint32_t>{0}};
    DeviceArray<float> diffWeights{classes * depth};
    DeviceArray<float> diffBias{classes};
    TypedArray diffSrc{shape.srcType, std::vector<float>(rows* depth, 9.0F)};
    DeviceArray<float> diffSrcSums{depth};

    explicit Head(const SoftmaxHeadShape& given) : shape(given)
    {
        for (std::size_t row = 0; row < rows; ++row) {
            labels[row] = static_cast<std::int32_t>(random.integer(0, shape.logits.classes - 1));
        }
    }

    void forward(std::int64_t* ends = nullptr) const
    {
        const TestStream stream;
        softmaxHeadForward(
            stream.get(), shape,
            {src.data(), weights.data(), bias.data(), labels.data(), logits.data(),
             probabilities.data(), rowResults.data(), result.data(), counter.data(), ends});
        stream.synchronize();
    }
    [[nodiscard]] SoftmaxHeadBackward everything(bool srcIsRelu) const
    {
        return {src.data(), weights.data(),     probabilities.data(), labels.data(),
                kScale,     diffWeights.data(), diffBias.data(),      diffSrc.data(),
                srcIsRelu,  diffSrcSums.data()};
    }
    void backward(const SoftmaxHeadBackward& arrays) const
    {
        const TestStream stream;
        softmaxHeadBackward(stream.get(), shape, arrays);
        stream.synchronize();
    }

    /// Src and weights as they are multiplied.
    [[nodiscard]] double operand(std::size_t row, std::size_t k) const
    {
        return roundedTo(shape.type, srcValues[row * depth + k]);
    }
    [[nodiscard]] double weight(std::size_t c, std::size_t k) const
    {
        return double{weightValues[c * depth + k]};
    }
    /// From the probabilities that forward has left.
    [[nodiscard]] float diff(std::size_t row, std::size_t c) const
    {
        const float smoothing = shape.logits.labelSmoothing;
        const float target = (static_cast<std::int32_t>(c) == labels[row] ? 1.0F - smoothing : 0.0F)
                             + smoothing / static_cast<float>(classes);
        return (probabilities[row * classes + c] - target) * kScale;
    }
    /// Sum over what `value` gives for 0 … count - 1.
    template<class Value>
    [[nodiscard]] static double sum(std::size_t count, Value value)
    {
        double sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            sum += double{value(i)};
        }
        return sum;
    }
};

void addShapes()
{
    QTest::addColumn<SoftmaxHeadShape>("shape");
    const std::vector<std::pair<DataType, DataType>> types{
        {DataType::Float32, DataType::Float32},
        {DataType::Bfloat16, DataType::Bfloat16},
        {DataType::Float32, DataType::Bfloat16}};
    const std::vector<std::pair<LogitsShape, int>> sizes{
        {{1, 2, 0.0F}, 4},      {{5, 10, 0.1F}, 24},  {{128, 10, 0.0F}, 192},
        {{131, 16, 0.2F}, 100}, {{70, 17, 0.0F}, 36}, {{33, 32, 0.0F}, 1024}};
    for (const auto& [srcType, type] : types) {
        for (const auto& [logits, depth] : sizes) {
            QTest::addRow(
                "%d x %d x %d, %zu by %zu bytes", logits.rows, logits.classes, depth,
                bytesOf(srcType), bytesOf(type))
                << SoftmaxHeadShape{logits, depth, srcType, type};
        }
    }
}

/// A few roundings of float32 for each sum of that many terms of size 1.
double allowed(std::size_t terms)
{
    return 1e-7 * (4.0 + std::sqrt(static_cast<double>(terms)));
}

} // namespace

class TestCudaKernelsSoftmaxHead : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }
    void cleanup() { QCOMPARE(emulation::lastFault(), std::string()); }

    void Forward_equalsFloat64_data() { addShapes(); }
    void Forward_equalsFloat64()
    {
        QFETCH(SoftmaxHeadShape, shape);
        QVERIFY(shape.isSmall());
        const Head head(shape);
        head.forward();
        double lossSum = 0.0;
        std::int64_t correct = 0;
        const auto smoothing = double{shape.logits.labelSmoothing};
        for (std::size_t row = 0; row < head.rows; ++row) {
            std::vector<double> logits;
            for (std::size_t c = 0; c < head.classes; ++c) {
                const double sum = double{head.bias[c]} + Head::sum(head.depth, [&](std::size_t k) {
                                       return head.operand(row, k) * head.weight(c, k);
                                   });
                const auto got = double{head.logits[row * head.classes + c]};
                QVERIFY(std::abs(got - sum) <= allowed(head.depth));
                logits.push_back(got); // so that the same class is the largest
            }
            const auto label = static_cast<std::size_t>(head.labels[row]);
            const auto largest = std::ranges::max_element(logits);
            double exponents = 0.0;
            for (const double logit : logits) {
                exponents += std::exp(logit - *largest);
            }
            for (std::size_t c = 0; c < head.classes; ++c) {
                const double probability = std::exp(logits[c] - *largest) / exponents;
                QVERIFY(
                    std::abs(double{head.probabilities[row * head.classes + c]} - probability)
                    <= 3e-6 * probability);
                const double target = (c == label ? 1.0 - smoothing : 0.0)
                                      + smoothing / static_cast<double>(head.classes);
                lossSum += target * (std::log(exponents) + *largest - logits[c]);
            }
            correct += static_cast<std::size_t>(largest - logits.begin()) == label ? 1 : 0;
        }
        QVERIFY(std::abs(head.result[0].lossSum - lossSum) <= 1e-6 * lossSum);
        QCOMPARE(head.result[0].correct, correct);
    }

    void Backward_equalsFloat64_data() { addShapes(); }
    void Backward_equalsFloat64()
    {
        QFETCH(SoftmaxHeadShape, shape);
        const Head head(shape);
        head.forward();
        head.backward(head.everything(false));
        const double most = allowed(head.rows) * double{kScale};
        const auto diff = [&](std::size_t row, std::size_t c) {
            return roundedTo(shape.type, head.diff(row, c));
        };
        for (std::size_t c = 0; c < head.classes; ++c) {
            const double bias =
                Head::sum(head.rows, [&](std::size_t row) { return head.diff(row, c); });
            QVERIFY(std::abs(double{head.diffBias[c]} - bias) <= most);
            for (std::size_t k = 0; k < head.depth; ++k) {
                const double sum = Head::sum(head.rows, [&](std::size_t row) {
                    return diff(row, c) * head.operand(row, k);
                });
                QVERIFY(std::abs(double{head.diffWeights[c * head.depth + k]} - sum) <= most);
            }
        }
        const std::vector<float> diffSrc = head.diffSrc.values();
        const double relative = shape.srcType == DataType::Float32 ? 0.0 : 1.0 / 256.0;
        for (std::size_t k = 0; k < head.depth; ++k) {
            double column = 0.0;
            for (std::size_t row = 0; row < head.rows; ++row) {
                const double sum = Head::sum(
                    head.classes, [&](std::size_t c) { return diff(row, c) * head.weight(c, k); });
                const auto got = double{diffSrc[row * head.depth + k]};
                QVERIFY(
                    std::abs(got - sum)
                    <= relative * std::abs(sum) + allowed(head.classes) * double{kScale});
                column += got;
            }
            QVERIFY(
                std::abs(double{head.diffSrcSums[k]} - column) <= most + 5e-7 * std::abs(column));
        }
    }

    /// The way back through the ReLU of src: as without it, but 0 where src is not greater.
    void Backward_throughRelu_masksDiffSrc()
    {
        for (const DataType type : {DataType::Float32, DataType::Bfloat16}) {
            const Head head({{40, 10, 0.0F}, 24, type, type});
            head.forward();
            head.backward(head.everything(false));
            const std::vector<float> whole = head.diffSrc.values();
            const std::vector<float> diffWeights = head.diffWeights.values();
            head.backward(head.everything(true));
            const std::vector<float> masked = head.diffSrc.values();
            for (std::size_t i = 0; i < whole.size(); ++i) {
                QCOMPARE(masked[i], head.srcValues[i] <= 0.0F ? 0.0F : whole[i]);
            }
            const double sum =
                Head::sum(head.rows, [&](std::size_t row) { return masked[row * head.depth + 7]; });
            QVERIFY(std::abs(double{head.diffSrcSums[7]} - sum) <= allowed(head.rows));
            QCOMPARE(head.diffWeights.values(), diffWeights);
        }
    }

    void Backward_ofFrozenLayers_writesNothingElse()
    {
        const Head head({{9, 10, 0.0F}, 24});
        head.forward();
        SoftmaxHeadBackward arrays = head.everything(false);
        arrays.diffWeights = arrays.diffBias = arrays.diffSrcSums = nullptr;
        head.backward(arrays);
        QVERIFY(std::isnan(head.diffWeights[0]) && std::isnan(head.diffBias[0]));
        QVERIFY(std::isnan(head.diffSrcSums[0]));
        arrays = head.everything(false);
        const std::vector<float> diffSrc = head.diffSrc.values();
        arrays.diffSrc = nullptr;
        head.backward(arrays);
        QCOMPARE(head.diffSrc.values(), diffSrc);
        QVERIFY(!std::isnan(head.diffWeights[0]));
    }

    void NotANumber_reachesTheLossAndTheGradients()
    {
        const Head head({{6, 10, 0.0F}, 24});
        static_cast<float*>(head.src.data())[2 * 24 + 3] = std::nanf("");
        head.forward();
        QVERIFY(std::isnan(head.result[0].lossSum));
        head.backward(head.everything(true));
        QVERIFY(std::isnan(head.diffWeights[0]) && std::isnan(head.diffBias[9]));
        const std::vector<float> diffSrc = head.diffSrc.values();
        QVERIFY(std::isnan(diffSrc[2 * 24 + 3]));
        QVERIFY(!std::isnan(diffSrc[24 + 3]));
    }

    void LabelThatIsNoClass_makesTheLossNotANumber()
    {
        for (const std::int32_t label : {-1, 10}) {
            const Head head({{6, 10, 0.0F}, 24});
            head.labels[5] = label;
            head.forward();
            QVERIFY(std::isnan(head.result[0].lossSum));
        }
    }

    /// The block that comes last adds, at every call.
    void Repeated_givesTheSameBits()
    {
        const Head head({{130, 10, 0.1F}, 24});
        head.forward();
        const ObjectiveResult first = head.result[0];
        for (int i = 0; i < 3; ++i) {
            head.forward();
            QCOMPARE(head.result[0].lossSum, first.lossSum);
            QCOMPARE(head.result[0].correct, first.correct);
            QCOMPARE(head.counter[0], 0U);
        }
    }

    /// All other tests give null.
    void Ends_isTheClockAsTheResultIsThere()
    {
        emulation::setClock({[](const emulation::TaskInfo&) { return 1000; }, {7}, {}});
        for (const int rows : {1, 130}) {
            const Head head({{rows, 10, 0.0F}, 24});
            const DeviceArray<std::int64_t> ends(std::vector<std::int64_t>{0});
            head.forward(ends.data());
            QCOMPARE(ends[0], 7);
            QVERIFY(head.result[0].lossSum > 0.0);
        }
    }

    void IsSmall_saysWhatTheKernelsTake()
    {
        QVERIFY((SoftmaxHeadShape{{8, 32}, 1024}.isSmall()));
        QVERIFY((!SoftmaxHeadShape{{8, 33}, 192}.isSmall()));
        QVERIFY((!SoftmaxHeadShape{{8, 10}, 1028}.isSmall()));
        QVERIFY((!SoftmaxHeadShape{{8, 10}, 190}.isSmall()));
    }
};

LOCKSTEP_TEST(TestCudaKernelsSoftmaxHead)
#include "test_cuda_kernels_softmax_head.moc"
