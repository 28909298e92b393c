// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/colour_image.h"
#include "dataset/codecs/exif_orientation.h"
#include "dataset/codecs/gray_image.h"
#include "dataset/colour_files.h"
#include "dataset/exif_files.h"
#include "dataset/formats/image_folder.h"
#include "dataset/formats/kolektorsdd.h"
#include "dataset/jpeg_maker.h"
#include "dataset/mask_layouts.h"
#include "dataset/png_maker.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <QImageReader>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr PixelRules kLeftAsStored{.isTurned = false};

/// A smooth picture in colours, which has no two sides alike.
std::vector<std::uint8_t> slopedColours(int height, int width)
{
    std::vector<std::uint8_t> values;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            values.push_back(static_cast<std::uint8_t>(4 * y));
            values.push_back(static_cast<std::uint8_t>(3 * x));
            values.push_back(static_cast<std::uint8_t>(x + y));
        }
    }
    return values;
}

std::string exifJpeg(int orientation, int height, int width)
{
    return JpegMaker{.exif = exifOf(static_cast<std::uint16_t>(orientation))}.write(
        slopedColours(height, width), height, width);
}

ColourImage decodedBy(const std::string& file, const ColourRequest& request)
{
    ColourImage image;
    decodeColours(asBytes(file), "a", request, image);
    return image;
}

ColourImage partOf(const ColourImage& image, const CropBox& crop)
{
    ColourImage part{crop.height, crop.width, {}};
    for (std::int64_t row = crop.row; row < crop.row + crop.height; ++row) {
        const auto first = image.pixels.begin() + (row * image.width + crop.column) * 3;
        part.pixels.insert(part.pixels.end(), first, first + crop.width * 3);
    }
    return part;
}

std::string exifPng(int orientation, int height, int width)
{
    std::vector<std::uint16_t> values(static_cast<std::size_t>(height * width), 100);
    values[1] = 200;
    return PngMaker{.exif = exifOf(static_cast<std::uint16_t>(orientation))}.write(
        values, static_cast<std::uint32_t>(height), static_cast<std::uint32_t>(width));
}

std::string plainMask(int height, int width, bool isMarked)
{
    std::vector<std::uint16_t> values(static_cast<std::size_t>(height * width));
    values[1] = isMarked ? 255 : 0;
    return PngMaker{}.write(
        values, static_cast<std::uint32_t>(height), static_cast<std::uint32_t>(width));
}

/// Four pairs, of which the images are stored as 20 x 30 and the masks have the other size.
Files exifPairs(int orientation, int maskHeight, int maskWidth)
{
    Files files;
    for (int i = 0; i < 4; ++i) {
        files[fmt::format("images/{}.png", i)] = exifPng(orientation, 20, 30);
        files[fmt::format("masks/{}.png", i)] = plainMask(maskHeight, maskWidth, i % 2 == 1);
    }
    return files;
}

std::unique_ptr<Dataset> openExifPairs(const Files& files, const PixelRules& rules = {})
{
    const TemporaryFolder folder;
    writeFiles(folder.path(), files);
    MaskedDataSettings settings;
    settings.fold = MaskedDataSettings::kNoFold;
    settings.dilation = 0;
    settings.pixels = rules;
    return openMaskedImages("masked_folder", folder.path(), Split::Train, settings);
}

} // namespace

class TestExifOrientation : public QObject
{
    Q_OBJECT

private slots:
    void Orientation_isFoundOrOne_data();
    void Orientation_isFoundOrOne();
    void Decode_png_isTurned_data();
    void Decode_png_isTurned();
    void Decode_jpeg_isAsQtTurnsIt_data();
    void Decode_jpeg_isAsQtTurnsIt();
    void Decode_cropOfATurnedJpeg_isThatOfTheWhole_data();
    void Decode_cropOfATurnedJpeg_isThatOfTheWhole();
    void Masks_asTheImageIsTurned_fit();
    void Masks_asTheImageIsStored_areRefusedOrLeft();
    void Masks_thatFitBoth_areTold();
    void Folder_tellsTurnedSizes();
};

