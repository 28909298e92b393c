// SPDX-License-Identifier: Apache-2.0
#include "dataset/thrown_error.h"
#include "input/distortion.h"
#include "support/distortion_reference.h"
#include "support/fake_dataset.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace lockstep::test {
namespace {

constexpr Shape kImage{32, 32, 3};

DistortionSettings nothing()
{
    DistortionSettings settings;
    settings.crop = settings.flip = settings.brightness = settings.contrast = settings.standardize =
        false;
    return settings;
}

std::vector<float> distortWith(
    const DistortionSettings& settings, std::span<const std::uint8_t> pixels,
    const Distortion& distortion, const Shape& image = kImage,
    PixelOrder order = PixelOrder::Planar)
{
    Distorter distorter(settings, image, order);
    std::vector<float> values(static_cast<std::size_t>(distorter.outputShape().elements()));
    distorter.apply(pixels, distortion, values);
    return values;
}

std::vector<float> distort(
    const DistortionSettings& settings, std::span<const std::uint8_t> pixels, std::uint32_t example,
    const Shape& image = kImage, PixelOrder order = PixelOrder::Planar)
{
    return distortWith(
        settings, pixels, drawDistortion(settings, image, 1, 2, example), image, order);
}

// Pixel (row y, column x) of channel c is y * 7 + x + c * 5, modulo 256: all neighbours differ.
std::vector<std::uint8_t> rampImage()
{
    std::vector<std::uint8_t> pixels;
    for (int c = 0; c < 3; ++c) {
        for (int y = 0; y < 32; ++y) {
            for (int x = 0; x < 32; ++x) {
                pixels.push_back(static_cast<std::uint8_t>(y * 7 + x + c * 5));
            }
        }
    }
    return pixels;
}

double chiSquare(const std::vector<int>& counts, double expected)
{
    double sum = 0.0;
    for (const int count : counts) {
        sum += (count - expected) * (count - expected) / expected;
    }
    return sum;
}

double largestDifference(const std::vector<float>& a, const std::vector<double>& b)
{
    double largest = a.size() == b.size() ? 0.0 : HUGE_VAL;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        largest = std::max(largest, std::abs(a[i] - b[i]) / std::max(1.0, std::abs(b[i])));
    }
    return largest;
}

} // namespace

class TestDistortion : public QObject
{
    Q_OBJECT
private slots:
    void Distorter_anySettings_agreesWithTheReference_data();
    void Distorter_anySettings_agreesWithTheReference();
    void Distorter_faintImage_agreesWithTheReference();
    void Distorter_output_isRowColumnChannel_data();
    void Distorter_output_isRowColumnChannel();
    void Distorter_flip_exchangesLeftAndRight_data();
    void Distorter_flip_exchangesLeftAndRight();
    void Distorter_constantImage_becomesZeros_data();
    void Distorter_constantImage_becomesZeros();
    void Distorter_brightnessThenStandardise_isUndistorted();
    void Distorter_brightnessAlone_addsOneNumberUnclipped();
    void Distorter_contrastAlone_keepsTheMeanAndStretchesEachChannel();
    void Distorter_standardised_hasMeanZeroAndDeviationOne();
    void Distorter_evaluation_isTheCentralCropStandardised();
    void Distorter_wrongSize_isRefused();
    void Draw_manyExamples_cropsAllPlacesEquallyOften();
    void Draw_manyExamples_flipsOneInTwo();
    void Draw_manyExamples_spreadsBrightnessAndContrastOverTheirRanges();
    void Draw_switchedOffParts_leaveTheOthers();
    void Draw_seedEpochAndExample_allMatter();
    void Settings_unusable_areRefused_data();
    void Settings_unusable_areRefused();
};

