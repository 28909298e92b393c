// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/image_structure.h"
#include "dataset/colour_files.h"
#include "dataset/jpeg_maker.h"
#include "dataset/png_files.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <QBuffer>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Without the help of a smooth image: every byte of the file matters.
std::vector<std::uint8_t> noise(std::size_t count)
{
    std::vector<std::uint8_t> values;
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525U + 1013904223U;
        values.push_back(static_cast<std::uint8_t>(state >> 24U));
    }
    return values;
}

std::string photograph()
{
    return JpegMaker{}.write(noise(std::size_t{40} * 48 * 3), 40, 48);
}

/// Grey, in two scans.
std::string progressive()
{
    const JpegMaker maker{
        JCS_GRAYSCALE, JCS_GRAYSCALE, {}, {{1, {0}, 0, 0, 0, 0}, {1, {0}, 1, 63, 0, 0}}};
    return maker.write(noise(std::size_t{32} * 32), 32, 32);
}

/// With a preview that is a JPEG of its own, as cameras put into EXIF.
std::string withPreview()
{
    const std::string preview =
        "Exif" + std::string(2, '\0') + photograph().substr(0, 3000) + "\xFF\xD9";
    const std::size_t length = preview.size() + 2;
    std::string file = photograph();
    file.insert(
        2, std::string("\xFF\xE1") + static_cast<char>(length >> 8U)
               + static_cast<char>(length & 255U) + preview);
    return file;
}

std::string drawing(const char* format)
{
    const auto pixels = noise(std::size_t{30} * 20 * 3);
    const QImage image(pixels.data(), 30, 20, 90, QImage::Format_RGB888);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, format);
    return bytes.toStdString();
}

std::string cut(const std::string& file, std::size_t bytes)
{
    return file.substr(0, bytes);
}

/// As a download that was broken off leaves a file whose room was taken before.
std::string zeroed(std::string file, std::size_t from, std::size_t count = std::string::npos)
{
    const std::size_t bytes = std::min(count, file.size() - from);
    return file.replace(from, bytes, bytes, '\0');
}

} // namespace

class TestImageStructure : public QObject
{
    Q_OBJECT

private slots:
    void Check_file_data();
    void Check_file();
    void Check_everyCut_isFound_data();
    void Check_everyCut_isFound();
};

void TestImageStructure::Check_file_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("reason"); // none: its structure is right
    const auto row = [](const char* name, const std::string& file, const char* reason = "") {
        QTest::newRow(name) << QByteArray::fromStdString(file) << QString(reason);
    };
    const char* const isCut = "it is cut short";
    const std::string jpeg = photograph();
    const std::string png = drawing("PNG");
    const std::string bmp = drawing("BMP");
    const std::string scans = progressive();
    row("JPEG", jpeg);
    row("progressive", scans);
    row("JPEG of one pixel", jpegOf(flatImage(1, 1, {1, 2, 3})));
    row("PNG", png);
    row("BMP", bmp);
    row("something behind the end", jpeg + "and a text that a camera put there");
    row("another JPEG behind the end", jpeg + cut(jpeg, 900));
    row("something behind a PNG", png + "text");
    row("something behind a BMP", bmp + "text");
    row("EXIF with a preview", withPreview());
    row("an FF more before a mark", std::string(jpeg).insert(jpeg.find("\xFF\xDB"), "\xFF"));
    row("bytes between segments", std::string(jpeg).insert(20, "ab"));
    row("a segment without length", std::string(jpeg).replace(4, 2, 2, '\0'));
    row("pixels that are zero", zeroed(jpeg, jpeg.size() / 2, 200)); // decoding alone can tell
    row("EXIF with a preview, cut in it", cut(withPreview(), 1000), isCut);
    row("EXIF with a preview, cut behind it", cut(withPreview(), 4000), isCut);
    row("half", cut(jpeg, jpeg.size() / 2), isCut);
    row("cut within the header", cut(jpeg, 30), isCut);
    row("cut within a length", cut(jpeg, 5), isCut);
    row("without end", cut(jpeg, jpeg.size() - 2), isCut);
    row("without the last byte", cut(jpeg, jpeg.size() - 1), isCut);
    row("zeros to the end", zeroed(jpeg, jpeg.size() / 2), isCut);
    row("cut between scans", cut(scans, scans.rfind("\xFF\xDA")), isCut);
    row("a header and an end", cut(jpeg, jpeg.find("\xFF\xDA")) + "\xFF\xD9", "it holds no pixels");
    row("a page", "<!DOCTYPE html><html><body>404</body></html>", "is a web page");
    row("empty", "", "the file is empty");
    row("PNG, wrong checksum", zeroed(png, png.find("IDAT") + 20, 4), "CRC error");
    row("PNG without end", cut(png, png.size() - 12), isCut);
    row("PNG, cut in its pixels", cut(png, png.size() / 2), isCut);
    row("PNG, cut in a length", cut(png, png.size() - 10), isCut);
    row("PNG, zeros to the end", zeroed(png, png.size() / 2), "CRC error");
    row("PNG without pixels", std::string(png).erase(33, png.size() - 45), "it holds no pixels");
    row("BMP, cut", cut(bmp, bmp.size() - 1), isCut);
    row("BMP, cut in its header", cut(bmp, 10), isCut);
}

/// Nothing is refused that decoding accepts.
void TestImageStructure::Check_file()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, reason);
    const std::string bytes = file.toStdString();
    const auto error = errorOf([&] { checkStructure(asBytes(bytes), "cat/7"); });
    if (reason.isEmpty()) {
        QVERIFY2(!error, error ? error->what() : "");
        return;
    }
    QVERIFY2(tells(error, ErrorCode::Data, "cat/7: "), error ? error->what() : "nothing");
    QVERIFY2(tells(error, ErrorCode::Data, reason.toStdString()), error->what());
    ColourImage image;
    QVERIFY(errorOf([&] { decodeColours(asBytes(bytes), "cat/7", {}, image); }));
}

void TestImageStructure::Check_everyCut_isFound_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::newRow("JPEG") << QByteArray::fromStdString(photograph());
    QTest::newRow("progressive") << QByteArray::fromStdString(progressive());
    QTest::newRow("with a preview") << QByteArray::fromStdString(withPreview());
    QTest::newRow("PNG") << QByteArray::fromStdString(drawing("PNG"));
    QTest::newRow("BMP") << QByteArray::fromStdString(drawing("BMP"));
}

void TestImageStructure::Check_everyCut_isFound()
{
    QFETCH(QByteArray, file);
    const std::string whole = file.toStdString();
    QVERIFY(!errorOf([&] { checkStructure(asBytes(whole), "a"); }));
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
        const std::string part = whole.substr(0, bytes);
        QVERIFY2(
            errorOf([&] { checkStructure(asBytes(part), "a"); }), std::to_string(bytes).c_str());
    }
}

LOCKSTEP_TEST(TestImageStructure)
#include "test_image_structure.moc"
