// SPDX-License-Identifier: Apache-2.0
#include "ranks/rank_table.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/thread_ranks.h"
#include "tower/rank_towers.h"

#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

using namespace lockstep;

namespace {

constexpr int kRanks = 3;

/// What each rank makes of a call, in their order.
template<class T>
std::array<T, kRanks> onRanks(const std::function<T(Ranks&)>& call)
{
    std::array<T, kRanks> all;
    test::runRanks(
        kRanks, [&](Ranks& own) { all.at(static_cast<std::size_t>(own.rank())) = call(own); });
    return all;
}

std::optional<Error> differenceOf(const std::array<std::string, kRanks>& texts)
{
    return test::errorOf([&texts] {
        test::runRanks(kRanks, [&texts](Ranks& own) {
            checkAlike(own, texts.at(static_cast<std::size_t>(own.rank())));
        });
    });
}

} // namespace

/// What ranks tell each other.
class TestRanks : public QObject
{
    Q_OBJECT

private slots:
    void Texts_ofAnyLength_reachAll()
    {
        const std::vector<std::string> expected{"", "one\ntwo", std::string(100'000, 'x')};
        for (const auto& texts : onRanks<std::vector<std::string>>([&](Ranks& own) {
                 return gatheredTexts(own, expected[static_cast<std::size_t>(own.rank())]);
             })) {
            QVERIFY(texts == expected);
        }
    }

    void TextOfTheFirst_replacesLongerAndShorterOnes()
    {
        const std::array<std::string, kRanks> texts{"of rank 0", "", "a longer one of rank 2"};
        for (const auto& text : onRanks<std::string>([&](Ranks& own) {
                 return textFromFirst(own, texts.at(static_cast<std::size_t>(own.rank())));
             })) {
            QCOMPARE(text, texts.front());
        }
    }

    void Slices_ofAnySize_completeEachOther()
    {
        const std::vector<std::size_t> begins{0, 5, 5, 12};
        std::vector<int> expected(12);
        std::iota(expected.begin(), expected.end(), 100);
        for (const auto& whole : onRanks<std::vector<int>>([&](Ranks& own) {
                 std::vector<int> part(expected.size(), -1);
                 const auto rank = static_cast<std::size_t>(own.rank());
                 for (std::size_t i = begins[rank]; i < begins[rank + 1]; ++i) {
                     part[i] = expected[i];
                 }
                 shareSlices<int>(own, part, begins);
                 return part;
             })) {
            QVERIFY(whole == expected);
        }
    }

    void ValuesOfTowers_areInTowerOrder()
    {
        constexpr int kTowers = 7;
        std::vector<double> expected(std::size_t{2} * kTowers);
        std::iota(expected.begin(), expected.end(), 0.5);
        for (const auto& all : onRanks<std::vector<double>>([&](Ranks& own) {
                 const auto range =
                     placeTowers(kTowers, own.size())[static_cast<std::size_t>(own.rank())];
                 const auto towers = std::span(expected).subspan(
                     static_cast<std::size_t>(range.first) * 2,
                     static_cast<std::size_t>(range.count) * 2);
                 return ofAllTowers<double>(own, kTowers, towers, 2);
             })) {
            QVERIFY(all == expected);
        }
    }

    void Ranks_thatAreAlike_goOn()
    {
        QVERIFY(!differenceOf(
            {"program = 1\nsteps = 2", "program = 1\nsteps = 2", "program = 1\nsteps = 2"}));
    }

    void Ranks_thatDiffer_areNamedWithTheLine()
    {
        QVERIFY(test::tells(
            differenceOf(
                {"program = 1\nsteps = 2\n", "program = 1\nsteps = 2\n",
                 "program = 1\nsteps = 3\n"}),
            ErrorCode::BadInput, "rank 2 on node1", "\"steps = 3\" instead of \"steps = 2\""));
        QVERIFY(test::tells(
            differenceOf({"program = 1\nsteps = 2\n", "program = 1\n", "program = 7\n"}),
            ErrorCode::BadInput, "rank 1 on node0", "nothing instead of \"steps = 2\""));
    }
};

LOCKSTEP_TEST(TestRanks)
#include "test_ranks.moc"
