// SPDX-License-Identifier: Apache-2.0
#include "storage/events/png_image.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <QImage>

#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

QImage decoded(const PngImage& image)
{
    return QImage::fromData(QByteArray::fromStdString(image.bytes), "PNG");
}

} // namespace

// What Qt reads from the file is what went in.
class TestPngImage : public QObject
{
    Q_OBJECT

private slots:
    static void Colours_comeBack();
    static void Greys_comeBack();
    static void Pixels_thatDoNotFit_areRefused();
};

void TestPngImage::Colours_comeBack()
{
    const std::vector<std::uint8_t> pixels{0, 1, 2, 3, 4, 5, 255, 254, 253, 6, 7, 8};
    const PngImage image = encodePng({2, 2, 3}, pixels);
    QCOMPARE(image.width, 2);
    QCOMPARE(image.height, 2);
    QCOMPARE(image.channels, 3);
    const QImage picture = decoded(image);
    QCOMPARE(picture.size(), QSize(2, 2));
    QCOMPARE(picture.pixel(0, 0), qRgb(0, 1, 2));
    QCOMPARE(picture.pixel(1, 0), qRgb(3, 4, 5));
    QCOMPARE(picture.pixel(0, 1), qRgb(255, 254, 253));
}

void TestPngImage::Greys_comeBack()
{
    const QImage picture = decoded(encodePng({1, 3, 1}, std::vector<std::uint8_t>{0, 100, 255}));
    QCOMPARE(picture.size(), QSize(3, 1));
    QCOMPARE(qGray(picture.pixel(1, 0)), 100);
    QCOMPARE(qGray(picture.pixel(2, 0)), 255);
}

void TestPngImage::Pixels_thatDoNotFit_areRefused()
{
    const std::vector<std::uint8_t> pixels(12);
    QVERIFY(failureOf([&] { encodePng({2, 2, 2}, pixels); }).contains("grey"));
    QVERIFY(failureOf([&] { encodePng({2, 3, 3}, pixels); }).contains("size"));
}

LOCKSTEP_TEST(TestPngImage)
#include "test_png_image.moc"
