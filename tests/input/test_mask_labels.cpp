// SPDX-License-Identifier: Apache-2.0
#include "input/mask_labels.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::int64_t kHeight = 48;
constexpr std::int64_t kWidth = 32;

std::vector<std::uint8_t> randomMask(unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<std::uint8_t> mask;
    for (std::int64_t i = 0; i < kHeight * kWidth; ++i) {
        mask.push_back(random() % 4 == 0 ? 1 : 0);
    }
    return mask;
}

/// The mean of those of 17 x 17 pixels about a cell that there are. SAME padding puts what is
/// missing, 9 pixels for steps of 8, half before and half behind, the odd one behind.
double pooled(const std::vector<std::uint8_t>& mask, std::int64_t row, std::int64_t column)
{
    double sum = 0.0;
    double count = 0.0;
    for (std::int64_t y = 8 * row - 4; y <= 8 * row + 12; ++y) {
        for (std::int64_t x = 8 * column - 4; x <= 8 * column + 12; ++x) {
            if (y >= 0 && y < kHeight && x >= 0 && x < kWidth) {
                sum += mask[static_cast<std::size_t>(y * kWidth + x)];
                count += 1.0;
            }
        }
    }
    return sum / count;
}

std::vector<float> labelsOf(const std::vector<std::uint8_t>& mask, MaskLabel kind, PixelGrid grid)
{
    MaskLabeller labeller(kHeight, kWidth, kind, grid);
    std::vector<float> labels(static_cast<std::size_t>(labeller.shape().elements()));
    labeller.apply({mask, kHeight, kWidth}, {}, labels);
    return labels;
}

} // namespace

class TestMaskLabels : public QObject
{
    Q_OBJECT

private slots:
    void Pooled_anyMask_isTheMeanOfTheWindow();
    void Pooled_otherSize_isResizedFirst();
    void Reduced_anyMask_isSetWhereSomeIsLeft();
    void Labeller_oddSizes_areRefused();
};

void TestMaskLabels::Pooled_anyMask_isTheMeanOfTheWindow()
{
    const auto mask = randomMask(1);
    const auto labels = labelsOf(mask, MaskLabel::Pooled, PixelGrid::Corners);
    QCOMPARE(std::ssize(labels), 6 * 4);
    for (std::int64_t row = 0; row < 6; ++row) {
        for (std::int64_t column = 0; column < 4; ++column) {
            const float label = labels[static_cast<std::size_t>(row * 4 + column)];
            QVERIFY(std::abs(label - pooled(mask, row, column)) < 1e-6);
        }
    }
}

void TestMaskLabels::Pooled_otherSize_isResizedFirst()
{
    // Half as large: every second pixel of the resized one is one of the mask's.
    std::vector<std::uint8_t> small(24 * 16);
    std::fill(small.begin() + 8 * 16, small.begin() + 12 * 16, std::uint8_t{1});
    MaskLabeller labeller(kHeight, kWidth, MaskLabel::Pooled, PixelGrid::Corners);
    std::vector<float> labels(24);
    labeller.apply({small, 24, 16}, {}, labels);
    // Rows 16 to 22 of 48 are 1, and 15 and 23 a half: they lie between a marked and a clean one.
    const auto full = [](std::int64_t row) {
        double sum = 0.0;
        double count = 0.0;
        for (std::int64_t y = std::max<std::int64_t>(0, 8 * row - 4);
             y <= std::min<std::int64_t>(47, 8 * row + 12); ++y) {
            sum += y >= 16 && y <= 22 ? 1.0 : y == 15 || y == 23 ? 0.5 : 0.0;
            count += 1.0;
        }
        return sum / count;
    };
    for (std::int64_t row = 0; row < 6; ++row) {
        for (std::int64_t column = 0; column < 4; ++column) {
            const float label = labels[static_cast<std::size_t>(row * 4 + column)];
            QVERIFY(std::abs(label - full(row)) < 1e-6);
        }
    }
}

void TestMaskLabels::Reduced_anyMask_isSetWhereSomeIsLeft()
{
    const auto mask = randomMask(2);
    const auto labels = labelsOf(mask, MaskLabel::Reduced, PixelGrid::Centers);
    // Place (i + 1/2) * 8 - 1/2 lies half way between pixels 8 i + 3 and 8 i + 4.
    for (std::int64_t row = 0; row < 6; ++row) {
        for (std::int64_t column = 0; column < 4; ++column) {
            const auto at = [&](std::int64_t y, std::int64_t x) {
                return int{mask[static_cast<std::size_t>((8 * row + y) * kWidth + 8 * column + x)]};
            };
            const int marks = at(3, 3) + at(3, 4) + at(4, 3) + at(4, 4);
            QCOMPARE(labels[static_cast<std::size_t>(row * 4 + column)], marks > 0 ? 1.0F : 0.0F);
        }
    }
}

void TestMaskLabels::Labeller_oddSizes_areRefused()
{
    for (const auto& size : {std::pair{44, 32}, std::pair{48, 36}}) {
        const auto error = errorOf(
            [&] { MaskLabeller(size.first, size.second, MaskLabel::Pooled, PixelGrid::Corners); });
        QVERIFY(tells(error, ErrorCode::BadInput, "multiples of 8"));
    }
}

LOCKSTEP_TEST(TestMaskLabels)
#include "test_mask_labels.moc"
