// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/gray_image.h"
#include "dataset/masked_files.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <QBuffer>
#include <QImage>

#include <algorithm>
#include <cstdlib>

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::span<const std::byte> bytesOf(const std::string& text)
{
    return std::as_bytes(std::span(text));
}

/// As Qt, which shares no code with our decoders, writes it.
std::string encodedByQt(const QImage& image, const char* format)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, format);
    return bytes.toStdString();
}

QImage qtImage(const GrayImage& image)
{
    QImage result(
        static_cast<int>(image.width), static_cast<int>(image.height), QImage::Format_Grayscale8);
    for (int y = 0; y < result.height(); ++y) {
        std::copy_n(image.pixels.data() + y * image.width, image.width, result.scanLine(y));
    }
    return result;
}

} // namespace

class TestGrayImage : public QObject
{
    Q_OBJECT

private slots:
    void DecodeGray_pngAndBmp_isWhatWasWritten();
    void DecodeGray_jpeg_isNearWhatWasWritten();
    void DecodeGray_colours_becomeLuminance();
    void DecodeGray_kindsOfBmp_data();
    void DecodeGray_kindsOfBmp();
    void DecodeGray_refused_data();
    void DecodeGray_refused();
    void DecodeMask_anyValueButZero_isMarked();
    void DecodeMask_oneFaintChannel_isMarked();
    void DecodeMask_transparency_isNoMark();
    void DecodeMask_jpeg_isRefused();
};

void TestGrayImage::DecodeGray_pngAndBmp_isWhatWasWritten()
{
    const GrayImage image = smoothImage(13, 7, 3);
    QVERIFY(decodeGray(bytesOf(encodedByQt(qtImage(image), "PNG")), "a") == image);
    QVERIFY(decodeGray(bytesOf(encodedByQt(qtImage(image), "BMP")), "a") == image);
    QVERIFY(decodeGray(bytesOf(bmpOf(image)), "a") == image);
}

void TestGrayImage::DecodeGray_jpeg_isNearWhatWasWritten()
{
    GrayImage image{40, 32, {}};
    for (int i = 0; i < 40 * 32; ++i) {
        image.pixels.push_back(static_cast<std::uint8_t>(40 + i / 32 * 3 + i % 32));
    }
    const GrayImage read = decodeGray(bytesOf(jpegOf(image)), "a");
    QCOMPARE(read.height, 40);
    QCOMPARE(read.width, 32);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        QVERIFY(std::abs(int{read.pixels[i]} - int{image.pixels[i]}) <= 3);
    }
}

void TestGrayImage::DecodeGray_colours_becomeLuminance()
{
    QImage image(16, 16, QImage::Format_RGB32);
    image.fill(QColor(200, 100, 50));
    const double luminance = 0.299 * 200 + 0.587 * 100 + 0.114 * 50;
    for (const char* format : {"PNG", "BMP", "JPG"}) {
        const GrayImage grey = decodeGray(bytesOf(encodedByQt(image, format)), "a");
        QVERIFY2(std::abs(grey.pixels[40] - luminance) <= 2.0, format);
    }
}

/// A JPEG that says of itself that it is of another process, with so many bits.
static QByteArray sofOf(const std::string& jpeg, char process, char bits)
{
    QByteArray file = QByteArray::fromStdString(jpeg);
    const auto place = file.indexOf("\xFF\xC0");
    file[place + 1] = process;
    file[place + 4] = bits;
    return file;
}

/// With another number in its header.
static QByteArray bmpWith(const std::string& bmp, int place, std::uint32_t value, int bytes)
{
    std::string number;
    append(number, value, bytes);
    return QByteArray::fromStdString(bmp).replace(place, bytes, QByteArray::fromStdString(number));
}

