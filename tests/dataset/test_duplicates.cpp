// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/duplicates.h"
#include "dataset/formats/image_folder.h"
#include "dataset/numbered_images.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>
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
        }
    }
    [[nodiscard]] const DatasetInfo& info() const override { return m_info; }
    [[nodiscard]] std::int64_t size() const override { return std::ssize(m_pixels); }
    [[nodiscard]] ExampleView example(std::int64_t index) const override
    {
        const auto at = static_cast<std::size_t>(index);
        return {m_pixels[at], 0, m_shapes[at]};
    }

private:
    DatasetInfo m_info;
    std::vector<Shape> m_shapes;
    std::vector<std::vector<std::uint8_t>> m_pixels;
};

/// Every pair, byte by byte.
Duplicates comparedOneByOne(const Dataset& training, const Dataset& test)
{
    Duplicates result{test.size()};
    for (std::int64_t i = 0; i < test.size(); ++i) {
        for (std::int64_t j = 0; j < training.size(); ++j) {
            const ExampleView a = test.example(i);
            const ExampleView b = training.example(j);
            if (a.ownShape == b.ownShape && std::ranges::equal(a.pixels, b.pixels)) {
                if (++result.found == 1) {
                    result.test = i;
                    result.training = j;
                }
                break;
            }
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
    void Find_cancelled_stops();
};

void TestDuplicates::Find_inMemory_matchesOneByOne()
{
    std::int64_t most = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        const TinyImages training(60, seed);
        const TinyImages test(9, 1000 + seed);
        const Duplicates found = findDuplicates(training, test, {});
        QVERIFY(found == comparedOneByOne(training, test));
        most = std::max(most, found.found);
    }
    QVERIFY(most > 0);
}

void TestDuplicates::Find_files_namesBoth()
{
    const TemporaryFolder folder;
    for (int i = 0; i < 6; ++i) {
        write(folder / ("train/a/" + std::to_string(i) + ".jpg"), numbered(10 * i));
        write(folder / ("val/a/" + std::to_string(i) + ".jpg"), numbered(100 + 10 * i));
    }
    const auto open = [&](Split split) { return openImageFolder(folder.path(), split, {}); };
    QVERIFY(
        findDuplicates(*open(Split::Train), *open(Split::Test), {}) == (Duplicates{6, 0, 0, 0}));
    write(folder / "val/a/4.jpg", numbered(20));
    write(folder / "val/a/5.jpg", numbered(20));
    const auto training = open(Split::Train);
    const auto test = open(Split::Test);
    const Duplicates found = findDuplicates(*training, *test, {});
    QVERIFY(found == (Duplicates{6, 2, 4, 2}));
    QCOMPARE(imageName(*test, found.test), (folder / "val/a/4.jpg").string());
    QCOMPARE(imageName(*training, found.training), (folder / "train/a/2.jpg").string());
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
