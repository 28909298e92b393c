// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"
#include "tower/lanes.h"

#include <algorithm>
#include <numeric>

using namespace lockstep;

class TestLanes : public QObject
{
    Q_OBJECT

private slots:
    void Lanes_anyShape_coverTheGlobalBatchInOrder()
    {
        for (int towers = 1; towers <= 5; ++towers) {
            for (int threads = 1; threads <= 5; ++threads) {
                for (std::int64_t batch = 1; batch <= 11; ++batch) {
                    for (int workers = 1; workers <= 4; ++workers) {
                        checkLanes({towers, threads, batch}, workers);
                    }
                }
            }
        }
    }

    void Lanes_batchThatThreadsDoNotDivide_differByOneRow()
    {
        const auto lanes = planLanes({2, 3, 8}, {0, 2}, 3, 2);
        QCOMPARE(lanes.size(), std::size_t{6});
        const std::vector<std::int64_t> rows{3, 3, 2, 3, 3, 2};
        const std::vector<std::int64_t> first{0, 3, 6, 8, 11, 14};
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            QCOMPARE(lanes[i].rows, rows[i]);
            QCOMPARE(lanes[i].firstRow, first[i]);
            QCOMPARE(lanes[i].tower, static_cast<int>(i / 3));
            QCOMPARE(lanes[i].worker, static_cast<int>(i % 2));
        }
    }

    void Lanes_oneRowAndTwoThreads_areOneLaneOfTwoThreads()
    {
        const auto lanes = planLanes({1, 2, 1}, {0, 1}, 1, 1);
        QCOMPARE(lanes.size(), std::size_t{1});
        QCOMPARE(lanes.front().threads, 2);
    }

    void Lanes_ofAnImpossibleShape_areRefused_data()
    {
        test::addRows<int, int, int, int>(
            {"towers", "threads", "batch", "workers"}, {{"no tower", 0, 1, 1, 1},
                                                        {"no thread", 1, 0, 1, 1},
                                                        {"no row", 1, 1, 0, 1},
                                                        {"no worker", 1, 1, 1, 0}});
    }

    void Lanes_ofAnImpossibleShape_areRefused()
    {
        QFETCH(int, towers);
        QFETCH(int, threads);
        QFETCH(int, batch);
        QFETCH(int, workers);
        QVERIFY_THROWS_EXCEPTION(
            Error, (void)planLanes({towers, threads, batch}, {0, towers}, 1, workers));
    }

    void Slice_ofALane_isItsRows()
    {
        Batch batch;
        batch.step = 7;
        batch.examples = 6;
        batch.shape = {1, 2, 1};
        batch.images.resize(12);
        batch.labels.resize(6);
        std::iota(batch.images.begin(), batch.images.end(), 0.0F);
        std::iota(batch.labels.begin(), batch.labels.end(), 100);
        batch.mixed.resize(6);
        batch.mixed[4] = {7, 0.75F};
        const BatchSlice rows = slice(batch, {1, 3, 2, 1, 0});
        QCOMPARE(rows.step, 7);
        QCOMPARE(rows.examples(), 2);
        QVERIFY(std::ranges::equal(rows.images, std::vector<float>{6.0F, 7.0F, 8.0F, 9.0F}));
        QVERIFY(std::ranges::equal(rows.labels, std::vector<std::int32_t>{103, 104}));
        QCOMPARE(rows.mixed.size(), std::size_t{2});
        QCOMPARE(rows.mixed[1].other, 7);
    }

    void Slice_beyondTheBatch_isRefused()
    {
        Batch batch;
        batch.examples = 4;
        batch.images.resize(4);
        batch.labels.resize(4);
        QVERIFY_THROWS_EXCEPTION(Error, (void)slice(batch, {1, 3, 2, 1, 0}));
    }

private:
    static void checkLanes(const TowerShape& shape, int workers)
    {
        const auto lanesPerTower =
            static_cast<int>(std::min<std::int64_t>(shape.threadsPerTower, shape.batchPerTower));
        const auto lanes = planLanes(shape, {0, shape.towers}, lanesPerTower, workers);
        std::int64_t row = 0;
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            const Lane& lane = lanes[i];
            QCOMPARE(lane.firstRow, row);
            QVERIFY(lane.rows > 0 && lane.threads > 0);
            // Every row of the lane belongs to its tower.
            QCOMPARE(row / shape.batchPerTower, lane.tower);
            QCOMPARE((row + lane.rows - 1) / shape.batchPerTower, lane.tower);
            QCOMPARE(lane.worker, static_cast<int>(i) % workers);
            row += lane.rows;
        }
        QCOMPARE(row, shape.globalBatch());
        for (int tower = 0; tower < shape.towers; ++tower) {
            checkTower(shape, lanes, tower);
        }
    }

    static void checkTower(const TowerShape& shape, const std::vector<Lane>& lanes, int tower)
    {
        int threads = 0;
        std::int64_t least = shape.batchPerTower;
        std::int64_t most = 0;
        for (const Lane& lane : lanes) {
            if (lane.tower == tower) {
                threads += lane.threads;
                least = std::min(least, lane.rows);
                most = std::max(most, lane.rows);
            }
        }
        QVERIFY(threads <= shape.threadsPerTower);
        QVERIFY(most - least <= 1);
    }
};

LOCKSTEP_TEST(TestLanes)
#include "test_lanes.moc"
