// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/gray_image.h"
#include "dataset/formats/dilation.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// As the authors do it: widened once and again by the cross of four neighbours.
GrayImage widenedByCrosses(const GrayImage& mask, int times)
{
    GrayImage before = mask;
    GrayImage after = mask;
    for (; times > 0; --times, before = after) {
        for (std::int64_t y = 0; y < mask.height; ++y) {
            for (std::int64_t x = 0; x < mask.width; ++x) {
                const auto at = [&](std::int64_t row, std::int64_t column) {
                    const bool isInside =
                        row >= 0 && row < mask.height && column >= 0 && column < mask.width;
                    return isInside
                           && before.pixels[static_cast<std::size_t>(row * mask.width + column)]
                                  != 0;
                };
                after.pixels[static_cast<std::size_t>(y * mask.width + x)] =
                    at(y, x) || at(y - 1, x) || at(y + 1, x) || at(y, x - 1) || at(y, x + 1) ? 1
                                                                                             : 0;
            }
        }
    }
    return after;
}

} // namespace

class TestDilation : public QObject
{
    Q_OBJECT

private slots:
    void Dilate_onePixel_isADiamond_data();
    void Dilate_onePixel_isADiamond();
    void Dilate_anyMask_isThatOfCrosses();
    void Dilate_nothingMarked_staysSo();
    void CheckDilation_others_areNamed();
};

void TestDilation::Dilate_onePixel_isADiamond_data()
{
    QTest::addColumn<int>("dilation");
    QTest::addColumn<int>("pixels");
    QTest::newRow("0") << 0 << 1;
    QTest::newRow("5") << 5 << 13;
    QTest::newRow("9") << 9 << 41;
    QTest::newRow("13") << 13 << 85;
    QTest::newRow("17") << 17 << 145;
}

void TestDilation::Dilate_onePixel_isADiamond()
{
    QFETCH(int, dilation);
    QFETCH(int, pixels);
    GrayImage mask{31, 41, std::vector<std::uint8_t>(31 * 41)};
    mask.pixels[15 * 41 + 20] = 1;
    dilate(mask, dilation);
    QCOMPARE(std::ranges::count(mask.pixels, 1), pixels);
    QCOMPARE(std::ranges::count(mask.pixels, 0), 31 * 41 - pixels);
}

void TestDilation::Dilate_anyMask_isThatOfCrosses()
{
    std::mt19937 random(7);
    for (const int dilation : kDilations) {
        for (int round = 0; round < 20; ++round) {
            const auto height = static_cast<std::int64_t>(1 + random() % 40);
            const auto width = static_cast<std::int64_t>(1 + random() % 40);
            GrayImage mask{height, width, {}};
            for (std::int64_t i = 0; i < height * width; ++i) {
                mask.pixels.push_back(random() % 50 == 0 ? 1 : 0);
            }
            const GrayImage expected = widenedByCrosses(mask, (dilation - 1) / 2);
            dilate(mask, dilation);
            QVERIFY(mask == expected);
        }
    }
}

void TestDilation::Dilate_nothingMarked_staysSo()
{
    GrayImage mask{9, 9, std::vector<std::uint8_t>(81)};
    dilate(mask, 17);
    QCOMPARE(std::ranges::count(mask.pixels, 0), 81);
}

void TestDilation::CheckDilation_others_areNamed()
{
    for (const int dilation : {-1, 1, 3, 7, 19}) {
        const auto error = errorOf([&] { checkDilation(dilation); });
        QVERIFY(tells(error, ErrorCode::BadInput, "dataset.dilation"));
        QVERIFY(tells(error, ErrorCode::BadInput, "0, 5, 9, 13, 17"));
    }
}

LOCKSTEP_TEST(TestDilation)
#include "test_dilation.moc"
