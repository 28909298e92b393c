// SPDX-License-Identifier: Apache-2.0
// The rows of a batch as the device makes them, against those of the CPU's input pipeline.
#include "base/error.h"
#include "base/philox.h"
#include "cuda/kernel_test.h"
#include "device/cuda/arrays/device_philox.h"
#include "device/cuda/arrays/input_kernels.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "input/distortion.h"

using namespace lockstep;
using namespace lockstep::cuda;
using namespace lockstep::test;

namespace {

constexpr std::uint64_t kSeed = 0x123456789ABCDEFULL;

struct Case
{
    Shape image{32, 32, 3};
    PixelOrder order = PixelOrder::Planar;
    DistortionSettings settings;
    bool isConstant = false;

    [[nodiscard]] Shape crop() const
    {
        return {settings.cropHeight, settings.cropWidth, image.channels};
    }
};

DistortionSettings settingsOf(std::int64_t height, std::int64_t width, unsigned switches)
{
    DistortionSettings settings;
    settings.cropHeight = height;
    settings.cropWidth = width;
    settings.crop = (switches & 1U) != 0;
    settings.flip = (switches & 2U) != 0;
    settings.brightness = (switches & 4U) != 0;
    settings.contrast = (switches & 8U) != 0;
    settings.standardize = (switches & 16U) != 0;
    return settings;
}

ImageRecipe recipeOf(const Case& one)
{
    const DistortionSettings& s = one.settings;
    return {one.image,     one.order == PixelOrder::Planar,
            s.cropHeight,  s.cropWidth,
            s.crop,        s.flip,
            s.brightness,  s.contrast,
            s.standardize, s.brightnessDelta,
            s.contrastLow, s.contrastHigh,
            kSeed};
}

template<class T>
TensorPlan planOf(std::int64_t examples, const Shape& shape)
{
    const Precision precision = sizeof(T) == 2 ? Precision::Bfloat16 : Precision::Float32;
    return tensorPlan(
        examples, shape,
        CudaLayout{activationType(precision), paddedChannels(shape.channels, precision)});
}

/// A few images on the device, and the visits of two batches of six rows, of which a replica has
/// rows 2 to 4 of the second.
class DataSet
{
public:
    static constexpr std::int64_t kExamples = 9;
    static constexpr std::int64_t kRows = 3;
    static constexpr std::int64_t kFirst = 2;
    static constexpr std::int64_t kBatch = 6;

    DataSet(const Case& one, Random& random)
        : m_case(one), m_pixels(bytes(one, random)), m_labels(numbers(random)),
          m_visits(visits(random)), m_state(std::vector<StepState>(1)), m_rowLabels(kRows)
    {
        m_state[0].step = 5; // slot 1 of 2
    }

    [[nodiscard]] DeviceInput input() const
    {
        DeviceInput input;
        input.state = m_state.data();
        input.slotCount = 2;
        input.slotRows = kBatch;
        input.firstRow = kFirst;
        input.pixels = m_pixels.data();
        input.datasetLabels = m_labels.data();
        input.visits = m_visits.data();
        input.recipe = recipeOf(m_case);
        input.rowLabels = m_rowLabels.data();
        return input;
    }
    [[nodiscard]] RowVisit visit(std::int64_t row) const
    {
        return m_visits[static_cast<std::size_t>(kBatch + kFirst + row)];
    }
    /// What the CPU makes of a row.
    [[nodiscard]] std::vector<float> expected(std::int64_t row) const
    {
        const auto [epoch, example] = visit(row);
        const auto size = static_cast<std::size_t>(m_case.image.elements());
        Distorter distorter(m_case.settings, m_case.image, m_case.order);
        std::vector<float> values(static_cast<std::size_t>(m_case.crop().elements()));
        distorter.apply(
            m_pixels.span().subspan(example * size, size),
            drawDistortion(m_case.settings, m_case.image, kSeed, epoch, example), values);
        return values;
    }
    [[nodiscard]] std::int32_t expectedLabel(std::int64_t row) const
    {
        return m_labels[visit(row).example];
    }
    [[nodiscard]] std::int32_t label(std::int64_t row) const
    {
        return m_rowLabels[static_cast<std::size_t>(row)];
    }

private:
    static std::vector<std::uint8_t> bytes(const Case& one, Random& random)
    {
        std::vector<std::uint8_t> values(
            static_cast<std::size_t>(kExamples * one.image.elements()));
        for (std::uint8_t& value : values) {
            value = static_cast<std::uint8_t>(one.isConstant ? 77 : random.integer(0, 255));
        }
        return values;
    }
    static std::vector<std::int32_t> numbers(Random& random)
    {
        std::vector<std::int32_t> values(static_cast<std::size_t>(kExamples));
        for (std::int32_t& value : values) {
            value = static_cast<std::int32_t>(random.integer(0, 9));
        }
        return values;
    }
    static std::vector<RowVisit> visits(Random& random)
    {
        std::vector<RowVisit> values(static_cast<std::size_t>(2 * kBatch));
        for (RowVisit& value : values) {
            value.epoch = static_cast<std::uint32_t>(random.integer(0, 100));
            value.example = static_cast<std::uint32_t>(random.integer(0, kExamples - 1));
        }
        return values;
    }