void TestDistortion::Distorter_anySettings_agreesWithTheReference_data()
{
    QTest::addColumn<int>("order");
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("cropHeight");
    QTest::addColumn<int>("cropWidth");
    for (const int order : {0, 1}) {
        for (const int channels : {1, 3, 4}) {
            QTest::addRow("order %d, %d channels, 24x24", order, channels)
                << order << channels << 24 << 24;
            QTest::addRow("order %d, %d channels, whole", order, channels)
                << order << channels << 29 << 35;
            QTest::addRow("order %d, %d channels, 1x17", order, channels)
                << order << channels << 1 << 17;
            QTest::addRow("order %d, %d channels, 1x1", order, channels)
                << order << channels << 1 << 1;
        }
    }
}

void TestDistortion::Distorter_anySettings_agreesWithTheReference()
{
    QFETCH(int, order);
    QFETCH(int, channels);
    QFETCH(int, cropHeight);
    QFETCH(int, cropWidth);
    const Shape image{29, 35, channels};
    const auto pixelOrder = order == 0 ? PixelOrder::Planar : PixelOrder::Interleaved;
    const FakeDataset dataset(3, image, pixelOrder);
    for (unsigned switches = 0; switches < 32; ++switches) {
        DistortionSettings settings{cropHeight, cropWidth};
        settings.crop = (switches & 1U) != 0;
        settings.flip = (switches & 2U) != 0;
        settings.brightness = (switches & 4U) != 0;
        settings.contrast = (switches & 8U) != 0;
        settings.standardize = (switches & 16U) != 0;
        const DistortionReference reference(settings, image, pixelOrder);
        for (std::uint32_t example = 0; example < 3; ++example) {
            const auto pixels = dataset.example(example).pixels;
            // Three roundings to float32: of values below 512 grey levels (each up to 2^-16), or of
            // standardised ones of about 1, whose errors are smaller as much as they are.
            const double tolerance = settings.standardize ? 1e-6 : 5e-5;
            const double difference = largestDifference(
                distort(settings, pixels, example, image, pixelOrder),
                reference.distort(pixels, 1, 2, example));
            QVERIFY2(
                difference < tolerance,
                qPrintable(QString("switches %1: %2").arg(switches).arg(difference)));
        }
    }
}

void TestDistortion::Distorter_faintImage_agreesWithTheReference()
{
    // One grey level in one place of 3,072: the deviation is at its lower bound, what is lost by
    // rounding is magnified most.
    std::vector<std::uint8_t> pixels(3072, 254);
    pixels[16 * 32 + 16] = 255;
    for (std::uint32_t example = 0; example < 20; ++example) {
        const DistortionSettings settings;
        const DistortionReference reference(settings, kImage, PixelOrder::Planar);
        QVERIFY(
            largestDifference(
                distort(settings, pixels, example), reference.distort(pixels, 1, 2, example))
            < 1e-6);
    }
}

void TestDistortion::Distorter_output_isRowColumnChannel_data()
{
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("column");
    QTest::addRow("top left") << 0 << 0;
    QTest::addRow("bottom right") << 8 << 8;
    QTest::addRow("row and column differ") << 2 << 7;
}

void TestDistortion::Distorter_output_isRowColumnChannel()
{
    QFETCH(int, row);
    QFETCH(int, column);
    Distortion distortion;
    distortion.row = row;
    distortion.column = column;
    const auto values = distortWith(nothing(), rampImage(), distortion);
    QCOMPARE(values.size(), std::size_t{1728});
    for (int y = 0; y < 24; ++y) {
        for (int x = 0; x < 24; ++x) {
            for (int c = 0; c < 3; ++c) {
                const auto expected = static_cast<std::uint8_t>((row + y) * 7 + column + x + c * 5);
                QCOMPARE(
                    values[static_cast<std::size_t>((y * 24 + x) * 3 + c)],
                    static_cast<float>(expected));
            }
        }
    }
}

void TestDistortion::Distorter_flip_exchangesLeftAndRight_data()
{
    QTest::addColumn<int>("order");
    QTest::addRow("planar") << 0;
    QTest::addRow("interleaved") << 1;
}

