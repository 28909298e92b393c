// SPDX-License-Identifier: Apache-2.0
// Images however their colours are kept; crops of JPEGs are, bit for bit, what the whole has there.
#include "dataset/colour_files.h"
#include "dataset/jpeg_maker.h"
#include "dataset/png_files.h"
#include "support/lockstep_test.h"

#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Waves with noise on them: neighbours differ, and JPEG keeps much of it.
std::vector<std::uint8_t> waves(std::int64_t height, std::int64_t width, std::int64_t channels)
{
    std::mt19937 generator(5);
    std::vector<std::uint8_t> values;
    for (std::int64_t i = 0; i < height * width * channels; ++i) {
        const std::int64_t place = i / channels;
        const auto wave = (place % width * (2 + i % channels) + place / width * 3) % 200;
        values.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(wave) + generator() % 50));
    }
    return values;
}

ColourImage decoded(const std::string& file, const ColourRequest& request)
{
    ColourImage image;
    decodeColours(asBytes(file), "a", request, image);
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

std::vector<jpeg_scan_info> progressiveScans(int components)
{
    std::vector<jpeg_scan_info> scans;
    for (const auto& [first, last] : {std::pair{0, 0}, {1, 5}, {6, 63}}) {
        for (int c = 0; c < components; ++c) {
            scans.push_back({1, {c}, first, last, 0, 0});
        }
    }
    return scans;
}

} // namespace

class TestImageCrops : public QObject
{
    Q_OBJECT

private slots:
    void Crop_anywhere_isThatOfTheWhole_data();
    void Crop_anywhere_isThatOfTheWhole();
    void Crop_ofAPng_isThatOfTheWhole();
    void Sampling_ofAnyKind_isDecoded();
    void Png_ofWideValues_givesTheUpperBits();
    void Png_ofAPalette_hasItsColours();
    void Inks_ofAnyProgram_becomeColours();
};

void TestImageCrops::Crop_anywhere_isThatOfTheWhole_data()
{
    using Sampling = std::vector<std::array<int, 2>>;
    QTest::addColumn<QByteArray>("file");
    const auto add = [](const char* name, const JpegMaker& maker) {
        const int channels = maker.given == JCS_GRAYSCALE ? 1 : maker.given == JCS_CMYK ? 4 : 3;
        const std::string file = maker.write(waves(93, 131, channels), 93, 131);
        QTest::newRow(name) << QByteArray::fromStdString(file);
    };
    for (const bool isProgressive : {false, true}) {
        const auto name = [&](const char* sampling) {
            return std::string(sampling) + (isProgressive ? ", progressive" : "");
        };
        const auto scans = isProgressive ? progressiveScans(3) : std::vector<jpeg_scan_info>{};
        const auto addColours = [&](const char* text, const Sampling& sampling) {
            JpegMaker maker;
            maker.sampling = sampling;
            maker.scans = scans;
            add(name(text).c_str(), maker);
        };
        addColours("4:4:4", {{1, 1}, {1, 1}, {1, 1}});
        addColours("4:2:2", {{2, 1}, {1, 1}, {1, 1}});
        addColours("4:2:0", {{2, 2}, {1, 1}, {1, 1}});
        addColours("4:4:0", {{1, 2}, {1, 1}, {1, 1}});
        addColours("4:1:1", {{4, 1}, {1, 1}, {1, 1}});
        addColours("4:1:0", {{4, 2}, {1, 1}, {1, 1}});
        addColours("unequal", {{2, 2}, {1, 2}, {2, 1}});
    }
    add("grey", {JCS_GRAYSCALE, JCS_GRAYSCALE});
    add("inks", {JCS_CMYK, JCS_CMYK});
    add("inks as YCCK", {JCS_CMYK, JCS_YCCK, {{2, 2}, {1, 1}, {1, 1}, {2, 2}}});
    add("without transform", {JCS_RGB, JCS_RGB});
}

void TestImageCrops::Crop_anywhere_isThatOfTheWhole()
{
    QFETCH(QByteArray, file);
    const std::string bytes = file.toStdString();
    const ImageSize size = readImageSize(asBytes(bytes), "a");
    QVERIFY((size == ImageSize{93, 131}));
    std::mt19937 generator(3);
    const auto between = [&](std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(generator);
    };
    for (const int divisor : {1, 2, 4, 8}) {
        const ColourImage whole = decoded(bytes, {divisor});
        QCOMPARE(whole.height, (size.height + divisor - 1) / divisor);
        for (int i = 0; i < 60; ++i) {
            CropBox crop;
            crop.row = between(0, size.height - 1);
            crop.column = between(0, size.width - 1);
            crop.height = i < 5 ? 1 : between(1, size.height - crop.row);
            crop.width = i < 5 ? 1 : between(1, size.width - crop.column);
            const CropBox scaled = scaledCrop(crop, size, {whole.height, whole.width});
            QVERIFY2(
                decoded(bytes, {divisor, crop}) == cutOut(whole, scaled),
                qPrintable(QString("1/%1: %2 x %3 at column %4, row %5")
                               .arg(divisor)
                               .arg(crop.width)
                               .arg(crop.height)
                               .arg(crop.column)
                               .arg(crop.row)));
        }
    }
}

