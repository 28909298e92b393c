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
    QTest::newRow("gif") << QByteArray("GIF89a......") << "is not a JPEG, PNG or BMP";
    QTest::newRow("jpeg cut short") << part(jpeg, jpeg.size() / 2) << "damaged";
    QTest::newRow("jpeg without end") << part(jpeg, jpeg.size() - 2) << "damaged";
    QTest::newRow("jpeg header") << part(jpeg, 10) << "damaged";
    QTest::newRow("bmp cut short") << part(bmp, bmp.size() / 2) << "damaged";
    QTest::newRow("bmp header") << part(bmp, 20) << "damaged";
    QTest::newRow("png cut short") << part(png, png.size() / 2) << "damaged";
    std::string huge = bmp;
    huge[20] = 1; // 65,536 + 48 columns
    QTest::newRow("a side too long")
        << QByteArray::fromStdString(huge) << "claims 65584 x 64 pixels";
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
