// SPDX-License-Identifier: Apache-2.0
#include "input/distort.h"
#include "support/distortion_reference.h"
#include "support/fake_dataset.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep::test {
namespace {

double largestDifference(const std::vector<float>& a, const std::vector<double>& b)
{
    double largest = a.size() == b.size() ? 0.0 : HUGE_VAL;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        largest = std::max(largest, std::abs(a[i] - b[i]) / std::max(1.0, std::abs(b[i])));
    }
    return largest;
}

} // namespace

class TestDistortionReference : public QObject
{
    Q_OBJECT
private slots:
    void Distorter_anySettings_agreesWithTheReference_data();
    void Distorter_anySettings_agreesWithTheReference();
    void Distorter_faintImage_agreesWithTheReference();
};

void TestDistortionReference::Distorter_anySettings_agreesWithTheReference_data()
{
    QTest::addColumn<int>("order");
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("cropHeight");
    QTest::addColumn<int>("cropWidth");
    for (const int order : {0, 1}) {
        for (const int channels : {1, 3, 4}) {
            QTest::addRow("order %d, %d channels, 24x24", order, channels)
                << order << channels << 24 << 24;
            QTest::addRow("order %d, %d channels, whole", order, channels)
                << order << channels << 29 << 35;
            QTest::addRow("order %d, %d channels, 1x17", order, channels)
                << order << channels << 1 << 17;
            QTest::addRow("order %d, %d channels, 1x1", order, channels)
                << order << channels << 1 << 1;
        }
    }
}

void TestDistortionReference::Distorter_anySettings_agreesWithTheReference()
{
    QFETCH(int, order);
    QFETCH(int, channels);
    QFETCH(int, cropHeight);
    QFETCH(int, cropWidth);
    const Shape image{29, 35, channels};
    const auto pixelOrder = order == 0 ? PixelOrder::Planar : PixelOrder::Interleaved;
    const FakeDataset dataset(3, image, pixelOrder);
    for (unsigned switches = 0; switches < 32; ++switches) {
        DistortionSettings settings{cropHeight, cropWidth};
        settings.crop = (switches & 1U) != 0;
        settings.flip = (switches & 2U) != 0;
        settings.brightness = (switches & 4U) != 0;
        settings.contrast = (switches & 8U) != 0;
        settings.standardize = (switches & 16U) != 0;
        const DistortionReference reference(settings, image, pixelOrder);
        for (std::uint32_t example = 0; example < 3; ++example) {
            const auto pixels = dataset.example(example).pixels;
            // Three roundings to float32: of values below 512 grey levels (each up to 2^-16), or of
            // standardised ones of about 1, whose errors are smaller as much as they are.
            const double tolerance = settings.standardize ? 1e-6 : 5e-5;
            const double difference = largestDifference(
                distort(settings, pixels, example, image, pixelOrder),
                reference.distort(pixels, 1, 2, example));
            QVERIFY2(
                difference < tolerance,
                qPrintable(QString("switches %1: %2").arg(switches).arg(difference)));
        }
    }
}

void TestDistortionReference::Distorter_faintImage_agreesWithTheReference()
{
    // One grey level in one place of 3,072: the deviation is at its lower bound, what is lost by
    // rounding is magnified most.
    std::vector<std::uint8_t> pixels(3072, 254);
    pixels[16 * 32 + 16] = 255;
    for (std::uint32_t example = 0; example < 20; ++example) {
        const DistortionSettings settings;
        const DistortionReference reference(settings, kImage, PixelOrder::Planar);
        QVERIFY(
            largestDifference(
                distort(settings, pixels, example), reference.distort(pixels, 1, 2, example))
            < 1e-6);
    }
}

} // namespace lockstep::test

LOCKSTEP_TEST(lockstep::test::TestDistortionReference)
#include "test_distortion_reference.moc"