void TestExifOrientation::Orientation_isFoundOrOne_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("orientation");
    const auto row = [](const char* name, const std::string& file, int orientation) {
        QTest::newRow(name) << QByteArray::fromStdString(file) << orientation;
    };
    const auto withExif = [](const std::string& exif) {
        return JpegMaker{.exif = exif}.write(slopedColours(8, 8), 8, 8);
    };
    row("little", withExif(exifOf(6)), 6);
    row("big", withExif(exifOf(8, false)), 8);
    row("as stored", withExif(exifOf(1)), 1);
    row("zero", withExif(exifOf(0)), 1);
    row("too much", withExif(exifOf(9)), 1);
    row("cut short", withExif(exifOf(6).substr(0, 40)), 1);
    row("none", withExif(""), 1);
    row("no tiff", withExif("XX" + exifOf(6).substr(2)), 1);
    row("png", PngMaker{.exif = exifOf(3, false)}.write({1, 2}, 1, 2), 3);
    row("plain png", PngMaker{}.write({1, 2}, 1, 2), 1);
    row("bmp", bmpOf(smoothImage(4, 4, 0)), 1);
    row("start alone", withExif(exifOf(6)).substr(0, 110), 6);
    const std::string jpeg = withExif(exifOf(7));
    row("another block before",
        jpeg.substr(0, 2) + std::string("\xFF\xE1\0\x0Chttp://a\0\0", 14) + jpeg.substr(2), 7);
    row("fill bytes", jpeg.substr(0, 2) + "\xFF\xFF" + jpeg.substr(2), 7);
    row("empty", "", 1);
}

void TestExifOrientation::Orientation_isFoundOrOne()
{
    QFETCH(QByteArray, file);
    QFETCH(int, orientation);
    const std::string bytes = file.toStdString();
    QCOMPARE(exifOrientation(asBytes(bytes), {}), orientation);
    QCOMPARE(exifOrientation(asBytes(bytes), kLeftAsStored), 1);
}

// The pictures of the standard: where the stored rows and columns are shown.
void TestExifOrientation::Decode_png_isTurned_data()
{
    QTest::addColumn<int>("orientation");
    QTest::addColumn<QStringList>("rows");
    const QList<QStringList> shown{{"abc", "def"},     {"cba", "fed"},     {"fed", "cba"},
                                   {"def", "abc"},     {"ad", "be", "cf"}, {"da", "eb", "fc"},
                                   {"fc", "eb", "da"}, {"cf", "be", "ad"}};
    for (int i = 0; i < shown.size(); ++i) {
        QTest::addRow("%d", i + 1) << i + 1 << shown[i];
    }
}

void TestExifOrientation::Decode_png_isTurned()
{
    QFETCH(int, orientation);
    QFETCH(QStringList, rows);
    const std::string file =
        PngMaker{.exif = exifOf(static_cast<std::uint16_t>(orientation))}.write(
            {'a', 'b', 'c', 'd', 'e', 'f'}, 2, 3);
    const std::string shown = rows.join("").toStdString();
    const ImageSize size{rows.size(), rows[0].size()};
    QVERIFY(readImageSize(asBytes(file), "a") == size);
    QVERIFY((readImageSize(asBytes(file), "a", kLeftAsStored) == ImageSize{2, 3}));
    const GrayImage grey = decodeGray(asBytes(file), "a");
    QCOMPARE(std::string(grey.pixels.begin(), grey.pixels.end()), shown);
    const ColourImage whole = decodedBy(file, {});
    QVERIFY((ImageSize{whole.height, whole.width} == size));
    for (std::size_t i = 0; i < shown.size(); ++i) {
        QCOMPARE(static_cast<char>(whole.pixels[3 * i + 1]), shown[i]);
    }
    for (std::int64_t row = 0; row < size.height; ++row) {
        for (std::int64_t column = 0; column < size.width; ++column) {
            const CropBox crop{row, column, size.height - row, 1};
            QVERIFY(decodedBy(file, {.crop = crop}) == partOf(whole, crop));
        }
    }
    const GrayImage mask = decodeMask(asBytes(file), "a", {.threshold = 'c'});
    std::string marks;
    for (const char value : shown) {
        marks += value >= 'c' ? '\1' : '\0';
    }
    QCOMPARE(std::string(mask.pixels.begin(), mask.pixels.end()), marks);
}

void TestExifOrientation::Decode_jpeg_isAsQtTurnsIt_data()
{
    QTest::addColumn<int>("orientation");
    for (int orientation = 1; orientation <= 8; ++orientation) {
        QTest::addRow("%d", orientation) << orientation;
    }
}

void TestExifOrientation::Decode_jpeg_isAsQtTurnsIt()
{
    QFETCH(int, orientation);
    QByteArray bytes = QByteArray::fromStdString(exifJpeg(orientation, 40, 56));
    QBuffer buffer(&bytes);
    QImageReader reader(&buffer, "jpeg");
    reader.setAutoTransform(true);
    const QImage expected = reader.read().convertToFormat(QImage::Format_RGB888);
    const ColourImage image = decodedBy(bytes.toStdString(), {});
    QCOMPARE(image.height, expected.height());
    QCOMPARE(image.width, expected.width());
    QVERIFY(
        (readImageSize(asBytes(bytes.toStdString()), "a")
         == ImageSize{expected.height(), expected.width()}));
    for (int y = 0; y < expected.height(); ++y) {
        for (int x = 0; x < 3 * expected.width(); ++x) {
            const int ours = image.pixels[static_cast<std::size_t>(y * 3 * expected.width() + x)];
            QVERIFY(std::abs(ours - expected.constScanLine(y)[x]) <= 2);
        }
    }
}