void TestImageCrops::Crop_ofAPng_isThatOfTheWhole()
{
    QImage drawn(40, 30, QImage::Format_RGB888);
    for (int y = 0; y < 30; ++y) {
        for (int x = 0; x < 40; ++x) {
            drawn.setPixelColor(x, y, QColor(6 * x, 8 * y, 3 * x + 2 * y));
        }
    }
    const std::string file = pngOf(drawn);
    const CropBox crop{7, 9, 20, 31};
    QVERIFY(decoded(file, {1, crop}) == cutOut(decoded(file, {}), crop));
}

void TestImageCrops::Sampling_ofAnyKind_isDecoded()
{
    const ColourImage flat = flatImage(50, 61, {180, 90, 40});
    using Sampling = std::vector<std::array<int, 2>>;
    for (const Sampling& sampling :
         {Sampling{{2, 2}, {1, 2}, {2, 1}}, Sampling{{1, 1}, {2, 2}, {1, 1}},
          Sampling{{3, 1}, {1, 1}, {1, 1}}, Sampling{{2, 4}, {1, 1}, {1, 1}}}) {
        JpegMaker maker;
        maker.sampling = sampling;
        const std::string file = maker.write(flat.pixels, 50, 61);
        const ColourImage image = decoded(file, {});
        QCOMPARE(image.pixels.size(), flat.pixels.size());
        for (std::size_t i = 0; i < image.pixels.size(); ++i) {
            QVERIFY(std::abs(int{image.pixels[i]} - int{flat.pixels[i]}) <= 2);
        }
    }
}

void TestImageCrops::Png_ofWideValues_givesTheUpperBits()
{
    QImage wide(3, 1, QImage::Format_RGBX64);
    wide.setPixelColor(0, 0, QColor::fromRgba64(0x1234, 0xABCD, 0x00FF));
    wide.setPixelColor(1, 0, QColor::fromRgba64(0xFFFF, 0x0100, 0x80FE));
    wide.setPixelColor(2, 0, QColor::fromRgba64(0, 0, 0));
    const std::vector<std::uint8_t> upper{0x12, 0xAB, 0x00, 0xFF, 0x01, 0x80, 0, 0, 0};
    QCOMPARE(decoded(pngOf(wide), {}).pixels, upper);
}

void TestImageCrops::Png_ofAPalette_hasItsColours()
{
    // Of 1 bit a pixel and of 8.
    for (const int colours : {2, 200}) {
        QImage indexed(colours, 2, colours == 2 ? QImage::Format_Mono : QImage::Format_Indexed8);
        std::vector<std::uint8_t> expected;
        for (int i = 0; i < colours; ++i) {
            indexed.setColor(i, qRgb(i, 255 - i, 7 * i % 256));
        }
        for (int i = 0; i < 2 * colours; ++i) {
            const int index = i % colours;
            indexed.setPixel(index, i / colours, static_cast<unsigned>(index));
            for (const int value : {index, 255 - index, 7 * index % 256}) {
                expected.push_back(static_cast<std::uint8_t>(value));
            }
        }
        QCOMPARE(decoded(pngOf(indexed), {}).pixels, expected);
    }
}

// Those of programs that are not Adobe's mean by 0 none of an ink.
void TestImageCrops::Inks_ofAnyProgram_becomeColours()
{
    for (const bool isFromAdobe : {false, true}) {
        const std::vector<std::uint8_t> inks{30, 60, 90, 120};
        std::vector<std::uint8_t> values;
        for (int i = 0; i < 64; ++i) {
            values.insert(values.end(), inks.begin(), inks.end());
        }
        JpegMaker maker{JCS_CMYK, JCS_CMYK};
        maker.isFromAdobe = isFromAdobe;
        const ColourImage image = decoded(maker.write(values, 8, 8), {});
        for (std::size_t i = 0; i < image.pixels.size(); ++i) {
            const auto light = [&](std::size_t ink) {
                return isFromAdobe ? inks[ink] : 255 - inks[ink];
            };
            const double expected = light(i % 3) * light(3) / 255.0;
            QVERIFY(std::abs(image.pixels[i] - expected) <= 2.5);
        }
    }
}

LOCKSTEP_TEST(TestImageCrops)
#include "test_image_crops.moc"
