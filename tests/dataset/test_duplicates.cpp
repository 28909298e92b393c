// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/duplicates.h"
#include "dataset/formats/image_folder.h"
#include "dataset/numbered_images.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <optional>
#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Images of a few bytes, so that many are alike.
class TinyImages final : public Dataset
{
public:
    TinyImages(int count, unsigned seed)
    {
        std::mt19937 random(seed);
        m_info.imageShape = {2, 2, 1};
        for (int i = 0; i < count; ++i) {
            const std::int64_t height = 1 + random() % 2;
            m_shapes.push_back({height, 3 - height, 1});
            m_pixels.emplace_back(2);
            for (std::uint8_t& pixel : m_pixels.back()) {
                pixel = static_cast<std::uint8_t>(random() % 12);
            }
            m_labels.push_back(static_cast<std::int32_t>(random() % 3));
        }
    }
    [[nodiscard]] const DatasetInfo& info() const override { return m_info; }
    [[nodiscard]] std::int64_t size() const override { return std::ssize(m_pixels); }
    [[nodiscard]] ExampleView example(std::int64_t index) const override
    {
        const auto at = static_cast<std::size_t>(index);
        return {m_pixels[at], m_labels[at], m_shapes[at]};
    }

private:
    DatasetInfo m_info;
    std::vector<Shape> m_shapes;
    std::vector<std::int32_t> m_labels;
    std::vector<std::vector<std::uint8_t>> m_pixels;
};

/// Every pair, byte by byte.
Duplicates comparedOneByOne(const Dataset& training, const Dataset& test)
{
    const auto isSame = [](const ExampleView& a, const ExampleView& b) {
        return a.ownShape == b.ownShape && std::ranges::equal(a.pixels, b.pixels);
    };
    Duplicates result{.compared = test.size(), .trained = training.size()};
    for (std::int64_t i = 0; i < test.size(); ++i) {
        std::optional<std::int64_t> any;
        std::optional<std::int64_t> other;
        for (std::int64_t j = training.size() - 1; j >= 0; --j) {
            if (isSame(test.example(i), training.example(j))) {
                any = j;
                other = test.example(i).label != training.example(j).label ? j : other;
            }
        }
        if (any && ++result.found == 1) {
            result.first = {i, *any};
        }
        if (other && ++result.otherLabel == 1) {
            result.firstOther = {i, *other};
        }
    }
    for (std::int64_t i = 0; i < training.size(); ++i) {
        bool isRepeated = false;
        std::optional<std::int64_t> other;
        for (std::int64_t j = training.size() - 1; j >= 0; --j) {
            if (j != i && isSame(training.example(i), training.example(j))) {
                isRepeated = isRepeated || j < i;
                other = training.example(i).label != training.example(j).label ? j : other;
            }
        }
        result.repeated += isRepeated ? 1 : 0;
        if (other && ++result.ambiguous == 1) {
            result.firstAmbiguous = {i, *other};
        }
    }
    return result;
}

} // namespace

class TestDuplicates : public QObject
{
    Q_OBJECT

private slots:
    void Find_inMemory_matchesOneByOne();
    void Find_files_namesBoth();
    void Find_filesOfTwoClasses_namesThem();
    void Find_cancelled_stops();
};

void TestDuplicates::Find_inMemory_matchesOneByOne()
{
    Duplicates most;
    for (unsigned seed = 0; seed < 20; ++seed) {
        const TinyImages training(60, seed);
        const TinyImages test(9, 1000 + seed);
        const Duplicates found = findDuplicates(training, test, {});
        QVERIFY(found == comparedOneByOne(training, test));
        most.found = std::max(most.found, found.found);
        most.otherLabel = std::max(most.otherLabel, found.otherLabel);
        most.repeated = std::max(most.repeated, found.repeated);
        most.ambiguous = std::max(most.ambiguous, found.ambiguous);
    }
    QVERIFY(most.found > 0 && most.otherLabel > 0 && most.repeated > 0 && most.ambiguous > 0);
}

void TestDuplicates::Find_files_namesBoth()
{
    const TemporaryFolder folder;
    for (int i = 0; i < 6; ++i) {
        write(folder / ("train/a/" + std::to_string(i) + ".jpg"), numbered(10 * i));
        write(folder / ("val/a/" + std::to_string(i) + ".jpg"), numbered(100 + 10 * i));
    }
    const auto open = [&](Split split) { return openImageFolder(folder.path(), split, {}); };
    Duplicates expected{.compared = 6, .trained = 6};
    QVERIFY(findDuplicates(*open(Split::Train), *open(Split::Test), {}) == expected);
    write(folder / "val/a/4.jpg", numbered(20));
    write(folder / "val/a/5.jpg", numbered(20));
    const auto training = open(Split::Train);
    const auto test = open(Split::Test);
    const Duplicates found = findDuplicates(*training, *test, {});
    expected.found = 2;
    expected.first = {4, 2};
    QVERIFY(found == expected);
    QCOMPARE(imageName(*test, found.first.example), (folder / "val/a/4.jpg").string());
    QCOMPARE(imageName(*training, found.first.training), (folder / "train/a/2.jpg").string());
}

void TestDuplicates::Find_filesOfTwoClasses_namesThem()
{
    const TemporaryFolder folder;
    for (const char* const part : {"train", "val"}) {
        const int first = std::string(part) == "train" ? 0 : 60;
        for (int i = 0; i < 3; ++i) {
            const auto place = folder / part;
            // Sizes of their own, so that the test set's do not lead to them.
            write(
                place / "a" / (std::to_string(i) + ".jpg"),
                numbered(10 * i + first, 9 + i + first));
            write(
                place / "b" / (std::to_string(i) + ".jpg"), numbered(100 + first, 50 + i + first));
        }
    }
    write(folder / "train/b/7.jpg", numbered(10, 10));
    write(folder / "train/a/8.jpg", numbered(20, 11));
    const auto training = openImageFolder(folder.path(), Split::Train, {});
    const Duplicates found =
        findDuplicates(*training, *openImageFolder(folder.path(), Split::Test, {}), {});
    QVERIFY(
        found
        == (Duplicates{
            .compared = 6, .trained = 8, .repeated = 2, .ambiguous = 2, .firstAmbiguous = {1, 7}}));
    QCOMPARE(imageName(*training, 1), (folder / "train/a/1.jpg").string());
    QCOMPARE(imageName(*training, 7), (folder / "train/b/7.jpg").string());
}

void TestDuplicates::Find_cancelled_stops()
{
    const TinyImages images(5000, 1);
    bool isAsked = false;
    const auto error = errorOf([&] {
        findDuplicates(images, images, [&](double /*share*/) {
            isAsked = true;
            return false;
        });
    });
    // The thread that asks may get none of the work.
    QVERIFY(!isAsked || tells(error, ErrorCode::Cancelled, "cancelled"));
}

LOCKSTEP_TEST(TestDuplicates)
#include "test_duplicates.moc"
