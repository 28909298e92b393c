// SPDX-License-Identifier: Apache-2.0
#include "input/distort.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <cmath>
#include <vector>

namespace lockstep::test {
namespace {

double chiSquare(const std::vector<int>& counts, double expected)
{
    double sum = 0.0;
    for (const int count : counts) {
        sum += (count - expected) * (count - expected) / expected;
    }
    return sum;
}

} // namespace

class TestDistortionDraw : public QObject
{
    Q_OBJECT
private slots:
    void Draw_manyExamples_cropsAllPlacesEquallyOften();
    void Draw_manyExamples_flipsOneInTwo();
    void Draw_manyExamples_spreadsBrightnessAndContrastOverTheirRanges();
    void Draw_switchedOffParts_leaveTheOthers();
    void Draw_seedEpochAndExample_allMatter();
    void Settings_unusable_areRefused_data();
    void Settings_unusable_areRefused();
};

void TestDistortionDraw::Draw_manyExamples_cropsAllPlacesEquallyOften()
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

void TestDistortionDraw::Draw_manyExamples_flipsOneInTwo()
{
    constexpr int kDraws = 40000;
    int flips = 0;
    for (std::uint32_t i = 0; i < kDraws; ++i) {
        flips += drawDistortion({}, kImage, 5, 0, i).isFlipped ? 1 : 0;
    }
    // Binomial: deviation sqrt(40000) / 2 = 100; five of them.
    QVERIFY2(std::abs(flips - kDraws / 2) < 500, qPrintable(QString::number(flips)));
}

void TestDistortionDraw::Draw_manyExamples_spreadsBrightnessAndContrastOverTheirRanges()
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

void TestDistortionDraw::Draw_switchedOffParts_leaveTheOthers()
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

void TestDistortionDraw::Draw_seedEpochAndExample_allMatter()
{
    const auto draw = [](std::uint64_t seed, std::uint32_t epoch, std::uint32_t example) {
        return drawDistortion({}, kImage, seed, epoch, example).brightness;
    };
    QCOMPARE(draw(1, 2, 3), draw(1, 2, 3));
    QVERIFY(draw(1, 2, 3) != draw(4, 2, 3));
    QVERIFY(draw(1, 2, 3) != draw(1, 4, 3));
    QVERIFY(draw(1, 2, 3) != draw(1, 2, 4));
}

void TestDistortionDraw::Settings_unusable_areRefused_data()
{
    lockstep::test::addRows<QString, double, QString>(
        {"field", "value", "text"},
        {{"crop higher than the image", "height", 33.0, "33 × 24"},
         {"crop wider than the image", "width", 40.0, "24 × 40"},
         {"no crop at all", "height", 0.0, "0 × 24"},
         {"negative brightness", "delta", -1.0, "brightness delta is -1"},
         {"brightness not a number", "delta", std::nan(""), "brightness delta is nan"},
         {"contrast the wrong way round", "low", 1.9, "1.9 to 1.8"},
         {"negative contrast", "low", -0.5, "-0.5 to 1.8"},
         {"contrast without end", "high", HUGE_VAL, "0.2 to inf"}});
}

void TestDistortionDraw::Settings_unusable_areRefused()
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
        errorOf([&] { const Distorter distorter(settings, kImage, PixelOrder::Planar); });
    QVERIFY(tells(error, ErrorCode::BadInput, text.toStdString()));
}

} // namespace lockstep::test

LOCKSTEP_TEST(lockstep::test::TestDistortionDraw)
#include "test_distortion_draw.moc"
