// SPDX-License-Identifier: Apache-2.0
#include "averaging/gradient_buckets.h"
#include "averaging/rank_all_reduce.h"
#include "device/cpu/cpu_device.h"
#include "device/parameter_chunks.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/thread_ranks.h"
#include "support/tower_run.h"
#include "tower/placement.h"

#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>

using namespace lockstep;
using test::Random;

namespace {

/// Towers with random gradients, some lanes each, some of which may lack a parameter.
struct Towers
{
    Towers(Random& random, const NetworkSpec& network, int count) : layout(network)
    {
        auto contributions = test::denseContributions(network, examplesOf(random, count));
        for (auto& tower : contributions) {
            if (random.integer(0, 3) == 0) {
                tower.gradients.at(1) = {GradientForm::Absent, {}};
            }
        }
        plan = planAveraging(network, contributions, MissingGradient::Zeros);
        buckets = planBuckets(network, layout, static_cast<int>(random.integer(1, 8)));
        for (int tower = 0; tower < count; ++tower) {
            for (auto lane = random.integer(1, 2); lane > 0; --lane) {
                values.push_back(random.floats(elements(), -1.0, 1.0));
                towers.push_back(tower);
            }
        }
    }

    [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(layout.elements); }

    /// Those of the towers of a rank.
    [[nodiscard]] std::vector<LaneGradient> lanesOf(const TowerRange& range) const
    {
        std::vector<LaneGradient> lanes;
        for (std::size_t lane = 0; lane < values.size(); ++lane) {
            if (towers[lane] >= range.first && towers[lane] < range.first + range.count) {
                lanes.push_back({towers[lane], values[lane].data()});
            }
        }
        return lanes;
    }

    static std::vector<std::int64_t> examplesOf(Random& random, int count)
    {
        std::vector<std::int64_t> examples;
        for (int tower = 0; tower < count; ++tower) {
            examples.push_back(random.integer(1, 9));
        }
        return examples;
    }

    ParameterLayout layout;
    AveragingPlan plan;
    std::vector<GradientBucket> buckets;
    std::vector<std::vector<float>> values;
    std::vector<int> towers;
};

struct Mean
{
    std::vector<float> values;
    int badParameter = -1;
    bool isTimed = true; ///< in every step
};

Mean onOneRank(const Towers& towers, int count)
{
    const cpu::CpuDevice device;
    OrderedAllReduce reduce(device, towers.layout, towers.plan, towers.lanesOf({0, count}));
    ThreadTeam team("average", 2, false);
    Mean mean{std::vector<float>(towers.elements())};
    mean.badParameter = reduce.run(team, mean.values.data());
    return mean;
}

/// By rank, after each of some steps with the same gradients.
std::vector<Mean> onRanks(const Towers& towers, int count, int ranks, int steps = 2)
{
    const auto places = placeTowers(count, ranks);
    std::vector<Mean> means(static_cast<std::size_t>(ranks));
    test::runRanks(ranks, [&](Ranks& own) {
        const cpu::CpuDevice device;
        const auto number = static_cast<std::size_t>(own.rank());
        Mean& mean = means[number];
        mean.values.assign(towers.elements(), 0.0F); // between the parameters, too
        RankAllReduce reduce(
            own, device, towers.layout, towers.plan, towers.lanesOf(places[number]), towers.buckets,
            mean.values.data());
        Random delays(number);
        for (int step = 0; step < steps; ++step) {
            reduce.begin();
            for (std::size_t bucket = 0; bucket < towers.buckets.size(); ++bucket) {
                std::this_thread::sleep_for(std::chrono::microseconds(delays.integer(0, 300)));
                reduce.ready(bucket);
            }
            mean.badParameter = reduce.finish();
            mean.isTimed &= reduce.seconds().underWay > 0.0 && reduce.seconds().exposed > 0.0;
        }
    });
    return means;
}

/// Whose rank 1 fails; what the others hear.
std::function<void(Ranks&)> stepThatFails(const Towers& towers, std::array<std::string, 3>& said)
{
    return [&](Ranks& own) {
        const cpu::CpuDevice device;
        std::vector<float> mean(towers.elements());
        RankAllReduce reduce(
            own, device, towers.layout, towers.plan, towers.lanesOf({own.rank(), 1}),
            towers.buckets, mean.data());
        reduce.begin();
        if (own.rank() == 1) {
            fail(ErrorCode::BadInput, "no more pictures");
        }
        for (std::size_t bucket = 0; bucket < towers.buckets.size(); ++bucket) {
            reduce.ready(bucket);
        }
        try {
            reduce.finish();
        } catch (const Error& error) {
            said.at(static_cast<std::size_t>(own.rank())) = error.what();
        }
    };
}

} // namespace

