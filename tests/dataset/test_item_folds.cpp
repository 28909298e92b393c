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

} // namespace

class TestItemFolds : public QObject
{
    Q_OBJECT

private slots:
    void DealItems_kolektor_defectsAreBalanced();
    void DealItems_anyItems_foldsDifferByOneItemAtMost();
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
