// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/colour_image.h"
#include "dataset/colour_files.h"
#include "dataset/png_files.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/test_data.h"
#include "support/text_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

ColourImage decoded(const std::string& file, int divisor = 1)
{
    ColourImage image;
    decodeColours(asBytes(file), "a", {divisor}, image);
    return image;
}

/// Falls and rises slowly, each channel in its own way.
ColourImage slopes(std::int64_t height, std::int64_t width)
{
    ColourImage image{height, width, {}};
    for (std::int64_t y = 0; y < height; ++y) {
        for (std::int64_t x = 0; x < width; ++x) {
            for (const std::int64_t value : {20 + 2 * x, 200 - 2 * y, 40 + x + y}) {
                image.pixels.push_back(static_cast<std::uint8_t>(value));
            }
        }
    }
    return image;
}

int largestDifference(const ColourImage& a, const std::vector<double>& b)
{
    double largest = 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        largest = std::max(largest, std::abs(static_cast<double>(a.pixels[i]) - b[i]));
    }
    return static_cast<int>(std::ceil(largest));
}

} // namespace

class TestColourImage : public QObject
{
    Q_OBJECT

private slots:
    void Decode_png_isWhatWasWritten();
    void Decode_jpegOfOneColour_isThatColourAtEverySize_data();
    void Decode_jpegOfOneColour_isThatColourAtEverySize();
    void Decode_scaledJpeg_isTheMeanOfItsPixels();
    void Decode_greyJpeg_hasThreeEqualChannels();
    void Decode_inks_becomeColours();
    void Decode_bytesBetweenSegments_areNoDamage();
    void Decode_refused_data();
    void Decode_refused();
    void Divisor_keepsWhatIsWanted();
    void Decode_photographs_areAsQtHasThem();
};

void TestColourImage::Decode_png_isWhatWasWritten()
{
    QImage image(7, 5, QImage::Format_RGBA8888);
    ColourImage expected{5, 7, {}};
    for (int y = 0; y < 5; ++y) {
        for (int x = 0; x < 7; ++x) {
            const QColor colour(30 * x, 50 * y, 255 - 10 * x, 255 - x);
            image.setPixelColor(x, y, colour);
            for (const int value : {colour.red(), colour.green(), colour.blue()}) {
                expected.pixels.push_back(static_cast<std::uint8_t>(value));
            }
        }
    }
    const std::string file = pngOf(image);
    QVERIFY(decoded(file) == expected);
    QVERIFY(decoded(file, 8) == expected);
    QVERIFY((readImageSize(asBytes(file).first(40), "a") == ImageSize{5, 7}));
    const std::string grey = pngOf(image.convertToFormat(QImage::Format_Grayscale8));
    const ColourImage threeTimes = decoded(grey);
    for (std::size_t i = 0; i < threeTimes.pixels.size(); i += 3) {
        QCOMPARE(threeTimes.pixels[i], threeTimes.pixels[i + 1]);
        QCOMPARE(threeTimes.pixels[i], threeTimes.pixels[i + 2]);
    }
}

void TestColourImage::Decode_jpegOfOneColour_isThatColourAtEverySize_data()
{
    addRows<int, int, int>(
        {"red", "green", "blue"}, {{"red", 200, 30, 20},
                                   {"green", 10, 180, 60},
                                   {"blue", 40, 50, 220},
                                   {"white", 255, 255, 255},
                                   {"black", 0, 0, 0}});
}

void TestColourImage::Decode_jpegOfOneColour_isThatColourAtEverySize()
{
    QFETCH(int, red);
    QFETCH(int, green);
    QFETCH(int, blue);
    const std::array colour{
        static_cast<std::uint8_t>(red), static_cast<std::uint8_t>(green),
        static_cast<std::uint8_t>(blue)};
    const std::string file = jpegOf(flatImage(37, 50, colour));
    QVERIFY((readImageSize(asBytes(file), "a") == ImageSize{37, 50}));
    for (const int divisor : {1, 2, 4, 8}) {
        const ColourImage image = decoded(file, divisor);
        QCOMPARE(image.height, (37 + divisor - 1) / divisor);
        QCOMPARE(image.width, (50 + divisor - 1) / divisor);
        QCOMPARE(std::ssize(image.pixels), image.height * image.width * 3);
        for (std::size_t i = 0; i < image.pixels.size(); ++i) {
            QVERIFY(std::abs(int{image.pixels[i]} - int{colour[i % 3]}) <= 2);
        }
    }
}

void TestColourImage::Decode_scaledJpeg_isTheMeanOfItsPixels()
{
    const ColourImage whole = slopes(64, 96);
    const std::string file = jpegOf(whole);
    for (const int divisor : {1, 2, 4, 8}) {
        std::vector<double> means;
        for (std::int64_t y = 0; y < 64; y += divisor) {
            for (std::int64_t x = 0; x < 96; x += divisor) {
                for (std::int64_t c = 0; c < 3; ++c) {
                    double sum = 0.0;
                    for (int i = 0; i < divisor * divisor; ++i) {
                        const auto place = ((y + i / divisor) * 96 + x + i % divisor) * 3 + c;
                        sum += whole.pixels[static_cast<std::size_t>(place)];
                    }
                    means.push_back(sum / (divisor * divisor));
                }
            }
        }
        const ColourImage image = decoded(file, divisor);
        QCOMPARE(image.pixels.size(), means.size());
        QVERIFY(largestDifference(image, means) <= 3);
    }
}

