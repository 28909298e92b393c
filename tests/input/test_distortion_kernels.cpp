// SPDX-License-Identifier: Apache-2.0
// The loops of the Distorter on every instruction set that this processor has, against plain loops
// over the definition: the same bits everywhere.
#include "input/distort.h"
#include "input/distortion_kernels.h"
#include "support/fake_dataset.h"
#include "support/instruction_sets.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

namespace lockstep::test {
namespace {

struct Window
{
    Shape image;
    Shape crop;
    std::int64_t row = 0;
    std::int64_t column = 0;
    PixelOrder order = PixelOrder::Planar;
    bool isFlipped = false;
};

class RandomNumbers
{
public:
    explicit RandomNumbers(unsigned seed) : m_generator(seed) {}

    std::int64_t between(std::int64_t least, std::int64_t most)
    {
        return std::uniform_int_distribution<std::int64_t>(least, most)(m_generator);
    }
    std::vector<std::uint8_t> bytes(std::int64_t count)
    {
        std::vector<std::uint8_t> values(static_cast<std::size_t>(count));
        std::generate(values.begin(), values.end(), [this] {
            return static_cast<std::uint8_t>(between(0, 255));
        });
        return values;
    }
    // Whole numbers, as a Distorter plans them.
    std::vector<float> centers(std::int64_t count)
    {
        std::vector<float> values(static_cast<std::size_t>(count));
        std::generate(
            values.begin(), values.end(), [this] { return static_cast<float>(between(0, 255)); });
        return values;
    }
    std::vector<float> offsets(std::int64_t count)
    {
        std::vector<float> values(static_cast<std::size_t>(count));
        std::generate(values.begin(), values.end(), [this] {
            return std::uniform_real_distribution<float>(-3.0F, 3.0F)(m_generator);
        });
        return values;
    }
    Window window()
    {
        Window w;
        w.image = {between(1, 9), between(1, 70), between(1, 6)};
        w.crop = {between(1, w.image.height), between(1, w.image.width), w.image.channels};
        w.row = between(0, w.image.height - w.crop.height);
        w.column = between(0, w.image.width - w.crop.width);
        w.order = between(0, 1) == 0 ? PixelOrder::Planar : PixelOrder::Interleaved;
        w.isFlipped = between(0, 1) == 1;
        return w;
    }

private:
    std::mt19937 m_generator;
};

std::vector<std::uint8_t> plainCrop(const Window& w, const std::vector<std::uint8_t>& pixels)
{
    std::vector<std::uint8_t> values;
    for (std::int64_t y = 0; y < w.crop.height; ++y) {
        for (std::int64_t x = 0; x < w.crop.width; ++x) {
            for (std::int64_t c = 0; c < w.crop.channels; ++c) {
                const std::int64_t row = w.row + y;
                const std::int64_t column = w.column + (w.isFlipped ? w.crop.width - 1 - x : x);
                const std::int64_t place =
                    w.order == PixelOrder::Planar
                        ? (c * w.image.height + row) * w.image.width + column
                        : (row * w.image.width + column) * w.image.channels + c;
                values.push_back(pixels[static_cast<std::size_t>(place)]);
            }
        }
    }
    return values;
}

CropWindow kernelWindow(const Window& w, const std::vector<std::uint8_t>& pixels)
{
    const bool isPlanar = w.order == PixelOrder::Planar;
    const std::int64_t pixel = isPlanar ? 1 : w.image.channels;
    return {
        pixels.data() + (w.row * w.image.width + w.column) * pixel,
        w.crop.height,
        w.crop.width,
        w.crop.channels,
        w.image.width * pixel,
        isPlanar ? w.image.height * w.image.width : 0,
        w.isFlipped,
    };
}

std::vector<ChannelSums> plainSums(const std::vector<std::uint8_t>& values, std::size_t channels)
{
    std::vector<ChannelSums> sums(channels);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int64_t value = values[i];
        sums[i % channels].values += value;
        sums[i % channels].squares += value * value;
    }
    return sums;
}

// Each step is stored, so that no compiler makes one rounding of two.
float plainMap(std::uint8_t x, float center, float scale, float offset)
{
    const volatile float centered = static_cast<float>(x) - center;
    const volatile float scaled = centered * scale;
    return scaled + offset;
}

bool isSameBits(const std::vector<float>& a, const std::vector<float>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float x, float y) {
        return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
    });
}

} // namespace