    Case m_case;
    DeviceArray<std::uint8_t> m_pixels;
    DeviceArray<std::int32_t> m_labels;
    DeviceArray<RowVisit> m_visits;
    DeviceArray<StepState> m_state;
    DeviceArray<std::int32_t> m_rowLabels;
};

/// Values of one row, without the padding; the padding must be zeros.
template<class T>
std::vector<float> rowOf(const DeviceArray<T>& dst, const TensorPlan& plan, std::int64_t row)
{
    const std::int64_t channels = layoutOf(plan).channels;
    const std::int64_t positions = plan.shape.height * plan.shape.width;
    std::vector<float> values;
    for (std::int64_t position = row * positions; position < (row + 1) * positions; ++position) {
        for (std::int64_t c = 0; c < channels; ++c) {
            const float value = toFloat(dst[static_cast<std::size_t>(position * channels + c)]);
            if (c < plan.shape.channels) {
                values.push_back(value);
            } else if (value != 0.0F) {
                QTest::qFail("padding that is not zero", __FILE__, __LINE__);
            }
        }
    }
    return values;
}

__global__ void drawKernel(std::uint32_t example, float* drawn)
{
    DevicePhilox stream(kSeed, RandomPurpose::Distortion, 7, example);
    drawn[0] = static_cast<float>(stream.below(9));
    drawn[1] = stream.uniform(-63.0F, 63.0F);
    drawn[2] = static_cast<float>(stream.below(0x80000001U) >> 8U);
    drawn[3] = static_cast<float>(stream.next() >> 8U);
    drawn[4] = stream.uniform(0.2F, 1.8F);
    drawn[5] = stream.uniform(1.0F, 1.0000002F);
    drawn[6] = stream.uniform();
}

} // namespace

class TestCudaKernelsInput : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }

    void Philox_onTheDevice_givesTheHostsNumbers()
    {
        const TestStream stream;
        const DeviceArray<float> drawn(7);
        for (std::uint32_t example = 0; example < 500; ++example) {
            launch(drawKernel, {dim3(1), dim3(1)}, stream.get(), example, drawn.data());
            stream.synchronize();
            PhiloxStream host(kSeed, RandomPurpose::Distortion, 7, example);
            QCOMPARE(drawn[0], static_cast<float>(host.below(9)));
            QCOMPARE(drawn[1], host.uniform(-63.0F, 63.0F));
            QCOMPARE(drawn[2], static_cast<float>(host.below(0x80000001U) >> 8U));
            QCOMPARE(drawn[3], static_cast<float>(host.next() >> 8U));
            QCOMPARE(drawn[4], host.uniform(0.2F, 1.8F));
            QCOMPARE(drawn[5], host.uniform(1.0F, 1.0000002F));
            QCOMPARE(drawn[6], host.uniform());
        }
    }

    void Augmented_everySwitch_equalsTheCpu()
    {
        for (unsigned switches = 0; switches < 32; ++switches) {
            Case one;
            one.settings = settingsOf(24, 24, switches);
            compare<float>(one, switches);
        }
    }

    void Augmented_oddShapes_equalTheCpu()
    {
        Random random(30);
        for (int number = 0; number < 40; ++number) {
            Case one;
            one.image = {
                random.integer(1, 40), random.integer(1, 40),
                random.oneOf<std::int64_t>({1, 2, 3, 4, 5, 8, 9})};
            one.order = random.integer(0, 1) == 0 ? PixelOrder::Planar : PixelOrder::Interleaved;
            one.settings = settingsOf(
                random.integer(1, one.image.height), random.integer(1, one.image.width),
                static_cast<unsigned>(random.integer(0, 31)));
            compare<float>(one, static_cast<std::uint64_t>(number));
            compare<Bfloat16>(one, static_cast<std::uint64_t>(number));
        }
    }

    void Augmented_constantImage_isExactlyZero()
    {
        Case one;
        one.isConstant = true;
        Random random(31);
        const DataSet data(one, random);
        const TensorPlan plan = planOf<float>(DataSet::kRows, one.crop());
        const DeviceArray<float> dst(plan.bytes / sizeof(float));
        const TestStream stream;
        augmentRows(stream.get(), data.input(), plan, dst.bytes());
        stream.synchronize();
        QVERIFY(std::ranges::all_of(dst.span(), [](float x) { return x == 0.0F; }));
    }

    void Augmented_ofAnotherShapeThanPlanned_isRefused()
    {
        Case one;
        Random random(32);
        const DataSet data(one, random);
        const TensorPlan plan = planOf<float>(DataSet::kRows, {24, 23, 3});
        const DeviceArray<float> dst(plan.bytes / sizeof(float));
        const TestStream stream;
        QVERIFY_THROWS_EXCEPTION(Error, augmentRows(stream.get(), data.input(), plan, dst.bytes()));
    }

    void Converted_rows_areThoseOfTheSlot()
    {
        for (const Shape& shape :
             {Shape{24, 24, 3}, Shape{5, 7, 1}, Shape{3, 2, 8}, Shape{2, 3, 11}, Shape{1, 1, 4}}) {
            convert<float>(shape, true);
            convert<Bfloat16>(shape, true);
            convert<float>(shape, false);
        }
    }

    void Converted_rows_bringTheirMasks()
    {
        convert<float>({5, 7, 1}, true, 12);
        convert<Bfloat16>({2, 2, 3}, true, 300); // more cells than pixels
    }

