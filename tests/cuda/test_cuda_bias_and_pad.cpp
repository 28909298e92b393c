// SPDX-License-Identifier: Apache-2.0
// The kernels beside cuDNN and cuBLASLt: bias, ReLU and their way back, windows of images, casts.
#include "cuda/kernel_test.h"
#include "device/cuda/arrays/bias_relu_kernel.h"
#include "device/cuda/arrays/cast_kernel.h"
#include "device/cuda/arrays/join_counters.h"
#include "device/cuda/arrays/pad_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

using namespace lockstep;
using cuda::Bfloat16;
using cuda::ChannelValues;
using cuda::DataType;
using namespace lockstep::test;

Q_DECLARE_METATYPE(cuda::ChannelValues)

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

float rounded(DataType type, float value)
{
    return type == DataType::Float32 ? value : toFloat(cuda::toBfloat16(value));
}

bool isSame(float a, float b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

/// Random values of the type, some of them 0 and a few NaN.
std::vector<float> someValues(DataType type, std::int64_t count, Random& random, bool withNan)
{
    std::vector<float> values = random.floats(static_cast<std::size_t>(count), -1.0, 1.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i % 7 == 0 ? 0.0F : rounded(type, values[i]);
        values[i] = withNan && i % 31 == 5 ? kNan : values[i];
    }
    return values;
}

void addShapes(bool isLarge)
{
    QTest::addColumn<ChannelValues>("shape");
    const std::vector<std::pair<std::int64_t, std::int64_t>> sizes{
        {1, 1}, {3, 10}, {128, 10}, {5, 8}, {63, 24}, {128, 384}, {130, 12}, {1000, 64}, {777, 17}};
    for (const DataType type : {DataType::Float32, DataType::Bfloat16}) {
        for (const auto& [positions, channels] : sizes) {
            QTest::addRow(
                "%s %lld x %lld", type == DataType::Float32 ? "float32" : "bfloat16",
                static_cast<long long>(positions), static_cast<long long>(channels))
                << ChannelValues{nullptr, type, positions, channels};
        }
        if (isLarge) { // several blocks add parts
            QTest::addRow("large %d", static_cast<int>(type))
                << ChannelValues{nullptr, type, 9000, 24};
            QTest::addRow("large and odd %d", static_cast<int>(type))
                << ChannelValues{nullptr, type, 5000, 5};
        }
    }
}

} // namespace

class TestCudaBiasAndPad : public QObject
{
    Q_OBJECT
private slots:
    static void init() { emulation::reset(); }
    static void cleanup() { QCOMPARE(emulation::lastFault(), std::string()); }

    static void addBias_anyShape_addsAndKeepsNan_data() { addShapes(false); }
    static void addBias_anyShape_addsAndKeepsNan()
    {
        QFETCH(ChannelValues, shape);
        Random random(1);
        const std::int64_t count = shape.positions * shape.channels;
        const std::vector<float> values = someValues(shape.type, count, random, true);
        const DeviceArray<float> bias(
            random.floats(static_cast<std::size_t>(shape.channels), -0.5, 0.5));
        for (const bool hasRelu : {false, true}) {
            const TestStream stream;
            const TypedArray array(shape.type, values);
            shape.data = array.data();
            cuda::addBias(stream.get(), shape, bias.data(), hasRelu);
            stream.synchronize();
            const std::vector<float> got = array.values();
            for (std::size_t i = 0; i < got.size(); ++i) {
                float sum = values[i] + bias[i % static_cast<std::size_t>(shape.channels)];
                sum = hasRelu && sum <= 0.0F ? 0.0F : sum;
                QVERIFY2(isSame(got[i], rounded(shape.type, sum)), qPrintable(QString::number(i)));
            }
        }
    }

    static void biasBackward_withRelu_masksAndSums_data() { addShapes(true); }
    static void biasBackward_withRelu_masksAndSums()
    {
        QFETCH(ChannelValues, shape);
        Random random(2);
        const std::int64_t count = shape.positions * shape.channels;
        const std::vector<float> diffs = someValues(shape.type, count, random, false);
        const std::vector<float> dsts = someValues(shape.type, count, random, true);
        const TestStream stream;
        const TypedArray diffDst(shape.type, diffs);
        const TypedArray dst(shape.type, dsts);
        shape.data = diffDst.data();
        const DeviceArray<float> diffBias(static_cast<std::size_t>(shape.channels));
        const DeviceArray<float> scratch(cuda::biasBackwardScratchBytes(shape) / sizeof(float));
        const DeviceArray<std::uint32_t> counters(
            std::vector<std::uint32_t>(cuda::joinCounterBytes(shape.channels) / 4));
        cuda::BiasBackwardTask task{shape,           dst.data(),     nullptr,
                                    diffBias.data(), scratch.data(), counters.data()};
        cuda::biasBackward(stream.get(), task);
        stream.synchronize();
        const std::vector<float> joinedInPlace = diffBias.values();
        QCOMPARE(std::ranges::count(counters.span(), 0U), std::ssize(counters.span()));
        task.counters = nullptr;
        cuda::biasBackward(stream.get(), task);
        stream.synchronize();
        QCOMPARE(diffBias.values(), joinedInPlace);
        const std::vector<float> got = diffDst.values();
        std::vector<double> sums(static_cast<std::size_t>(shape.channels));
        for (std::size_t i = 0; i < got.size(); ++i) {
            const float expected = dsts[i] <= 0.0F ? 0.0F : diffs[i];
            QVERIFY2(isSame(got[i], expected), qPrintable(QString::number(i)));
            sums[i % sums.size()] += static_cast<double>(expected);
        }
        for (std::size_t channel = 0; channel < sums.size(); ++channel) {
            const double error = std::abs(static_cast<double>(diffBias[channel]) - sums[channel]);
            QVERIFY2(
                error < 1e-6 * std::sqrt(static_cast<double>(count)),
                qPrintable(QString("channel %1: %2").arg(channel).arg(error)));
        }
    }

