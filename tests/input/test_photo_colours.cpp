// SPDX-License-Identifier: Apache-2.0
#include "input/photo/photo_colours.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

using namespace lockstep;

namespace {

using Pixel = std::array<double, 3>;
using Pixels = std::vector<Pixel>;

// Each op in float64 and by itself, one after another; hues by the formulas of the hexagonal cone
// (Smith, "Color gamut transform pairs", 1978), of which the code's are a shorter form.

struct Hsv
{
    double hue; // 0 to 6
    double saturation;
    double value;
};

Hsv hsvOf(const Pixel& p)
{
    const double most = std::max({p[0], p[1], p[2]});
    const double least = std::min({p[0], p[1], p[2]});
    const double range = most - least;
    double hue = 0.0;
    if (range > 0.0) {
        hue = most == p[0]   ? (p[1] - p[2]) / range
              : most == p[1] ? 2.0 + (p[2] - p[0]) / range
                             : 4.0 + (p[0] - p[1]) / range;
    }
    return {hue < 0.0 ? hue + 6.0 : hue, most > 0.0 ? range / most : 0.0, most};
}

Pixel pixelOf(const Hsv& hsv)
{
    const double sector = std::floor(hsv.hue);
    const double part = hsv.hue - sector;
    const double v = hsv.value;
    const double p = v * (1.0 - hsv.saturation);
    const double q = v * (1.0 - hsv.saturation * part);
    const double t = v * (1.0 - hsv.saturation * (1.0 - part));
    switch (static_cast<int>(sector) % 6) {
    case 0:
        return {v, t, p};
    case 1:
        return {q, v, p};
    case 2:
        return {p, v, t};
    case 3:
        return {p, q, v};
    case 4:
        return {t, p, v};
    default:
        return {v, p, q};
    }
}

void brighten(Pixels& pixels, double delta)
{
    for (Pixel& pixel : pixels) {
        for (double& value : pixel) {
            value += delta;
        }
    }
}

void saturate(Pixels& pixels, double factor)
{
    for (Pixel& pixel : pixels) {
        Hsv hsv = hsvOf(pixel);
        hsv.saturation = std::clamp(hsv.saturation * factor, 0.0, 1.0);
        pixel = pixelOf(hsv);
    }
}

void turn(Pixels& pixels, double turns)
{
    for (Pixel& pixel : pixels) {
        Hsv hsv = hsvOf(pixel);
        hsv.hue = std::fmod(hsv.hue + 6.0 * (turns + 1.0), 6.0);
        hsv.saturation = std::min(hsv.saturation, 1.0);
        pixel = pixelOf(hsv);
    }
}

void stretch(Pixels& pixels, double factor)
{
    for (std::size_t c = 0; c < 3; ++c) {
        double mean = 0.0;
        for (const Pixel& pixel : pixels) {
            mean += pixel[c] / static_cast<double>(pixels.size());
        }
        for (Pixel& pixel : pixels) {
            pixel[c] = (pixel[c] - mean) * factor + mean;
        }
    }
}

Pixels changed(Pixels pixels, const ColourChange& change)
{
    brighten(pixels, double{change.brightness});
    if (change.order == ColourOrder::ContrastFirst) {
        stretch(pixels, double{change.contrast});
    }
    saturate(pixels, double{change.saturation});
    turn(pixels, double{change.hue});
    if (change.order == ColourOrder::ContrastLast) {
        stretch(pixels, double{change.contrast});
    }
    return pixels;
}

std::vector<float> flat(const Pixels& pixels)
{
    std::vector<float> values;
    for (const Pixel& pixel : pixels) {
        for (const double value : pixel) {
            values.push_back(static_cast<float>(value));
        }
    }
    return values;
}

/// Of bytes, as photographs are, with greys, pure colours, black and white among them.
Pixels somePixels()
{
    std::mt19937 generator(7);
    Pixels pixels{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, {0.5, 0.5, 0.5}, {1.0, 0.0, 0.0},
                  {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, 1.0, 0.0}, {0.2, 0.2, 0.7}};
    for (int i = 0; i < 1000; ++i) {
        Pixel pixel{};
        for (double& value : pixel) {
            value = double{static_cast<float>(generator() % 256) / 255.0F};
        }
        pixels.push_back(pixel);
    }
    return pixels;
}

double largestDifference(const std::vector<float>& values, const std::vector<float>& expected)
{
    double largest = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        largest = std::max(largest, std::abs(double{values[i]} - double{expected[i]}));
    }
    return largest;
}

} // namespace