void TestGrayImage::DecodeGray_kindsOfBmp_data()
{
    QTest::addColumn<QByteArray>("file");
    const GrayImage image = smoothImage(6, 10, 1);
    const std::string bmp = bmpOf(image);
    QTest::newRow("its length 2 too large")
        << bmpWith(bmp, 2, static_cast<std::uint32_t>(bmp.size()) + 2, 4);
    QTest::newRow("its length not given") << bmpWith(bmp, 2, 0, 4);
    QTest::newRow("bytes behind it") << QByteArray::fromStdString(bmp + "more");
    // Its rows, which now begin at the top, are turned around.
    GrayImage turned{image.height, image.width, {}};
    for (auto row = image.height; row-- > 0;) {
        const auto from = image.pixels.begin() + row * image.width;
        turned.pixels.insert(turned.pixels.end(), from, from + image.width);
    }
    QTest::newRow("from the top") << bmpWith(bmpOf(turned), 22, static_cast<std::uint32_t>(-6), 4);
    std::string old = bmpWith(bmp, 14, 12, 4).toStdString().substr(0, 18); // OS/2
    for (const std::uint32_t value : {10U, 6U, 1U, 8U}) {
        append(old, value, 2);
    }
    for (std::uint32_t level = 0; level < 256; ++level) {
        append(old, level * 0x010101U, 3);
    }
    const auto pixels = static_cast<std::uint32_t>(old.size());
    QTest::newRow("of OS/2") << bmpWith(old + bmp.substr(1078), 10, pixels, 4);
    std::string masks = bmpWith(bmp, 10, 66, 4).left(54).toStdString(); // 565
    masks = bmpWith(masks, 28, 16, 2).toStdString();
    masks = bmpWith(masks, 30, 3, 4).toStdString();
    for (const std::uint32_t mask : {0xF800U, 0x07E0U, 0x001FU}) {
        append(masks, mask, 4);
    }
    for (auto row = image.height; row-- > 0;) {
        for (std::int64_t column = 0; column < image.width; ++column) {
            const auto value = image.pixels[static_cast<std::size_t>(row * image.width + column)];
            append(masks, value >> 3U << 11U | value >> 2U << 5U | value >> 3U, 2);
        }
    }
    QTest::newRow("16 bits by masks") << QByteArray::fromStdString(masks);
}

void TestGrayImage::DecodeGray_kindsOfBmp()
{
    QFETCH(QByteArray, file);
    const std::string bytes = file.toStdString();
    const GrayImage expected = smoothImage(6, 10, 1);
    const GrayImage read = decodeGray(bytesOf(bytes), "a");
    QCOMPARE(read.height, expected.height);
    QCOMPARE(read.width, expected.width);
    for (std::size_t i = 0; i < expected.pixels.size(); ++i) {
        QVERIFY(std::abs(read.pixels[i] - expected.pixels[i]) <= 7); // of 5 bits
    }
}

void TestGrayImage::DecodeGray_refused_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("text");
    const std::string jpeg = jpegOf(smoothImage(64, 48, 1));
    const std::string bmp = bmpOf(smoothImage(64, 48, 1));
    const std::string png = encodedByQt(qtImage(smoothImage(64, 48, 1)), "PNG");
    const auto part = [](const std::string& whole, std::size_t bytes) {
        return QByteArray::fromStdString(whole.substr(0, bytes));
    };
    QTest::newRow("empty") << QByteArray() << "is empty";
    QTest::newRow("text") << QByteArray("hello, I am no image") << "is not a JPEG, PNG or BMP";
    const auto named = [](const char* name, QByteArray start, const char* text) {
        QTest::newRow(name) << start.leftJustified(200, ' ') << text;
    };
    named("gif", "GIF89a", "is a GIF image, not a JPEG, PNG or BMP; convert it");
    named("webp", {"RIFF\x10\0\0\0WEBPVP8 ", 16}, "is a WebP image");
    named("tiff", {"II*\0", 4}, "is a TIFF image");
    named("tiff of a Mac", {"MM\0*", 4}, "is a TIFF image");
    named(
        "avif",
        {"\0\0\0\x20"
         "ftypavif",
         12},
        "is an AVIF image");
    named(
        "heic",
        {"\0\0\0\x18"
         "ftypheic",
         12},
        "is a HEIC image");
    named("jpeg 2000", {"\0\0\0\x0CjP  \r\n", 10}, "is a JPEG 2000 image");
    named("jpeg xl", "\xFF\x0A", "is a JPEG XL image");
    named("web page", "\xEF\xBB\xBF\r\n <!DOCTYPE html><html>", "is a web page, not an image");
    named("web page without a doctype", "<HTML lang='en'>", "is a web page");
    named("pointer of Git LFS", "version https://git-lfs.github.com/spec/v1", "Git LFS");
    named("zip", "PK\3\4", "is a zip archive");
    named("12 bits", sofOf(jpeg, '\xC0', 12), "12 bits a sample are not supported");
    named("9 bits", sofOf(jpeg, '\xC0', 9), "damaged");
    named("lossless", sofOf(jpeg, '\xC3', 8), "lossless JPEG is not supported");
    named("hierarchical", sofOf(jpeg, '\xC5', 8), "hierarchical JPEG is not supported");
    named("JPEG-LS", sofOf(jpeg, '\xF7', 8), "JPEG-LS is not supported");
    const auto frame = sofOf(jpeg, '\xC0', 8).indexOf("\xFF\xC0");
    const auto flat = sofOf(jpeg, '\xC0', 8).replace(frame + 5, 2, QByteArray(2, '\0'));
    named("without a height", flat, "damaged");
    named(
        "with its height behind the pixels", flat + QByteArray("\xFF\xDC\0\4\0\x20", 6),
        "a JPEG whose height stands behind its pixels is not supported");
    named(
        "Apple's PNG", QByteArray("\x89PNG\r\n\x1A\n\0\0\0\4CgBI", 16) + QByteArray(40, '\0'),
        "PNG as Apple packs it (CgBI) is not supported");
    named("2 bits", bmpWith(bmp, 28, 2, 2), "a BMP of so many bits a pixel is not supported");
    named("64 bits", bmpWith(bmp, 28, 64, 2), "a BMP of so many bits a pixel is not supported");
    named("RLE8", bmpWith(bmp, 30, 1, 4), "compressed BMP is not supported");
    named("RLE4", bmpWith(bmp, 30, 2, 4), "compressed BMP is not supported");
    named("a PNG within", bmpWith(bmp, 30, 5, 4), "compressed BMP is not supported");
    named("OS/2's second header", bmpWith(bmp, 14, 64, 4), "this header is not supported");
    named("no header of a BMP", bmpWith(bmp, 14, 41, 4), "damaged");
    QTest::newRow("bmp without a byte") << part(bmp, bmp.size() - 1) << "damaged";
    QTest::newRow("jpeg cut short") << part(jpeg, jpeg.size() / 2) << "damaged";
    QTest::newRow("jpeg without end") << part(jpeg, jpeg.size() - 2) << "damaged";
    QTest::newRow("jpeg header") << part(jpeg, 10) << "damaged";
    QTest::newRow("bmp cut short") << part(bmp, bmp.size() / 2) << "damaged";
    QTest::newRow("bmp header") << part(bmp, 20) << "damaged";
    QTest::newRow("png cut short") << part(png, png.size() / 2) << "damaged";
    std::string huge = bmp;
    huge[20] = 1; // 65,536 + 48 columns
    QTest::newRow("a side too long")
        << QByteArray::fromStdString(huge) << "claims 65584 × 64 pixels";
}