/// The mean of the towers of several ranks is the one of all towers in one process, bit for bit.
class TestRankAllReduce : public QObject
{
    Q_OBJECT

private slots:
    void Mean_ofAnyTowersOnAnyRanks_hasTheBitsOfOneProcess_data()
    {
        QTest::addColumn<quint64>("seed");
        for (quint64 seed = 1; seed <= 12; ++seed) {
            QTest::addRow("seed %llu", seed) << seed;
        }
    }

    void Mean_ofAnyTowersOnAnyRanks_hasTheBitsOfOneProcess()
    {
        QFETCH(quint64, seed);
        Random random(seed);
        const NetworkSpec network = test::twoDenseLayers(
            static_cast<int>(random.integer(1, 900)), static_cast<int>(random.integer(1, 700)), 10);
        const int count = static_cast<int>(random.integer(2, 7));
        const Towers towers(random, network, count);
        const Mean expected = onOneRank(towers, count);
        const int ranks = static_cast<int>(random.integer(2, count));
        for (const Mean& mean : onRanks(towers, count, ranks)) {
            QVERIFY(mean.values == expected.values);
            QCOMPARE(mean.badParameter, -1);
            QVERIFY(mean.isTimed);
        }
    }

    void Pieces_areWholeChunks_andSmallerInLongChains()
    {
        QCOMPARE(pieceValues(1'000, 2), kHostChunk);
        QCOMPARE(pieceValues(100'000'000, 2), 4 * kHostChunk);
        std::int64_t before = 4 * kHostChunk;
        for (int ranks = 2; ranks <= 64; ++ranks) {
            const std::int64_t values = pieceValues(2'000'000, ranks);
            QCOMPARE(values % kHostChunk, 0);
            QVERIFY(values >= kHostChunk && values <= before);
            // To fill the chain takes an eighth of the bytes, unless pieces can't be smaller.
            QVERIFY(values == kHostChunk || 8 * 2 * (ranks - 1) * values <= 2'000'000);
            before = values;
        }
        QCOMPARE(before, kHostChunk);
    }

    void Fault_ofAnyRank_isFoundByTheLastAlone()
    {
        const NetworkSpec network = test::twoDenseLayers(501, 97, 2);
        constexpr int kTowers = 4;
        for (const std::size_t parameter : {0U, 2U, 3U}) {
            Random random(parameter);
            Towers towers(random, network, kTowers);
            const auto at = static_cast<std::size_t>(
                towers.layout.offsets[parameter] + towers.layout.counts[parameter] - 1);
            towers.values[towers.values.size() / 2][at] = std::nanf("");
            QCOMPARE(onOneRank(towers, kTowers).badParameter, static_cast<int>(parameter));
            const auto means = onRanks(towers, kTowers, 3);
            QCOMPARE(means[0].badParameter, -1);
            QCOMPARE(means[1].badParameter, -1);
            QCOMPARE(means[2].badParameter, static_cast<int>(parameter));
            QVERIFY(std::isnan(means[0].values[at]));
        }
    }

    void Step_whoseRankFails_endsOnAll()
    {
        Random random(5);
        const Towers towers(random, test::twoDenseLayers(301, 200, 2), 3);
        std::array<std::string, 3> said;
        const auto failure =
            test::errorOf([step = stepThatFails(towers, said)] { test::runRanks(3, step); });
        QVERIFY(test::tells(failure, ErrorCode::BadInput, "no more pictures"));
        for (const std::size_t rank : {0U, 2U}) {
            QCOMPARE(said.at(rank), std::string("rank 1 on node0: no more pictures"));
        }
    }
};

LOCKSTEP_TEST(TestRankAllReduce)
#include "test_rank_all_reduce.moc"
