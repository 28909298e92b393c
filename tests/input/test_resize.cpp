// SPDX-License-Identifier: Apache-2.0
#include "input/resize.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace lockstep;

namespace {

std::vector<std::uint8_t> noise(std::int64_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<std::uint8_t> bytes;
    for (std::int64_t i = 0; i < count; ++i) {
        bytes.push_back(static_cast<std::uint8_t>(random() >> 24U));
    }
    return bytes;
}

/// Weight that a pixel of the old image has in one of the new: the hat function about its place,
/// which the border's pixels continue outwards.
double weight(std::int64_t pixel, std::int64_t pixels, double place)
{
    const double clamped = std::min(std::max(place, 0.0), static_cast<double>(pixels - 1));
    return std::max(0.0, 1.0 - std::abs(clamped - static_cast<double>(pixel)));
}

/// A sum over all pixels with their weights, in double.
double reference(const ByteImage& image, double row, double column)
{
    double sum = 0.0;
    for (std::int64_t y = 0; y < image.height; ++y) {
        for (std::int64_t x = 0; x < image.width; ++x) {
            sum += weight(y, image.height, row) * weight(x, image.width, column)
                   * image.pixels[static_cast<std::size_t>(y * image.width + x)];
        }
    }
    return sum;
}

std::vector<float> resized(
    const ByteImage& image, std::int64_t height, std::int64_t width, PixelGrid grid,
    Mirror mirror = {})
{
    std::vector<float> values(static_cast<std::size_t>(height * width));
    BilinearResizer(height, width, grid).apply(image, mirror, 1.0F, values);
    return values;
}

} // namespace

class TestResize : public QObject
{
    Q_OBJECT

private slots:
    void Apply_twoPixelsToFour_isThatOfEachFramework();
    void Apply_sameSize_changesNothing();
    void Apply_anySizes_isTheSumInDouble_data();
    void Apply_anySizes_isTheSumInDouble();
    void Apply_mirrored_isThatOfAMirroredFile();
    void Apply_scale_multiplies();
};

void TestResize::Apply_twoPixelsToFour_isThatOfEachFramework()
{
    const std::vector<std::uint8_t> pixels{0, 100};
    const ByteImage image{pixels, 1, 2};
    // What tf.compat.v1.image.resize_bilinear and cv2.resize are documented to give.
    QCOMPARE(resized(image, 1, 4, PixelGrid::Corners), (std::vector<float>{0, 50, 100, 100}));
    QCOMPARE(resized(image, 1, 4, PixelGrid::Centers), (std::vector<float>{0, 25, 75, 100}));
}

void TestResize::Apply_sameSize_changesNothing()
{
    const auto pixels = noise(7 * 9, 1);
    for (const PixelGrid grid : {PixelGrid::Corners, PixelGrid::Centers}) {
        const auto values = resized({pixels, 7, 9}, 7, 9, grid);
        QVERIFY(
            std::ranges::equal(values, pixels, {}, {}, [](std::uint8_t p) { return float(p); }));
    }
}

void TestResize::Apply_anySizes_isTheSumInDouble_data()
{
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("width");
    QTest::newRow("larger") << 31 << 23;
    QTest::newRow("smaller") << 5 << 4;
    QTest::newRow("taller, narrower") << 40 << 3;
    QTest::newRow("one pixel") << 1 << 1;
}

void TestResize::Apply_anySizes_isTheSumInDouble()
{
    QFETCH(int, height);
    QFETCH(int, width);
    for (const auto& [rows, columns] : {std::pair{17, 11}, std::pair{1, 13}, std::pair{9, 1}}) {
        const auto pixels = noise(std::int64_t{rows} * columns, 5);
        const ByteImage image{pixels, rows, columns};
        for (const bool isCorners : {true, false}) {
            const auto values =
                resized(image, height, width, isCorners ? PixelGrid::Corners : PixelGrid::Centers);
            const double half = isCorners ? 0.0 : 0.5;
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    const double expected = reference(
                        image, (y + half) * rows / height - half,
                        (x + half) * columns / width - half);
                    const float value = values[static_cast<std::size_t>(y * width + x)];
                    QVERIFY(std::abs(value - expected) < 1e-4);
                }
            }
        }
    }
}

void TestResize::Apply_mirrored_isThatOfAMirroredFile()
{
    const std::int64_t rows = 12;
    const std::int64_t columns = 7;
    const auto pixels = noise(rows * columns, 3);
    for (int i = 0; i < 4; ++i) {
        const Mirror mirror{(i & 1) != 0, (i & 2) != 0};
        std::vector<std::uint8_t> mirrored;
        for (std::int64_t y = 0; y < rows; ++y) {
            for (std::int64_t x = 0; x < columns; ++x) {
                const std::int64_t row = mirror.isVertical ? rows - 1 - y : y;
                const std::int64_t column = mirror.isHorizontal ? columns - 1 - x : x;
                mirrored.push_back(pixels[static_cast<std::size_t>(row * columns + column)]);
            }
        }
        for (const PixelGrid grid : {PixelGrid::Corners, PixelGrid::Centers}) {
            QCOMPARE(
                resized({pixels, rows, columns}, 16, 8, grid, mirror),
                resized({mirrored, rows, columns}, 16, 8, grid));
        }
    }
}

void TestResize::Apply_scale_multiplies()
{
    const std::vector<std::uint8_t> pixels{255, 51};
    std::vector<float> values(2);
    BilinearResizer(1, 2, PixelGrid::Corners).apply({pixels, 1, 2}, {}, 1.0F / 255.0F, values);
    QVERIFY(std::abs(values[0] - 1.0F) < 1e-6F && std::abs(values[1] - 0.2F) < 1e-6F);
}

LOCKSTEP_TEST(TestResize)
#include "test_resize.moc"