void TestExifOrientation::Decode_cropOfATurnedJpeg_isThatOfTheWhole_data()
{
    Decode_jpeg_isAsQtTurnsIt_data();
}

void TestExifOrientation::Decode_cropOfATurnedJpeg_isThatOfTheWhole()
{
    QFETCH(int, orientation);
    const std::string file = exifJpeg(orientation, 45, 61);
    const ImageSize size = readImageSize(asBytes(file), "a");
    for (const int divisor : {1, 2, 4, 8}) {
        const ColourImage whole = decodedBy(file, {.divisor = divisor});
        ColourImage turned = decodedBy(file, {.divisor = divisor, .rules = kLeftAsStored});
        turnImage(turned, 3, orientation, "a");
        QVERIFY(whole == turned);
        for (const CropBox& crop :
             {CropBox{0, 0, 9, 13}, CropBox{3, 7, 20, 11}, CropBox{size.height - 17, 1, 17, 40},
              CropBox{5, size.width - 20, 33, 20}, CropBox{0, 0, size.height, size.width}}) {
            const ColourImage part = decodedBy(file, {.divisor = divisor, .crop = crop});
            const CropBox scaled = scaledCrop(crop, size, {whole.height, whole.width});
            QVERIFY(part == partOf(whole, scaled));
        }
    }
}

void TestExifOrientation::Masks_asTheImageIsTurned_fit()
{
    const auto dataset = openExifPairs(exifPairs(6, 30, 20));
    QVERIFY((dataset->info().imageShape == Shape{30, 20, 1}));
    QVERIFY(dataset->info().account.lines().empty());
    // The pixel beside the upper left corner is below the upper right one.
    const ExampleView first = dataset->example(0);
    QCOMPARE(std::ranges::find(first.pixels, 200) - first.pixels.begin(), 20 + 19);
}

void TestExifOrientation::Masks_asTheImageIsStored_areRefusedOrLeft()
{
    const Files files = exifPairs(6, 20, 30);
    const auto error = errorOf([&] { openExifPairs(files); });
    QVERIFY2(tells(error, ErrorCode::Data, "images/0.png: is turned to 30 × 20"), error->what());
    QVERIFY(tells(error, ErrorCode::Data, "set dataset.orientation = stored"));
    QVERIFY((openExifPairs(files, kLeftAsStored)->info().imageShape == Shape{20, 30, 1}));
}

void TestExifOrientation::Masks_thatFitBoth_areTold()
{
    for (const int orientation : {2, 3, 4}) {
        const auto lines = openExifPairs(exifPairs(orientation, 20, 30))->info().account.lines();
        QCOMPARE(lines.size(), 1U);
        QVERIFY(lines[0].starts_with("of 4 images, such as "));
        QVERIFY(lines[0].find("dataset.orientation = stored") != std::string::npos);
    }
    QVERIFY(openExifPairs(exifPairs(3, 20, 30), kLeftAsStored)->info().account.lines().empty());
    QVERIFY(openExifPairs(exifPairs(1, 20, 30))->info().account.lines().empty());
}

void TestExifOrientation::Folder_tellsTurnedSizes()
{
    const TemporaryFolder folder;
    for (const char* part : {"train", "val"}) {
        for (const char* name : {"ant", "bee"}) {
            writeFiles(folder / part / name, {{"0.jpg", exifJpeg(6, 40, 56)}});
        }
    }
    EncodedDataSettings settings;
    QCOMPARE(
        openImageFolder(folder.path(), Split::Train, settings)->info().sizes.text(),
        std::string("56 × 40 pixels"));
    settings.pixels = kLeftAsStored;
    QCOMPARE(
        openImageFolder(folder.path(), Split::Train, settings)->info().sizes.text(),
        std::string("40 × 56 pixels"));
    QVERIFY(
        (turnedBox({0.125F, 0.25F, 0.375F, 0.75F}, 6) == ObjectBox{0.25F, 0.625F, 0.75F, 0.875F}));
    QVERIFY((turnedBox({0.0F, 0.25F, 0.5F, 0.75F}, 2) == ObjectBox{0.0F, 0.25F, 0.5F, 0.75F}));
    QVERIFY((turnedBox({0.0F, 0.25F, 0.5F, 1.0F}, 8) == ObjectBox{0.0F, 0.0F, 0.75F, 0.5F}));
}

LOCKSTEP_TEST(TestExifOrientation)
#include "test_exif_orientation.moc"