private:
    template<class T>
    static void compare(const Case& one, std::uint64_t seed)
    {
        Random random(seed);
        const DataSet data(one, random);
        const TensorPlan plan = planOf<T>(DataSet::kRows, one.crop());
        const DeviceArray<T> dst(plan.bytes / sizeof(T));
        const TestStream stream;
        augmentRows(stream.get(), data.input(), plan, dst.bytes());
        stream.synchronize();
        for (std::int64_t row = 0; row < DataSet::kRows; ++row) {
            const auto expected = data.expected(row);
            QCOMPARE(data.label(row), data.expectedLabel(row));
            // The same formulas; double sums in another order at most.
            const double relative = sizeof(T) == 2 ? 1.0 / 256.0 : 1e-6;
            QCOMPARE(firstDifference(rowOf(dst, plan, row), expected, relative, 1e-6), -1);
        }
    }

    template<class T>
    static void convert(const Shape& shape, bool hasState, std::size_t maskCells = 0)
    {
        constexpr std::int64_t kRows = 3;
        Random random(33);
        const auto values = static_cast<std::size_t>(shape.elements());
        const DeviceArray<float> images(random.floats(std::size_t{2} * 5 * values, -2.0, 2.0));
        const DeviceArray<std::int32_t> labels(
            std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
        const DeviceArray<std::int32_t> rowLabels(kRows);
        const DeviceArray<float> masks(random.floats(std::size_t{2} * 5 * maskCells, 0.0, 1.0));
        const DeviceArray<float> rowMasks(kRows * maskCells);
        StepState state;
        state.step = 3;
        const DeviceArray<StepState> states(std::vector<StepState>{state});
        DeviceInput input;
        input.state = hasState ? states.data() : nullptr;
        input.slotCount = 2;
        input.slotRows = 5;
        input.firstRow = 1;
        input.images = images.data();
        input.imageLabels = labels.data();
        input.rowLabels = rowLabels.data();
        input.masks = masks.data();
        input.maskCells = static_cast<std::int64_t>(maskCells);
        input.rowMasks = maskCells > 0 ? rowMasks.data() : nullptr;
        const TensorPlan plan = planOf<T>(kRows, shape);
        const DeviceArray<T> dst(plan.bytes / sizeof(T));
        const TestStream stream;
        convertRows(stream.get(), input, plan, dst.bytes());
        stream.synchronize();
        const std::size_t first = (hasState ? 5U : 0U) + 1U;
        for (std::size_t row = 0; row < kRows; ++row) {
            const auto source = images.span().subspan((first + row) * values, values);
            const std::vector<float> expected(source.begin(), source.end());
            QVERIFY(rowOf(dst, plan, static_cast<std::int64_t>(row)) == rounded<T>(expected));
            QCOMPARE(rowLabels[row], static_cast<std::int32_t>(first + row));
        }
        for (std::size_t i = 0; i < kRows * maskCells; ++i) {
            QCOMPARE(rowMasks[i], masks[first * maskCells + i]);
        }
    }
};

LOCKSTEP_TEST(TestCudaKernelsInput)
#include "test_cuda_kernels_input.moc"
