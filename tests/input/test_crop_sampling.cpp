// SPDX-License-Identifier: Apache-2.0
#include "input/photo/crop_sampling.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

using namespace lockstep;

namespace {

constexpr int kDraws = 4000;

template<class Visit>
void forEachCrop(
    const ImageSize& size, const std::vector<ObjectBox>& boxes, const CropLimits& limits,
    Visit visit)
{
    for (std::uint32_t i = 0; i < kDraws; ++i) {
        PhiloxStream stream(5, RandomPurpose::Distortion, 0, i);
        visit(sampleCrop(size, boxes, limits, stream));
    }
}

bool isWithin(const CropBox& crop, const ImageSize& size)
{
    return crop.row >= 0 && crop.column >= 0 && crop.height > 0 && crop.width > 0
           && crop.row + crop.height <= size.height && crop.column + crop.width <= size.width;
}

bool isWhole(const CropBox& crop, const ImageSize& size)
{
    return crop == CropBox{0, 0, size.height, size.width};
}

} // namespace

class TestCropSampling : public QObject
{
    Q_OBJECT

private slots:
    void Sample_manySizes_keepsToTheLimits_data();
    void Sample_manySizes_keepsToTheLimits();
    void Sample_places_reachAllBorders();
    void Sample_aspects_coverTheirRange();
    void Sample_box_isCovered();
    void Sample_impossible_isTheWholeImage();
    void Central_isWithoutASixteenthEachSide();
    void Scaled_isTheSamePart();
};

void TestCropSampling::Sample_manySizes_keepsToTheLimits_data()
{
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("width");
    QTest::addRow("photograph") << 375 << 500;
    QTest::addRow("upright") << 500 << 333;
    QTest::addRow("small") << 32 << 32;
    QTest::addRow("long") << 40 << 900;
    QTest::addRow("large") << 3000 << 2000;
    QTest::addRow("tiny") << 3 << 2;
    QTest::addRow("one pixel") << 1 << 1;
}

void TestCropSampling::Sample_manySizes_keepsToTheLimits()
{
    QFETCH(int, height);
    QFETCH(int, width);
    const ImageSize size{height, width};
    forEachCrop(size, {}, {}, [&](const CropBox& crop) {
        QVERIFY(isWithin(crop, size));
        if (isWhole(crop, size)) {
            return;
        }
        const double area = static_cast<double>(crop.height * crop.width) / (height * width);
        // A tenth of the image has to be covered where it has no boxes.
        QVERIFY(area >= 0.1 - 1e-6 && area <= 1.0);
        // The width is the product, rounded.
        const auto high = static_cast<double>(crop.height);
        const auto wide = static_cast<double>(crop.width);
        QVERIFY(wide >= 0.75 * high - 0.51 && wide <= 1.33 * high + 0.51);
    });
}

void TestCropSampling::Sample_places_reachAllBorders()
{
    const ImageSize size{20, 24};
    std::set<std::int64_t> rows;
    int touching = 0;
    forEachCrop(size, {}, {}, [&](const CropBox& crop) {
        rows.insert(crop.row);
        touching += crop.row + crop.height == size.height && crop.row > 0 ? 1 : 0;
    });
    QVERIFY(rows.contains(0) && rows.size() > 10);
    QVERIFY(touching > kDraws / 50);
}

// Where no limit is in the way, the aspect ratio is uniform.
void TestCropSampling::Sample_aspects_coverTheirRange()
{
    CropLimits limits;
    limits.leastCovered = 0.0F;
    limits.leastArea = 0.05F;
    limits.mostArea = 0.1F;
    double sum = 0.0;
    double least = 2.0;
    double most = 0.0;
    forEachCrop({2000, 2000}, {}, limits, [&](const CropBox& crop) {
        const double aspect = static_cast<double>(crop.width) / static_cast<double>(crop.height);
        sum += aspect;
        least = std::min(least, aspect);
        most = std::max(most, aspect);
    });
    QVERIFY(least < 0.76 && most > 1.32);
    // Five standard deviations of the mean of uniform numbers.
    const double deviation = (1.33 - 0.75) / std::sqrt(12.0 * kDraws);
    QVERIFY(std::abs(sum / kDraws - (1.33 + 0.75) / 2.0) < 5.0 * deviation + 1e-3);
}

void TestCropSampling::Sample_box_isCovered()
{
    const ImageSize size{300, 400};
    CropLimits limits;
    limits.leastCovered = 0.5F;
    // 60 x 40 pixels from (30, 300) on.
    const std::vector<ObjectBox> boxes{{0.1F, 0.75F, 0.3F, 0.85F}};
    int small = 0;
    forEachCrop(size, boxes, limits, [&](const CropBox& crop) {
        const auto rows = std::min<std::int64_t>(90, crop.row + crop.height)
                          - std::max<std::int64_t>(30, crop.row);
        const auto columns = std::min<std::int64_t>(340, crop.column + crop.width)
                             - std::max<std::int64_t>(300, crop.column);
        QVERIFY(rows > 0 && columns > 0);
        QVERIFY(static_cast<double>(rows * columns) >= 0.5 * 59 * 40);
        small += crop.height * crop.width < 300 * 400 / 10 ? 1 : 0;
    });
    QVERIFY(small > 0); // it is the box that has to be covered, not a tenth of the image
}

void TestCropSampling::Sample_impossible_isTheWholeImage()
{
    CropLimits limits;
    limits.leastArea = 0.9F; // of a strip, of which no crop of these aspects can have that much
    forEachCrop({10, 400}, {}, limits, [&](const CropBox& crop) {
        QVERIFY(isWhole(crop, {10, 400}));
    });
}

void TestCropSampling::Central_isWithoutASixteenthEachSide()
{
    QVERIFY((centralCrop({320, 480}) == CropBox{20, 30, 280, 420}));
    QVERIFY((centralCrop({335, 495}) == CropBox{20, 30, 295, 435}));
    QVERIFY((centralCrop({15, 1}) == CropBox{0, 0, 15, 1}));
}

void TestCropSampling::Scaled_isTheSamePart()
{
    const CropBox crop{10, 20, 100, 60};
    QVERIFY(scaledCrop(crop, {301, 203}, {301, 203}) == crop);
    QVERIFY((scaledCrop(crop, {400, 200}, {200, 100}) == CropBox{5, 10, 50, 30}));
    for (const std::int64_t divisor : {2, 4, 8}) {
        for (std::int64_t side = 1; side < 70; ++side) {
            const ImageSize from{side, 70 - side};
            const ImageSize to{
                (from.height + divisor - 1) / divisor, (from.width + divisor - 1) / divisor};
            for (std::int64_t row = 0; row < from.height; ++row) {
                QVERIFY(isWithin(scaledCrop({row, 0, 1, 1}, from, to), to));
                QVERIFY(isWithin(scaledCrop({row, 0, from.height - row, 1}, from, to), to));
            }
        }
    }
}

LOCKSTEP_TEST(TestCropSampling)
#include "test_crop_sampling.moc"
