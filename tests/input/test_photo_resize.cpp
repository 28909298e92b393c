// SPDX-License-Identifier: Apache-2.0
#include "input/photo/photo_resize.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

using namespace lockstep;

Q_DECLARE_METATYPE(lockstep::ResizeMethod)

namespace {

ColourImage randomImage(std::int64_t height, std::int64_t width)
{
    std::mt19937 generator(11);
    ColourImage image{height, width, {}};
    for (std::int64_t i = 0; i < height * width * 3; ++i) {
        image.pixels.push_back(static_cast<std::uint8_t>(generator() % 256));
    }
    return image;
}

ColourImage cutOut(const ColourImage& image, const CropBox& crop)
{
    ColourImage part{crop.height, crop.width, {}};
    for (std::int64_t row = crop.row; row < crop.row + crop.height; ++row) {
        const auto first = image.pixels.begin() + (row * image.width + crop.column) * 3;
        part.pixels.insert(part.pixels.end(), first, first + crop.width * 3);
    }
    return part;
}

/// Each new pixel in float64 by itself, in two dimensions at once, as the kernels of TensorFlow 1
/// define it.
class Reference
{
public:
    Reference(
        const ColourImage& image, const CropBox& crop, std::int64_t height, std::int64_t width)
        : m_image(image), m_crop(crop),
          m_rowScale(static_cast<double>(crop.height) / static_cast<double>(height)),
          m_columnScale(static_cast<double>(crop.width) / static_cast<double>(width))
    {
    }

    [[nodiscard]] double at(
        std::int64_t row, std::int64_t column, std::int64_t c, ResizeMethod method) const
    {
        const double y = static_cast<double>(row) * m_rowScale + 1e-9;
        const double x = static_cast<double>(column) * m_columnScale + 1e-9;
        const auto top = static_cast<std::int64_t>(std::floor(y));
        const auto left = static_cast<std::int64_t>(std::floor(x));
        const double dy = y - static_cast<double>(top);
        const double dx = x - static_cast<double>(left);
        double sum = 0.0;
        switch (method) {
        case ResizeMethod::Nearest:
            return pixel(top, left, c);
        case ResizeMethod::Bilinear:
            return (pixel(top, left, c) * (1 - dx) + pixel(top, left + 1, c) * dx) * (1 - dy)
                   + (pixel(top + 1, left, c) * (1 - dx) + pixel(top + 1, left + 1, c) * dx) * dy;
        case ResizeMethod::Bicubic:
            for (int i = -1; i <= 2; ++i) {
                for (int j = -1; j <= 2; ++j) {
                    sum += keys(dy - i) * keys(dx - j) * pixel(top + i, left + j, c);
                }
            }
            return sum;
        case ResizeMethod::Area:
            break;
        }
        // The integral over what the new pixel covers, of an image of squares of one colour each.
        for (std::int64_t i = 0; i < m_crop.height; ++i) {
            for (std::int64_t j = 0; j < m_crop.width; ++j) {
                sum += overlap(static_cast<double>(i), y, y + m_rowScale)
                       * overlap(static_cast<double>(j), x, x + m_columnScale) * pixel(i, j, c);
            }
        }
        return sum / (m_rowScale * m_columnScale);
    }

private:
    [[nodiscard]] double pixel(std::int64_t row, std::int64_t column, std::int64_t c) const
    {
        const auto y = m_crop.row + std::clamp<std::int64_t>(row, 0, m_crop.height - 1);
        const auto x = m_crop.column + std::clamp<std::int64_t>(column, 0, m_crop.width - 1);
        return m_image.pixels[static_cast<std::size_t>((y * m_image.width + x) * 3 + c)] / 255.0;
    }

    /// Keys' kernel.
    static double keys(double x)
    {
        constexpr double kA = -0.75;
        x = std::abs(x);
        return x <= 1.0  ? (kA + 2) * x * x * x - (kA + 3) * x * x + 1
               : x < 2.0 ? kA * x * x * x - 5 * kA * x * x + 8 * kA * x - 4 * kA
                         : 0.0;
    }

    static double overlap(double pixel, double first, double end)
    {
        return std::max(0.0, std::min(pixel + 1, end) - std::max(pixel, first));
    }

