// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/item_folds.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <algorithm>
#include <fstream>
#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// As KolektorSDD: 50 items with 8 images (one has 7), 52 of them defective.
std::vector<Item> kolektorItems()
{
    std::vector<Item> items;
    for (int i = 0; i < 50; ++i) {
        items.push_back({"kos" + std::to_string(i), i == 0 ? 7 : 8, i < 2 ? 2 : 1});
    }
    return items;
}

std::vector<std::int64_t> defectiveOf(
    const std::vector<Item>& items, const ItemFolds& folds, int count)
{
    std::vector<std::int64_t> sums(static_cast<std::size_t>(count));
    for (const Item& item : items) {
        sums[static_cast<std::size_t>(folds.at(item.name))] += item.defective;
    }
    return sums;
}

/// Of one image each.
std::vector<Item> countedItems(int defective, int clean)
{
    std::vector<Item> items;
    for (int i = 0; i < defective + clean; ++i) {
        items.push_back({std::to_string(i), 1, i < defective ? 1 : 0});
    }
    return items;
}

/// What each fold got.
struct FoldShares
{
    FoldShares(const std::vector<Item>& items, const ItemFolds& folds, int count)
        : defective(static_cast<std::size_t>(count)), clean(defective), all(clean), images(clean)
    {
        for (const Item& item : items) {
            const auto fold = static_cast<std::size_t>(folds.at(item.name));
            ++(item.defective > 0 ? defective : clean)[fold];
            ++all[fold];
            images[fold] += item.images;
        }
    }

    static std::int64_t spread(const std::vector<std::int64_t>& numbers)
    {
        const auto [least, most] = std::ranges::minmax(numbers);
        return most - least;
    }
    [[nodiscard]] bool areEven() const
    {
        return spread(defective) <= 1 && spread(clean) <= 1 && spread(all) <= 1;
    }

    std::vector<std::int64_t> defective; ///< items
    std::vector<std::int64_t> clean;
    std::vector<std::int64_t> all;
    std::vector<std::int64_t> images;
};

} // namespace

class TestItemFolds : public QObject
{
    Q_OBJECT

private slots:
    void DealItems_kolektor_defectsAreBalanced();
    void DealItems_anyItems_foldsDifferByOneItemAtMost();
    void DealItems_anyNumbers_areSharedOut();
    void DealItems_itemsOfSeveralImages_areSharedOut();
    void UsableFolds_areTheMostThatHelp_data();
    void UsableFolds_areTheMostThatHelp();
    void DealItems_otherOrder_sameFolds();
    void DealItems_otherSeed_otherFolds();
    void DealItems_fewerThanFolds_isRefused();
    void ReadItemFolds_file_isFollowed();
    void ReadItemFolds_refused_data();
    void ReadItemFolds_refused();
};

void TestItemFolds::DealItems_kolektor_defectsAreBalanced()
{
    const auto items = kolektorItems();
    const ItemFolds folds = dealItems(items, 3, 1);
    QCOMPARE(folds.size(), 50U);
    auto sums = defectiveOf(items, folds, 3);
    std::ranges::sort(sums);
    QCOMPARE(sums, (std::vector<std::int64_t>{17, 17, 18}));
}

void TestItemFolds::DealItems_anyItems_foldsDifferByOneItemAtMost()
{
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
        const int count = 2 + static_cast<int>(random() % 5);
        std::vector<Item> items;
        std::int64_t most = 0;
        for (int i = 0; i < count + static_cast<int>(random() % 40); ++i) {
            const auto defective = static_cast<std::int64_t>(random() % 4);
            items.push_back({"item" + std::to_string(i), 4, defective});
            most = std::max(most, defective);
        }
        const auto sums = defectiveOf(items, dealItems(items, count, random()), count);
        const auto [low, high] = std::ranges::minmax(sums);
        QVERIFY(high - low <= most);
    }
}

// Every number of defective and of clean images; all numbers of folds take turns.
void TestItemFolds::DealItems_anyNumbers_areSharedOut()
{
    for (int defective = 1; defective <= 200; ++defective) {
        for (int clean = 1; clean <= 200; ++clean) {
            const int count = 2 + (defective + clean) % 9;
            if (defective + clean < count) {
                continue;
            }
            const auto items = countedItems(defective, clean);
            const FoldShares shares(items, dealItems(items, count, 1), count);
            if (!shares.areEven()) {
                QFAIL(qPrintable(QString("%1 and %2 to %3").arg(defective).arg(clean).arg(count)));
            }
        }
    }
}