    static void biasBackward_nanGradient_reachesTheSum()
    {
        const TestStream stream;
        const DeviceArray<float> diffDst(std::vector<float>{kNan, 1.0F, kNan, 2.0F});
        const DeviceArray<float> dst(std::vector<float>{kNan, 1.0F, 0.0F, 3.0F});
        const DeviceArray<float> diffBias(2);
        cuda::biasBackward(
            stream.get(), {{diffDst.data(), DataType::Float32, 2, 2},
                           dst.data(),
                           nullptr,
                           diffBias.data(),
                           nullptr});
        stream.synchronize();
        QVERIFY(std::isnan(diffDst[0]));
        QCOMPARE(diffDst[2], 0.0F); // masked, whatever it was
        QVERIFY(std::isnan(diffBias[0]));
        QCOMPARE(diffBias[1], 3.0F);
    }

    static void biasBackward_logits_areRoundedAndKept()
    {
        constexpr std::size_t kRows = 7;
        constexpr std::size_t kLogits = 10;
        Random random(3);
        const std::vector<float> values = random.floats(kRows * kLogits, -1.0, 1.0);
        const TestStream stream;
        const DeviceArray<float> diffDst(values);
        const DeviceArray<Bfloat16> roundedDiff(values.size());
        const DeviceArray<float> diffBias(kLogits);
        cuda::biasBackward(
            stream.get(), {{diffDst.data(), DataType::Float32, kRows, kLogits},
                           nullptr,
                           roundedDiff.data(),
                           diffBias.data(),
                           nullptr});
        stream.synchronize();
        QCOMPARE(diffDst.values(), values);
        for (std::size_t i = 0; i < values.size(); ++i) {
            QCOMPARE(roundedDiff[i].bits, cuda::toBfloat16(values[i]).bits);
        }
        double sum = 0.0;
        for (std::size_t row = 0; row < kRows; ++row) {
            sum += static_cast<double>(values[row * kLogits + 4]);
        }
        QVERIFY(std::abs(static_cast<double>(diffBias[4]) - sum) < 1e-6);
    }

    static void biasBackward_nothingWanted_enqueuesNothing()
    {
        const TestStream stream;
        const DeviceArray<float> diffDst(std::vector<float>{1.0F});
        const auto before = emulation::counters().kernelLaunches;
        cuda::biasBackward(
            stream.get(),
            {{diffDst.data(), DataType::Float32, 1, 1}, nullptr, nullptr, nullptr, nullptr});
        QCOMPARE(emulation::counters().kernelLaunches, before);
    }

    static void copyWindow_padThenCrop_givesTheSame_data()
    {
        QTest::addColumn<int>("cellBytes");
        for (const int bytes : {2, 4, 6, 16, 20, 128}) {
            QTest::addRow("%d", bytes) << bytes;
        }
    }
    static void copyWindow_padThenCrop_givesTheSame()
    {
        QFETCH(int, cellBytes);
        const auto cell = static_cast<std::size_t>(cellBytes);
        std::vector<std::uint8_t> bytes(std::size_t{2} * 3 * 5 * cell);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] = static_cast<std::uint8_t>(i % 251 + 1);
        }
        const TestStream stream;
        const DeviceArray<std::uint8_t> src(bytes);
        const DeviceArray<std::uint8_t> padded(std::size_t{2} * 6 * 7 * cell);
        const DeviceArray<std::uint8_t> cropped(bytes.size());
        cuda::copyWindow(stream.get(), {2, {3, 5}, {6, 7}, -1, 0, cell}, src.data(), padded.data());
        cuda::copyWindow(
            stream.get(), {2, {6, 7}, {3, 5}, 1, 0, cell}, padded.data(), cropped.data());
        stream.synchronize();
        QCOMPARE(cropped.values(), bytes);
        const auto paddedCell = [&](std::size_t example, std::size_t y, std::size_t x) {
            return padded[((example * 6 + y) * 7 + x) * cell];
        };
        QCOMPARE(paddedCell(1, 0, 0), std::uint8_t{0});
        QCOMPARE(paddedCell(1, 1, 5), std::uint8_t{0});
        QCOMPARE(paddedCell(1, 4, 0), std::uint8_t{0});
        QCOMPARE(paddedCell(1, 2, 3), src[((1 * 3 + 1) * 5 + 3) * cell]);
    }

    static void casts_anyCount_roundToNearestAndWidenExactly()
    {
        for (const std::size_t count : {1U, 4U, 1023U, 1026U}) {
            Random random(4);
            std::vector<float> values = random.floats(count, -3.0, 3.0);
            values.back() = kNan;
            const TestStream stream;
            const DeviceArray<float> src(values);
            const DeviceArray<Bfloat16> narrowed(count);
            const DeviceArray<float> widened(count);
            const auto signedCount = static_cast<std::int64_t>(count);
            cuda::narrow(stream.get(), src.data(), narrowed.data(), signedCount);
            cuda::widen(stream.get(), narrowed.data(), widened.data(), signedCount);
            stream.synchronize();
            for (std::size_t i = 0; i < count; ++i) {
                QVERIFY(isSame(widened[i], toFloat(cuda::toBfloat16(values[i]))));
            }
        }
    }
};

LOCKSTEP_TEST(TestCudaBiasAndPad)
#include "test_cuda_bias_and_pad.moc"