    const ColourImage& m_image;
    CropBox m_crop;
    double m_rowScale;
    double m_columnScale;
};

} // namespace

class TestPhotoResize : public QObject
{
    Q_OBJECT

private slots:
    void Resize_crops_areTheReference_data();
    void Resize_crops_areTheReference();
    void Resize_sameSize_isTheImage();
    void Resize_oneColour_staysIt();
    void Resize_oneResizer_servesAnySize();
};

void TestPhotoResize::Resize_crops_areTheReference_data()
{
    QTest::addColumn<ResizeMethod>("method");
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("width");
    const std::array names{"bilinear", "nearest", "bicubic", "area"};
    for (int method = 0; method < 4; ++method) {
        const char* name = names[static_cast<std::size_t>(method)];
        const auto value = static_cast<ResizeMethod>(method);
        QTest::addRow("%s, smaller", name) << value << 7 << 9;
        QTest::addRow("%s, a half", name) << value << 10 << 15;
        QTest::addRow("%s, larger", name) << value << 33 << 47;
        QTest::addRow("%s, one way each", name) << value << 41 << 5;
        QTest::addRow("%s, one pixel", name) << value << 1 << 1;
    }
}

void TestPhotoResize::Resize_crops_areTheReference()
{
    QFETCH(ResizeMethod, method);
    QFETCH(int, height);
    QFETCH(int, width);
    const ColourImage image = randomImage(31, 38);
    const CropBox crop{4, 3, 20, 30};
    const Reference reference(image, crop, height, width);
    PhotoResizer resizer(height, width);
    std::vector<float> values(static_cast<std::size_t>(height * width * 3));
    for (const bool isFlipped : {false, true}) {
        resizer.apply(cutOut(image, crop), method, isFlipped, values);
        double largest = 0.0;
        for (std::int64_t y = 0; y < height; ++y) {
            for (std::int64_t x = 0; x < width; ++x) {
                for (std::int64_t c = 0; c < 3; ++c) {
                    const double expected =
                        reference.at(y, isFlipped ? width - 1 - x : x, c, method);
                    const auto place = static_cast<std::size_t>((y * width + x) * 3 + c);
                    largest = std::max(largest, std::abs(double{values[place]} - expected));
                }
            }
        }
        QVERIFY2(largest < 2e-6, qPrintable(QString::number(largest)));
    }
}

void TestPhotoResize::Resize_sameSize_isTheImage()
{
    const ColourImage image = randomImage(12, 17);
    PhotoResizer resizer(12, 17);
    std::vector<float> values(image.pixels.size());
    for (int method = 0; method < 4; ++method) {
        resizer.apply(image, static_cast<ResizeMethod>(method), false, values);
        for (std::size_t i = 0; i < values.size(); ++i) {
            QCOMPARE(std::lround(values[i] * 255.0F), long{image.pixels[i]});
        }
    }
}

void TestPhotoResize::Resize_oneColour_staysIt()
{
    ColourImage image{50, 70, std::vector<std::uint8_t>(50 * 70 * 3, 200)};
    PhotoResizer resizer(23, 29);
    std::vector<float> values(23 * 29 * 3);
    for (int method = 0; method < 4; ++method) {
        resizer.apply(image, static_cast<ResizeMethod>(method), true, values);
        QVERIFY(std::ranges::all_of(
            values, [](float value) { return std::abs(value - 200.0F / 255.0F) < 1e-6F; }));
    }
}

void TestPhotoResize::Resize_oneResizer_servesAnySize()
{
    PhotoResizer used(9, 8);
    std::vector<float> values(9 * 8 * 3);
    std::vector<float> fresh(values.size());
    for (const std::int64_t side : {40, 3, 90, 1}) {
        const ColourImage image = randomImage(side, side + 1);
        used.apply(image, ResizeMethod::Area, false, values);
        PhotoResizer(9, 8).apply(image, ResizeMethod::Area, false, fresh);
        QCOMPARE(values, fresh);
    }
}

LOCKSTEP_TEST(TestPhotoResize)
#include "test_photo_resize.moc"