void TestColourImage::Decode_greyJpeg_hasThreeEqualChannels()
{
    const std::vector<std::uint8_t> values(std::size_t{16} * 24, 77);
    const ColourImage image = decoded(jpegOfValues(values, 16, 24, TJPF_GRAY, TJSAMP_GRAY));
    QVERIFY(image == flatImage(16, 24, {77, 77, 77}));
}

// libjpeg writes inks as Adobe's programs do, and a segment that says so: 255 is no ink. What is
// left of the light after an ink is its value / 255.
void TestColourImage::Decode_inks_becomeColours()
{
    const std::array<std::uint8_t, 4> inks{200, 100, 50, 180}; // cyan, magenta, yellow, black
    std::vector<std::uint8_t> values;
    for (int i = 0; i < 16 * 16; ++i) {
        values.insert(values.end(), inks.begin(), inks.end());
    }
    const std::string file = jpegOfValues(values, 16, 16, TJPF_CMYK);
    for (const int divisor : {1, 4}) {
        const ColourImage image = decoded(file, divisor);
        QCOMPARE(std::ssize(image.pixels), 16 * 16 * 3 / (divisor * divisor));
        for (std::size_t i = 0; i < image.pixels.size(); ++i) {
            const double expected = inks[i % 3] * (inks[3] / 255.0);
            QVERIFY(std::abs(image.pixels[i] - expected) <= 2.5);
        }
    }
}

void TestColourImage::Decode_bytesBetweenSegments_areNoDamage()
{
    const ColourImage image = slopes(32, 32);
    const std::string file = jpegOf(image);
    std::string more = file;
    more.insert(more.size() - 2, "ab"); // before the end
    QVERIFY(decoded(more) == decoded(file));
}

void TestColourImage::Decode_refused_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("text");
    const std::string jpeg = jpegOf(slopes(64, 48));
    QImage drawn(48, 64, QImage::Format_RGB32);
    drawn.fill(Qt::red);
    const std::string png = pngOf(drawn);
    const auto part = [](const std::string& whole, std::size_t bytes) {
        return QByteArray::fromStdString(whole.substr(0, bytes));
    };
    QTest::newRow("empty") << QByteArray() << "is empty";
    QTest::newRow("zeros") << QByteArray(200, '\0') << "is not a JPEG";
    QTest::newRow("gif") << QByteArray("GIF89a......") << "is a GIF image";
    QTest::newRow("jpeg cut short") << part(jpeg, jpeg.size() / 2) << "damaged";
    QTest::newRow("jpeg header") << part(jpeg, 10) << "damaged";
    QTest::newRow("png cut short") << part(png, png.size() / 2) << "damaged";
    QTest::newRow("png header") << part(png, 20) << "damaged";
}

void TestColourImage::Decode_refused()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, text);
    const std::string bytes = file.toStdString();
    ColourImage image;
    const auto error =
        errorOf([&] { decodeColours(asBytes(bytes), "train/cat/7.JPEG", {}, image); });
    QVERIFY(tells(error, ErrorCode::Data, "train/cat/7.JPEG: "));
    QVERIFY(tells(error, ErrorCode::Data, text.toStdString()));
}

void TestColourImage::Divisor_keepsWhatIsWanted()
{
    const ImageSize wanted{299, 299};
    QCOMPARE(divisorFor({200, 4000}, wanted), 1);
    QCOMPARE(divisorFor({597, 4000}, wanted), 1);
    QCOMPARE(divisorFor({598, 598}, wanted), 2);
    QCOMPARE(divisorFor({1196, 1500}, wanted), 4);
    QCOMPARE(divisorFor({9000, 9000}, wanted), 8);
}

void TestColourImage::Decode_photographs_areAsQtHasThem()
{
    const auto folder = testData("imagenet-fullsize-sample");
    if (!std::filesystem::exists(folder)) {
        QSKIP("imagenet-fullsize-sample is not there (LOCKSTEP_TEST_DATA)");
    }
    int images = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".JPEG" || images == 3) {
            continue;
        }
        std::ifstream stream(entry.path(), std::ios::binary);
        const std::string file{
            std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
        const ColourImage image = decoded(file);
        const QImage expected = QImage::fromData(QByteArray::fromStdString(file), "JPEG")
                                    .convertToFormat(QImage::Format_RGB888);
        QCOMPARE(image.height, expected.height());
        QCOMPARE(image.width, expected.width());
        double difference = 0.0;
        for (int y = 0; y < expected.height(); ++y) {
            for (int i = 0; i < expected.width() * 3; ++i) {
                const int at = y * expected.width() * 3 + i;
                const auto place = static_cast<std::size_t>(at);
                difference +=
                    std::abs(int{image.pixels[place]} - int{expected.constScanLine(y)[i]});
            }
        }
        // Qt may take a transform of its own choice.
        QVERIFY(difference / static_cast<double>(image.pixels.size()) < 1.0);
        ++images;
    }
    QCOMPARE(images, 3);
}

LOCKSTEP_TEST(TestColourImage)
#include "test_colour_image.moc"
