// SPDX-License-Identifier: Apache-2.0
// The loops of photographs on every instruction set that this processor has, against plain loops
// over the definition: the same bits everywhere.
#include "input/photo/photo_colours.h"
#include "input/photo/photo_resize_kernels.h"
#include "support/instruction_sets.h"
#include "support/lockstep_test.h"

#include <array>
#include <bit>
#include <random>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::vector<float> randomValues(std::size_t count, std::mt19937& generator)
{
    std::vector<float> values(count);
    for (float& value : values) {
        value = static_cast<float>(generator() % 256) / 255.0F;
    }
    return values;
}

} // namespace

class TestPhotoKernels : public QObject
{
    Q_OBJECT

private slots:
    void MixRows_isThePlainSum_data() { addInstructionSets(); }
    void MixRows_isThePlainSum();
    void MixColumns_isThePlainSum_data() { addInstructionSets(); }
    void MixColumns_isThePlainSum();
    void Colours_haveTheSameBitsOnEveryInstructionSet_data() { addInstructionSets(); }
    void Colours_haveTheSameBitsOnEveryInstructionSet();
};

void TestPhotoKernels::MixRows_isThePlainSum()
{
    QFETCH(qint64, target);
    const InstructionSet set(target);
    std::mt19937 generator(1);
    for (std::size_t values = 1; values < 80; ++values) {
        std::vector<std::vector<std::uint8_t>> rows(1 + values % 5);
        std::vector<SharedRow> shared;
        for (auto& row : rows) {
            for (std::size_t i = 0; i < values; ++i) {
                row.push_back(static_cast<std::uint8_t>(generator() % 256));
            }
            shared.push_back({row.data(), static_cast<float>(generator() % 1000) / 999.0F});
        }
        std::vector<float> line(values);
        mixRows(shared, line);
        for (std::size_t i = 0; i < values; ++i) {
            float sum = 0.0F;
            for (const SharedRow& row : shared) {
                const volatile float product = static_cast<float>(row.values[i]) * row.share;
                sum += product;
            }
            QCOMPARE(std::bit_cast<std::uint32_t>(line[i]), std::bit_cast<std::uint32_t>(sum));
        }
    }
}

void TestPhotoKernels::MixColumns_isThePlainSum()
{
    QFETCH(qint64, target);
    const InstructionSet set(target);
    std::mt19937 generator(2);
    for (std::size_t pixels = 1; pixels < 30; ++pixels) {
        const std::vector<float> line = randomValues(3 * 20 + 1, generator);
        std::vector<std::int32_t> ends;
        std::vector<std::int32_t> places;
        std::vector<float> shares;
        for (std::size_t x = 0; x < pixels; ++x) {
            for (std::size_t tap = 0; tap < 1 + generator() % 5; ++tap) {
                places.push_back(static_cast<std::int32_t>(generator() % 20));
                shares.push_back(static_cast<float>(generator() % 1000) / 999.0F);
            }
            ends.push_back(static_cast<std::int32_t>(places.size()));
        }
        std::vector<float> row(3 * pixels);
        mixColumns({ends, places, shares}, line.data(), row);
        std::size_t tap = 0;
        for (std::size_t x = 0; x < pixels; ++x) {
            std::array<float, 3> sums{};
            for (; tap < static_cast<std::size_t>(ends[x]); ++tap) {
                for (std::size_t c = 0; c < 3; ++c) {
                    const auto place = static_cast<std::size_t>(places[tap]) * 3 + c;
                    const volatile float product = line[place] * shares[tap];
                    sums[c] += product;
                }
            }
            for (std::size_t c = 0; c < 3; ++c) {
                QCOMPARE(
                    std::bit_cast<std::uint32_t>(row[3 * x + c]),
                    std::bit_cast<std::uint32_t>(sums[c]));
            }
        }
    }
}

// What they should be is told by test_photo_colours.
void TestPhotoKernels::Colours_haveTheSameBitsOnEveryInstructionSet()
{
    QFETCH(qint64, target);
    std::mt19937 generator(3);
    for (const ColourOrder order : {ColourOrder::ContrastFirst, ColourOrder::ContrastLast}) {
        const ColourChange change{order, 0.07F, 1.3F, -0.15F, 0.8F};
        for (const std::size_t pixels : {1U, 15U, 16U, 17U, 1023U, 1025U, 9000U}) {
            const std::vector<float> before = randomValues(3 * pixels, generator);
            std::vector<float> usual = before;
            changeAndMapColours(change, PhotoPixels::Symmetric, usual);
            std::vector<float> values = before;
            const InstructionSet set(target);
            changeAndMapColours(change, PhotoPixels::Symmetric, values);
            for (std::size_t i = 0; i < values.size(); ++i) {
                QCOMPARE(
                    std::bit_cast<std::uint32_t>(values[i]),
                    std::bit_cast<std::uint32_t>(usual[i]));
            }
        }
    }
}

LOCKSTEP_TEST(TestPhotoKernels)
#include "test_photo_kernels.moc"