void TestDistortion::Distorter_flip_exchangesLeftAndRight()
{
    QFETCH(int, order);
    const auto pixelOrder = order == 0 ? PixelOrder::Planar : PixelOrder::Interleaved;
    const FakeDataset dataset(1, kImage, pixelOrder);
    const auto pixels = dataset.example(0).pixels;
    Distortion distortion{3, 5};
    const auto straight = distortWith(nothing(), pixels, distortion, kImage, pixelOrder);
    distortion.isFlipped = true;
    const auto flipped = distortWith(nothing(), pixels, distortion, kImage, pixelOrder);
    for (std::size_t y = 0; y < 24; ++y) {
        for (std::size_t x = 0; x < 24; ++x) {
            for (std::size_t c = 0; c < 3; ++c) {
                QCOMPARE(flipped[(y * 24 + x) * 3 + c], straight[(y * 24 + 23 - x) * 3 + c]);
            }
        }
    }
}

void TestDistortion::Distorter_constantImage_becomesZeros_data()
{
    QTest::addColumn<int>("grey");
    for (const int grey : {0, 1, 127, 255}) {
        QTest::addRow("grey %d", grey) << grey;
    }
}

void TestDistortion::Distorter_constantImage_becomesZeros()
{
    QFETCH(int, grey);
    const std::vector<std::uint8_t> pixels(3072, static_cast<std::uint8_t>(grey));
    for (std::uint32_t example = 0; example < 20; ++example) {
        const auto values = distort(DistortionSettings{}, pixels, example);
        QVERIFY(
            std::all_of(values.begin(), values.end(), [](float value) { return value == 0.0F; }));
    }
}

void TestDistortion::Distorter_brightnessThenStandardise_isUndistorted()
{
    const FakeDataset dataset(1);
    auto settings = nothing();
    settings.standardize = true;
    const auto pixels = dataset.example(0).pixels;
    for (std::uint32_t example = 0; example < 20; ++example) {
        settings.brightness = false;
        const auto undistorted = distort(settings, pixels, example);
        settings.brightness = true;
        const auto brightened = distort(settings, pixels, example);
        for (std::size_t i = 0; i < undistorted.size(); ++i) {
            QVERIFY(std::abs(brightened[i] - undistorted[i]) <= 1e-4F);
        }
    }
}

void TestDistortion::Distorter_brightnessAlone_addsOneNumberUnclipped()
{
    auto settings = nothing();
    const auto pixels = rampImage();
    const auto plain = distort(settings, pixels, 0);
    settings.brightness = true;
    float lowest = 255.0F;
    float highest = 0.0F;
    for (std::uint32_t example = 0; example < 100; ++example) {
        const auto values = distort(settings, pixels, example);
        const float delta = values[0] - plain[0];
        QVERIFY(std::abs(delta) <= 63.0F);
        for (std::size_t i = 0; i < values.size(); ++i) {
            QVERIFY(std::abs(values[i] - plain[i] - delta) < 1e-4F);
            lowest = std::min(lowest, values[i]);
            highest = std::max(highest, values[i]);
        }
    }
    QVERIFY(lowest < 0.0F);
    QVERIFY(highest > 255.0F);
}

void TestDistortion::Distorter_contrastAlone_keepsTheMeanAndStretchesEachChannel()
{
    const FakeDataset dataset(1);
    const auto pixels = dataset.example(0).pixels;
    Distortion distortion{4, 4};
    const auto plain = distortWith(nothing(), pixels, distortion);
    distortion.contrast = 1.75F;
    const auto stretched = distortWith(nothing(), pixels, distortion);
    for (std::size_t c = 0; c < 3; ++c) {
        double before = 0.0;
        double after = 0.0;
        for (std::size_t i = c; i < plain.size(); i += 3) {
            before += plain[i] / 576.0;
            after += stretched[i] / 576.0;
        }
        QVERIFY(std::abs(after - before) < 1e-4);
        for (std::size_t i = c; i < plain.size(); i += 3) {
            QVERIFY(std::abs((stretched[i] - before) - 1.75 * (plain[i] - before)) < 1e-4);
        }
    }
}

