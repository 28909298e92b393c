// SPDX-License-Identifier: Apache-2.0
#include "input/distort.h"
#include "support/failure_of.h"
#include "support/fake_dataset.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep::test {
namespace {

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

} // namespace

class TestDistortion : public QObject
{
    Q_OBJECT
private slots:
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
};

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
    DistortionSettings plain;
    plain.standardize = false;
    QVERIFY(!plain.forEvaluation().standardize); // evaluation reads what training reads
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
    QVERIFY(errorOf([&] { apply(3071, 1728); }));
    QVERIFY(errorOf([&] { apply(3072, 1727); }));
    QVERIFY(!errorOf([&] { apply(3072, 1728); }));
}

} // namespace lockstep::test

LOCKSTEP_TEST(lockstep::test::TestDistortion)
#include "test_distortion.moc"