void TestGrayImage::DecodeGray_refused()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, text);
    const std::string bytes = file.toStdString();
    for (const bool isMask : {false, true}) {
        const auto error = errorOf([&] {
            isMask ? decodeMask(bytesOf(bytes), "kos01/Part0")
                   : decodeGray(bytesOf(bytes), "kos01/Part0");
        });
        const bool isMaskOfJpeg = isMask && bytes.starts_with("\xFF\xD8");
        QVERIFY(tells(error, ErrorCode::Data, "kos01/Part0: "));
        QVERIFY2(
            isMaskOfJpeg || tells(error, ErrorCode::Data, text.toStdString()),
            error ? error->what() : "");
    }
}

void TestGrayImage::DecodeMask_anyValueButZero_isMarked()
{
    const GrayImage values{1, 5, {0, 1, 127, 255, 0}};
    const GrayImage expected{1, 5, {0, 1, 1, 1, 0}};
    QVERIFY(decodeMask(bytesOf(bmpOf(values)), "a") == expected);
    QVERIFY(decodeMask(bytesOf(encodedByQt(qtImage(values), "PNG")), "a") == expected);
}

void TestGrayImage::DecodeMask_oneFaintChannel_isMarked()
{
    QImage image(3, 1, QImage::Format_RGB32);
    image.setPixelColor(0, 0, QColor(0, 0, 0));
    image.setPixelColor(1, 0, QColor(1, 0, 0));
    image.setPixelColor(2, 0, QColor(0, 0, 1));
    for (const char* format : {"PNG", "BMP"}) {
        QVERIFY(
            (decodeMask(bytesOf(encodedByQt(image, format)), "a") == GrayImage{1, 3, {0, 1, 1}}));
    }
}

void TestGrayImage::DecodeMask_transparency_isNoMark()
{
    QImage image(2, 1, QImage::Format_RGBA8888);
    image.setPixelColor(0, 0, QColor(0, 0, 0, 255));
    image.setPixelColor(1, 0, QColor(9, 0, 0, 255));
    QVERIFY((decodeMask(bytesOf(encodedByQt(image, "PNG")), "a") == GrayImage{1, 2, {0, 1}}));
}

void TestGrayImage::DecodeMask_jpeg_isRefused()
{
    const std::string jpeg = jpegOf(smoothImage(16, 16, 0));
    const auto error = errorOf([&] { decodeMask(bytesOf(jpeg), "Part0_label.bmp"); });
    QVERIFY(tells(error, ErrorCode::Data, "has to be a BMP or PNG"));
}

LOCKSTEP_TEST(TestGrayImage)
#include "test_gray_image.moc"