void TestDistortion::Distorter_standardised_hasMeanZeroAndDeviationOne()
{
    const FakeDataset dataset(10);
    for (std::uint32_t example = 0; example < 10; ++example) {
        const auto values = distort(DistortionSettings{}, dataset.example(example).pixels, example);
        double sum = 0.0;
        double squares = 0.0;
        for (const double value : values) {
            sum += value;
            squares += value * value;
        }
        QVERIFY(std::abs(sum / 1728.0) < 1e-6);
        QVERIFY(std::abs(squares / 1728.0 - 1.0) < 1e-6);
    }
}

void TestDistortion::Distorter_evaluation_isTheCentralCropStandardised()
{
    const auto settings = DistortionSettings{}.forEvaluation();
    for (std::uint32_t example = 0; example < 100; ++example) {
        const auto distortion = drawDistortion(settings, kImage, 1, 0, example);
        QCOMPARE(distortion.row, 4);
        QCOMPARE(distortion.column, 4);
        QVERIFY(!distortion.isFlipped);
        QCOMPARE(distortion.brightness, 0.0F);
        QCOMPARE(distortion.contrast, 1.0F);
    }
    // Planes of one colour each: what is left is the spread between the channels, known by hand:
    // mean 85, deviation sqrt((85² + 85² + 170²) / 3).
    std::vector<std::uint8_t> pixels(3072, 0);
    std::fill(pixels.begin() + 2048, pixels.end(), std::uint8_t{255});
    const double deviation = std::sqrt((85.0 * 85.0 * 2 + 170.0 * 170.0) / 3.0);
    const auto values = distort(settings, pixels, 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        QVERIFY(std::abs(values[i] - (i % 3 == 2 ? 170.0 : -85.0) / deviation) < 1e-6);
    }
}

void TestDistortion::Distorter_wrongSize_isRefused()
{
    Distorter distorter(DistortionSettings{}, kImage, PixelOrder::Planar);
    std::vector<float> values(1728);
    const std::vector<std::uint8_t> pixels(3072);
    const auto apply = [&](std::size_t bytes, std::size_t room) {
        distorter.apply(std::span(pixels).first(bytes), {}, std::span(values).first(room));
    };
    QVERIFY(thrownError([&] { apply(3071, 1728); }));
    QVERIFY(thrownError([&] { apply(3072, 1727); }));
    QVERIFY(!thrownError([&] { apply(3072, 1728); }));
}

void TestDistortion::Draw_manyExamples_cropsAllPlacesEquallyOften()
{
    constexpr int kDraws = 81000;
    std::vector<int> counts(81);
    for (std::uint32_t i = 0; i < kDraws; ++i) {
        const auto distortion = drawDistortion({}, kImage, 1, i % 3, i / 3);
        QVERIFY(distortion.row >= 0 && distortion.row <= 8);
        QVERIFY(distortion.column >= 0 && distortion.column <= 8);
        ++counts[static_cast<std::size_t>(distortion.row * 9 + distortion.column)];
    }
    // 80 degrees of freedom: mean 80, deviation sqrt(160) = 12.6; five deviations about it.
    const double chi = chiSquare(counts, kDraws / 81.0);
    QVERIFY2(chi > 17.0 && chi < 143.0, qPrintable(QString::number(chi)));
}

void TestDistortion::Draw_manyExamples_flipsOneInTwo()
{
    constexpr int kDraws = 40000;
    int flips = 0;
    for (std::uint32_t i = 0; i < kDraws; ++i) {
        flips += drawDistortion({}, kImage, 5, 0, i).isFlipped ? 1 : 0;
    }
    // Binomial: deviation sqrt(40000) / 2 = 100; five of them.
    QVERIFY2(std::abs(flips - kDraws / 2) < 500, qPrintable(QString::number(flips)));
}