void TestItemFolds::DealItems_itemsOfSeveralImages_areSharedOut()
{
    std::mt19937 random(5);
    for (int round = 0; round < 2000; ++round) {
        const int count = 2 + round % 9;
        const auto most = static_cast<std::int64_t>(1 + random() % 30);
        auto items = countedItems(
            1 + static_cast<int>(random() % 30), count + static_cast<int>(random() % 30));
        for (Item& item : items) {
            item.images = 1 + static_cast<std::int64_t>(random()) % most;
            item.defective *= 1 + static_cast<std::int64_t>(random()) % item.images;
        }
        const FoldShares shares(items, dealItems(items, count, random()), count);
        QVERIFY(shares.areEven());
        QVERIFY(FoldShares::spread(shares.images) <= 4 * most);
    }
}

void TestItemFolds::UsableFolds_areTheMostThatHelp_data()
{
    QTest::addColumn<int>("defective");
    QTest::addColumn<int>("clean");
    QTest::addColumn<int>("asked");
    QTest::addColumn<int>("usable");
    const auto row = [](int defective, int clean, int asked, int usable) {
        QTest::addRow("%d and %d, %d", defective, clean, asked)
            << defective << clean << asked << usable;
    };
    row(8, 20, 3, 3);
    row(2, 20, 3, 2);
    row(20, 2, 10, 2);
    row(5, 4, 10, 4);
    row(1, 20, 3, 0);
    row(20, 1, 3, 0);
    row(0, 20, 3, 0);
    row(20, 0, 3, 0);
    row(1, 1, 3, 0);
    row(2, 2, 100, 2);
}

void TestItemFolds::UsableFolds_areTheMostThatHelp()
{
    QFETCH(int, defective);
    QFETCH(int, clean);
    QFETCH(int, asked);
    QFETCH(int, usable);
    QCOMPARE(usableFolds(countedItems(defective, clean), asked, 1).value_or(0), usable);
}

void TestItemFolds::DealItems_otherOrder_sameFolds()
{
    auto items = kolektorItems();
    const ItemFolds folds = dealItems(items, 3, 5);
    std::ranges::shuffle(items, std::mt19937(9));
    QVERIFY(dealItems(items, 3, 5) == folds);
}

void TestItemFolds::DealItems_otherSeed_otherFolds()
{
    QVERIFY(dealItems(kolektorItems(), 3, 1) != dealItems(kolektorItems(), 3, 2));
}

void TestItemFolds::DealItems_fewerThanFolds_isRefused()
{
    const auto error = errorOf([] { dealItems({{"a", 1, 1}, {"b", 1, 1}}, 3, 1); });
    QVERIFY(tells(error, ErrorCode::BadInput, "2 items"));
    QVERIFY(tells(error, ErrorCode::BadInput, "dataset.folds"));
    const auto alone = errorOf([] { dealItems({{"a", 2, 1}}, 3, 1); });
    QVERIFY(tells(alone, ErrorCode::BadInput, "at least 2 are needed"));
}

void TestItemFolds::ReadItemFolds_file_isFollowed()
{
    const TemporaryFolder folder;
    std::ofstream(folder / "folds.txt")
        << "# ours\n\nb 1 # the second\n  a\t0\nc 1\nunknown 0\nb 1\n";
    const ItemFolds folds =
        readItemFolds(folder / "folds.txt", {{"a", 1, 1}, {"b", 1, 1}, {"c", 1, 1}}, 2);
    QVERIFY((folds == ItemFolds{{"a", 0}, {"b", 1}, {"c", 1}}));
}

void TestItemFolds::ReadItemFolds_refused_data()
{
    addTextRows(
        {"content", "text"},
        {{"two folds", "a 0\nb 1\na 1\n", "line 3: item 'a' is in fold 1, and in fold 0 by line 1"},
         {"no fold", "a 0\n", "item 'b' has no fold"},
         {"too high", "a 0\nb 2\n", "line 2: fold 2 of item 'b'"},
         {"negative", "a -1\nb 0\n", "line 1: fold -1"},
         {"no number", "a zero\n", "line 1: 'a zero'"},
         {"too many words", "a 0 1\n", "line 1: 'a 0 1'"}});
}

void TestItemFolds::ReadItemFolds_refused()
{
    QFETCH(QString, content);
    QFETCH(QString, text);
    const TemporaryFolder folder;
    const auto file = folder / "folds.txt";
    std::ofstream(file) << content.toStdString();
    const auto error = errorOf([&] { readItemFolds(file, {{"a", 1, 1}, {"b", 1, 1}}, 2); });
    QVERIFY(tells(error, ErrorCode::BadInput, file.string()));
    QVERIFY2(tells(error, ErrorCode::BadInput, text.toStdString()), error ? error->what() : "");
    const auto missing = errorOf([&] { readItemFolds(folder / "none", {{"a", 1, 1}}, 2); });
    QVERIFY(tells(missing, ErrorCode::Io, "dataset.folds_file"));
}

LOCKSTEP_TEST(TestItemFolds)
#include "test_item_folds.moc"