class TestDistortionKernels : public QObject
{
    Q_OBJECT
private slots:
    void Gather_anyWindow_isThePlainCrop_data() { addInstructionSets(); }
    void Gather_anyWindow_isThePlainCrop();
    void Sums_anyValues_areExact_data() { addInstructionSets(); }
    void Sums_anyValues_areExact();
    void Sums_beyond32Bits_areExact_data() { addInstructionSets(); }
    void Sums_beyond32Bits_areExact();
    void Map_anyRows_roundsEveryStep_data() { addInstructionSets(); }
    void Map_anyRows_roundsEveryStep();
    void Distorter_anyInstructionSet_givesTheSameBits_data() { addInstructionSets(); }
    void Distorter_anyInstructionSet_givesTheSameBits();
};

void TestDistortionKernels::Gather_anyWindow_isThePlainCrop()
{
    QFETCH(qint64, target);
    const InstructionSet instructionSet(target);
    RandomNumbers random(1);
    for (int i = 0; i < 2000; ++i) {
        const Window w = random.window();
        const auto pixels = random.bytes(w.image.elements());
        const auto size = static_cast<std::size_t>(w.crop.elements());
        // What lies behind the crop must stay as it was.
        std::vector<std::uint8_t> values(size + 64, 77);
        gatherCrop(kernelWindow(w, pixels), values.data());
        auto expected = plainCrop(w, pixels);
        expected.resize(size + 64, 77);
        QVERIFY2(
            values == expected, qPrintable(QString("%1 channels, %2 columns, flipped %3")
                                               .arg(w.crop.channels)
                                               .arg(w.crop.width)
                                               .arg(w.isFlipped)));
    }
}

void TestDistortionKernels::Sums_anyValues_areExact()
{
    QFETCH(qint64, target);
    const InstructionSet instructionSet(target);
    RandomNumbers random(2);
    for (int i = 0; i < 500; ++i) {
        const auto channels = static_cast<std::size_t>(random.between(1, 7));
        const auto values = random.bytes(random.between(1, 2000) * static_cast<qint64>(channels));
        std::vector<ChannelSums> sums(channels, ChannelSums{5, 6});
        sumChannels(values, sums);
        QVERIFY(sums == plainSums(values, channels));
    }
}

void TestDistortionKernels::Sums_beyond32Bits_areExact()
{
    QFETCH(qint64, target);
    const InstructionSet instructionSet(target);
    // 2 million pixels of 255: 1.3e11, and more than 2^32 in every lane of any vector.
    const std::vector<std::uint8_t> values(4'000'002, 255);
    std::vector<ChannelSums> sums(2);
    sumChannels(values, sums);
    const ChannelSums expected{2'000'001LL * 255, 2'000'001LL * 255 * 255};
    QCOMPARE(sums[0].values, expected.values);
    QCOMPARE(sums[0].squares, expected.squares);
    QVERIFY(sums[1] == expected);
}

void TestDistortionKernels::Map_anyRows_roundsEveryStep()
{
    QFETCH(qint64, target);
    const InstructionSet instructionSet(target);
    RandomNumbers random(3);
    for (int i = 0; i < 500; ++i) {
        const std::int64_t rowValues = random.between(1, 100);
        const auto values = random.bytes(rowValues * random.between(1, 10));
        const auto centers = random.centers(rowValues);
        const auto offsets = random.offsets(rowValues);
        const float scale = random.offsets(1).front();
        std::vector<float> expected;
        for (std::size_t k = 0; k < values.size(); ++k) {
            const std::size_t column = k % centers.size();
            expected.push_back(plainMap(values[k], centers[column], scale, offsets[column]));
        }
        // What lies behind must stay as it was.
        expected.resize(values.size() + 16, 77.0F);
        std::vector<float> mapped(values.size() + 16, 77.0F);
        mapRows({centers, offsets, scale}, values, mapped.data());
        QVERIFY2(isSameBits(mapped, expected), qPrintable(QString::number(rowValues)));
    }
}

void TestDistortionKernels::Distorter_anyInstructionSet_givesTheSameBits()
{
    QFETCH(qint64, target);
    for (const std::int64_t channels : {1, 2, 3, 4, 5}) {
        const Shape image{32, 41, channels};
        const FakeDataset dataset(20, image);
        for (std::uint32_t example = 0; example < 20; ++example) {
            const auto pixels = dataset.example(example).pixels;
            const auto best = distort(DistortionSettings{}, pixels, example, image);
            const InstructionSet instructionSet(target);
            QVERIFY(isSameBits(distort(DistortionSettings{}, pixels, example, image), best));
        }
    }
}

} // namespace lockstep::test

LOCKSTEP_TEST(lockstep::test::TestDistortionKernels)
#include "test_distortion_kernels.moc"