void TestDistortion::Draw_manyExamples_spreadsBrightnessAndContrastOverTheirRanges()
{
    constexpr int kDraws = 40000;
    std::vector<int> brightness(40);
    std::vector<int> contrast(40);
    for (std::uint32_t i = 0; i < kDraws; ++i) {
        const auto distortion = drawDistortion({}, kImage, 11, 4, i);
        QVERIFY(distortion.brightness >= -63.0F && distortion.brightness < 63.0F);
        QVERIFY(distortion.contrast >= 0.2F && distortion.contrast < 1.8F);
        ++brightness[static_cast<std::size_t>((distortion.brightness + 63.0) / 126.0 * 40.0)];
        ++contrast[static_cast<std::size_t>((distortion.contrast - 0.2) / 1.6 * 40.0)];
    }
    // 39 degrees of freedom: mean 39, deviation sqrt(78) = 8.8; five deviations above it.
    QVERIFY(chiSquare(brightness, kDraws / 40.0) < 83.0);
    QVERIFY(chiSquare(contrast, kDraws / 40.0) < 83.0);
}

void TestDistortion::Draw_switchedOffParts_leaveTheOthers()
{
    for (std::uint32_t example = 0; example < 200; ++example) {
        const auto all = drawDistortion({}, kImage, 1, 0, example);
        for (unsigned switches = 0; switches < 16; ++switches) {
            DistortionSettings settings;
            settings.crop = (switches & 1U) != 0;
            settings.flip = (switches & 2U) != 0;
            settings.brightness = (switches & 4U) != 0;
            settings.contrast = (switches & 8U) != 0;
            const auto some = drawDistortion(settings, kImage, 1, 0, example);
            QCOMPARE(some.row, settings.crop ? all.row : 4);
            QCOMPARE(some.column, settings.crop ? all.column : 4);
            QCOMPARE(some.isFlipped, settings.flip && all.isFlipped);
            QCOMPARE(some.brightness, settings.brightness ? all.brightness : 0.0F);
            QCOMPARE(some.contrast, settings.contrast ? all.contrast : 1.0F);
        }
    }
}

void TestDistortion::Draw_seedEpochAndExample_allMatter()
{
    const auto draw = [](std::uint64_t seed, std::uint32_t epoch, std::uint32_t example) {
        return drawDistortion({}, kImage, seed, epoch, example).brightness;
    };
    QCOMPARE(draw(1, 2, 3), draw(1, 2, 3));
    QVERIFY(draw(1, 2, 3) != draw(4, 2, 3));
    QVERIFY(draw(1, 2, 3) != draw(1, 4, 3));
    QVERIFY(draw(1, 2, 3) != draw(1, 2, 4));
}

void TestDistortion::Settings_unusable_areRefused_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::addRow("crop higher than the image") << "height" << 33.0 << "33 x 24";
    QTest::addRow("crop wider than the image") << "width" << 40.0 << "24 x 40";
    QTest::addRow("no crop at all") << "height" << 0.0 << "0 x 24";
    QTest::addRow("negative brightness") << "delta" << -1.0 << "brightness delta is -1";
    QTest::addRow("brightness not a number")
        << "delta" << std::nan("") << "brightness delta is nan";
    QTest::addRow("contrast the wrong way round") << "low" << 1.9 << "1.9 to 1.8";
    QTest::addRow("negative contrast") << "low" << -0.5 << "-0.5 to 1.8";
    QTest::addRow("contrast without end") << "high" << HUGE_VAL << "0.2 to inf";
}

void TestDistortion::Settings_unusable_areRefused()
{
    QFETCH(QString, field);
    QFETCH(double, value);
    QFETCH(QString, text);
    DistortionSettings settings;
    settings.cropHeight = field == "height" ? static_cast<std::int64_t>(value) : 24;
    settings.cropWidth = field == "width" ? static_cast<std::int64_t>(value) : 24;
    settings.brightnessDelta = field == "delta" ? static_cast<float>(value) : 63.0F;
    settings.contrastLow = field == "low" ? static_cast<float>(value) : 0.2F;
    settings.contrastHigh = field == "high" ? static_cast<float>(value) : 1.8F;
    const auto error =
        thrownError([&] { const Distorter distorter(settings, kImage, PixelOrder::Planar); });
    QVERIFY(isErrorSaying(error, ErrorCode::BadInput, text.toStdString()));
}

} // namespace lockstep::test

QTEST_GUILESS_MAIN(lockstep::test::TestDistortion)
#include "test_distortion.moc"