class TestPhotoColours : public QObject
{
    Q_OBJECT

private slots:
    void Change_drawnValues_isTheReference_data();
    void Change_drawnValues_isTheReference();
    void Change_none_changesNoBit();
    void Change_hueByAThird_exchangesChannels();
    void Change_orders_differ();
};

void TestPhotoColours::Change_drawnValues_isTheReference_data()
{
    QTest::addColumn<bool>("isContrastFirst");
    QTest::addColumn<float>("brightness");
    QTest::addColumn<float>("saturation");
    QTest::addColumn<float>("hue");
    QTest::addColumn<float>("contrast");
    for (const bool isFirst : {false, true}) {
        const char* name = isFirst ? "contrast first" : "contrast last";
        QTest::addRow("%s, brightness", name) << isFirst << 0.12F << 1.0F << 0.0F << 1.0F;
        QTest::addRow("%s, darkness", name) << isFirst << -0.12F << 1.0F << 0.0F << 1.0F;
        QTest::addRow("%s, saturation", name) << isFirst << 0.0F << 1.4F << 0.0F << 1.0F;
        QTest::addRow("%s, paleness", name) << isFirst << 0.0F << 0.5F << 0.0F << 1.0F;
        QTest::addRow("%s, hue", name) << isFirst << 0.0F << 1.0F << 0.17F << 1.0F;
        QTest::addRow("%s, hue back", name) << isFirst << 0.0F << 1.0F << -0.2F << 1.0F;
        QTest::addRow("%s, contrast", name) << isFirst << 0.0F << 1.0F << 0.0F << 1.5F;
        QTest::addRow("%s, all", name) << isFirst << 0.1F << 1.3F << -0.1F << 0.6F;
        QTest::addRow("%s, all the other way", name) << isFirst << -0.1F << 0.7F << 0.1F << 1.4F;
    }
}

void TestPhotoColours::Change_drawnValues_isTheReference()
{
    QFETCH(bool, isContrastFirst);
    QFETCH(float, brightness);
    QFETCH(float, saturation);
    QFETCH(float, hue);
    QFETCH(float, contrast);
    const ColourChange change{
        isContrastFirst ? ColourOrder::ContrastFirst : ColourOrder::ContrastLast, brightness,
        saturation, hue, contrast};
    const Pixels pixels = somePixels();
    std::vector<float> values = flat(pixels);
    changeColours(change, values);
    // Where neither is wanted the code leaves both out, which for values below 0 is not the same.
    Pixels expected = pixels;
    if (saturation == 1.0F && hue == 0.0F) {
        brighten(expected, double{brightness});
        stretch(expected, double{contrast});
    } else {
        expected = changed(expected, change);
    }
    QVERIFY(largestDifference(values, flat(expected)) < 2e-5);
}

void TestPhotoColours::Change_none_changesNoBit()
{
    const std::vector<float> before = flat(somePixels());
    std::vector<float> values = before;
    changeColours({}, values);
    QCOMPARE(values, before);
}

void TestPhotoColours::Change_hueByAThird_exchangesChannels()
{
    const Pixels pixels = somePixels();
    std::vector<float> values = flat(pixels);
    changeColours({.hue = 1.0F / 3.0F}, values);
    Pixels expected;
    for (const Pixel& pixel : pixels) {
        expected.push_back({pixel[2], pixel[0], pixel[1]});
    }
    QVERIFY(largestDifference(values, flat(expected)) < 1e-5);
}

void TestPhotoColours::Change_orders_differ()
{
    std::vector<float> last = flat(somePixels());
    std::vector<float> first = last;
    changeColours({ColourOrder::ContrastLast, 0.0F, 1.4F, 0.1F, 1.4F}, last);
    changeColours({ColourOrder::ContrastFirst, 0.0F, 1.4F, 0.1F, 1.4F}, first);
    QVERIFY(largestDifference(first, last) > 0.01);
}

LOCKSTEP_TEST(TestPhotoColours)
#include "test_photo_colours.moc"
