// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/run_series.h"
#include "bridge/series/series_store.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"
#include "ui/awkward_values.h"

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

using namespace lockstep::ui;

namespace {

lockstep::ui::Extent bruteForceExtent(
    const std::vector<float>& values, std::int64_t first, std::int64_t end)
{
    lockstep::ui::Extent extent;
    for (std::int64_t i = first; i < end; ++i) {
        const float value = values[static_cast<std::size_t>(i)];
        if (!std::isfinite(value)) {
            ++extent.notFinite;
            continue;
        }
        extent.minimum = value < extent.minimum ? value : extent.minimum;
        extent.maximum = value > extent.maximum ? value : extent.maximum;
        if (value > 0.0F && value < extent.minimumPositive) {
            extent.minimumPositive = value;
        }
    }
    return extent;
}

bool isSame(const lockstep::ui::Extent& a, const lockstep::ui::Extent& b)
{
    return a.minimum == b.minimum && a.maximum == b.maximum
           && a.minimumPositive == b.minimumPositive && a.notFinite == b.notFinite;
}

/// Steps with gaps, epochs that stand still now and then.
std::vector<Moment> awkwardMoments(std::size_t count, std::mt19937& random)
{
    std::uniform_int_distribution<int> die(0, 19);
    std::vector<Moment> moments;
    Moment moment{3, 0.0, 0.0};
    for (std::size_t i = 0; i < count; ++i) {
        moments.push_back(moment);
        const int roll = die(random);
        moment.step += roll == 0 ? 7 : 1;
        moment.epoch += roll < 5 ? 0.0 : 0.01;
        moment.wallSeconds += 0.02 * roll;
        moment.examples += roll < 2 ? 0.0 : 64.0 * roll; // batches of other sizes
    }
    return moments;
}

std::int64_t bruteForceFirstRow(const std::vector<Moment>& moments, XAxis axis, double position)
{
    std::int64_t row = 0;
    for (const Moment& moment : moments) {
        if (positionOf(moment, axis) >= position) {
            return row;
        }
        ++row;
    }
    return row;
}

} // namespace

class TestSeriesStore : public QObject
{
    Q_OBJECT

private slots:
    void Extent_randomRanges_equalsBruteForce_data()
    {
        lockstep::test::addNumberRows("count", {1, 15, 16, 17, 255, 256, 257, 4096, 70'000});
    }
    void Extent_randomRanges_equalsBruteForce()
    {
        QFETCH(const int, count);
        std::mt19937 random(static_cast<unsigned>(count));
        const std::vector<float> values = awkwardValues(static_cast<std::size_t>(count), random);
        const Series series = seriesOf(values);
        std::uniform_int_distribution<std::int64_t> anywhere(0, count);
        for (int i = 0; i < 400; ++i) {
            std::int64_t first = anywhere(random);
            std::int64_t end = i == 0 ? count : anywhere(random);
            first = i == 0 ? 0 : first;
            if (first > end) {
                std::swap(first, end);
            }
            QVERIFY2(
                isSame(series.extent(first, end), bruteForceExtent(values, first, end)),
                qPrintable(QString("[%1, %2)").arg(first).arg(end)));
        }
    }

    void Extent_whileGrowing_equalsBruteForce()
    {
        std::mt19937 random(5);
        const std::vector<float> values = awkwardValues(600, random);
        Series series(Smoothing::None);
        for (std::size_t i = 0; i < values.size(); ++i) {
            series.append(values[i]);
            const auto end = static_cast<std::int64_t>(i + 1);
            QVERIFY(isSame(series.extent(end / 3, end), bruteForceExtent(values, end / 3, end)));
        }
    }

    void Counts_randomRangesAndLimits_equalBruteForce()
    {
        std::mt19937 random(23);
        const std::vector<float> values = awkwardValues(20'000, random);
        const Series series = seriesOf(values);
        std::uniform_int_distribution<std::int64_t> anywhere(0, 20'000);
        for (int i = 0; i < 300; ++i) {
            const std::int64_t a = anywhere(random);
            const std::int64_t b = anywhere(random);
            const auto [first, end] = std::minmax(a, b);
            const float limit =
                values[static_cast<std::size_t>(i) * 7]; // one of them, at times NaN
            std::int64_t above = 0;
            std::int64_t below = 0;
            float greatest = -kInfinity;
            float least = kInfinity;
            std::optional<std::int64_t> fault;
            for (std::int64_t row = first; row < end; ++row) {
                const float value = values[static_cast<std::size_t>(row)];
                above += std::isfinite(value) && value > limit ? 1 : 0;
                below += std::isfinite(value) && value < limit ? 1 : 0;
                if (std::isfinite(value)) {
                    greatest = value <= limit ? std::max(greatest, value) : greatest;
                    least = value >= limit ? std::min(least, value) : least;
                }
                fault = !fault && !std::isfinite(value) ? std::optional(row) : fault;
            }
            greatest = std::isfinite(greatest) ? greatest : limit;
            least = std::isfinite(least) ? least : limit;
            QCOMPARE(series.countAbove(first, end, limit), above);
            QCOMPARE(series.countBelow(first, end, limit), below);
            if (std::isfinite(limit)) {
                QCOMPARE(series.greatestUpTo(first, end, limit), greatest);
                QCOMPARE(series.leastFrom(first, end, limit), least);
            }
            QCOMPARE(series.firstNotFinite(first, end), fault);
        }
    }

    void Append_notFinite_isKeptAndReported()
    {
        const Series series = seriesOf({1.0F, kNan, 3.0F, -kInfinity});
        QVERIFY(std::isnan(series.at(1)));
        QCOMPARE(series.at(3), -kInfinity);
        QCOMPARE(*series.firstNotFinite(0, 4), 1);
        QCOMPARE(series.extent(0, 4).notFinite, 2U);
        QCOMPARE(series.extent(0, 4).minimum, 1.0F);
        QCOMPARE(series.extent(0, 4).maximum, 3.0F);
        QVERIFY(!series.extent(1, 2).hasValues());
    }

    void Timeline_lookUp_equalsBruteForce_data()
    {
        QTest::addColumn<int>("axis");
        QTest::addRow("step") << static_cast<int>(XAxis::Step);
        QTest::addRow("epoch") << static_cast<int>(XAxis::Epoch);
        QTest::addRow("examples") << static_cast<int>(XAxis::Examples);
        QTest::addRow("wall time") << static_cast<int>(XAxis::WallTime);
    }
    void Timeline_lookUp_equalsBruteForce()
    {
        QFETCH(const int, axis);
        const auto xAxis = static_cast<XAxis>(axis);
        std::mt19937 random(11);
        const std::vector<Moment> moments = awkwardMoments(3000, random);
        Timeline timeline;
        for (const Moment& moment : moments) {
            timeline.append(moment);
        }
        for (std::size_t row = 0; row < moments.size(); ++row) {
            QCOMPARE(
                timeline.positionAt(xAxis, static_cast<std::int64_t>(row)),
                positionOf(moments[row], xAxis));
        }
        const double last = positionOf(moments.back(), xAxis);
        std::uniform_real_distribution<double> anywhere(-1.0, last * 1.05 + 1.0);
        for (int i = 0; i < 500; ++i) {
            const double position = anywhere(random);
            QCOMPARE(
                timeline.firstRowFrom(xAxis, position),
                bruteForceFirstRow(moments, xAxis, position));
            const std::int64_t nearest = timeline.nearestRow(xAxis, position);
            const double distance = std::abs(timeline.positionAt(xAxis, nearest) - position);
            QVERIFY(std::all_of(moments.begin(), moments.end(), [&](const Moment& moment) {
                return std::abs(positionOf(moment, xAxis) - position) >= distance;
            }));
        }
    }

    void Timeline_clockSetBack_standsStill()
    {
        Timeline timeline;
        timeline.append({1, 0.5, 10.0});
        timeline.append({2, 0.4, 8.0});
        timeline.append({3, 0.6, std::numeric_limits<double>::quiet_NaN()});
        QCOMPARE(timeline.momentAt(1).wallSeconds, 10.0);
        QCOMPARE(timeline.momentAt(1).epoch, 0.5);
        QCOMPARE(timeline.momentAt(2).wallSeconds, 10.0);
    }

    void Append_wrongStepOrCount_throws()
    {
        SeriesStore store({Smoothing::Line, Smoothing::None});
        const std::vector<double> two{1.0, 2.0};
        const std::vector<double> three{1.0, 2.0, 3.0};
        store.append({5, 0.0, 0.0}, two);
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, store.append({5, 0.0, 0.0}, two));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, store.append({6, 0.0, 0.0}, three));
        QCOMPARE(store.size(), 1);
        QCOMPARE(store.series(0).size(), 1);
    }

    void Store_millionStepsEightSeries_below200Megabytes()
    {
        const std::size_t before = mallinfo2().uordblks;
        SeriesStore store(std::vector(8, Smoothing::Line));
        const std::vector<double> row(8, 1.0);
        for (std::int64_t step = 0; step < 1'000'000; ++step) {
            store.append({step, 0.0, 0.0}, row);
        }
        const std::size_t bytes = mallinfo2().uordblks - before;
        QVERIFY2(bytes < 100'000'000, qPrintable(QString::number(bytes)));
    }

    void RunSeries_rows_landInTheirSeries()
    {
        RunSeries run(2, 16);
        const std::vector<double> losses{1.0, 3.0};
        run.append(StepPoint{{7, 0.1, 0.2}, losses, 2.0, 640.0, 0.25});
        lockstep::EvaluationRecord raw{.accuracy = 0.5, .loss = 1.5};
        raw.detection.emplace().averagePrecision = 0.75;
        lockstep::EvaluationRecord average{.accuracy = 0.6, .loss = 1.25};
        average.detection.emplace().averagePrecision = 0.875;
        run.append({7, 0.1, 0.2}, raw, average);
        QCOMPARE(run.steps().series(run.towerLoss(0)).at(0), 1.0F);
        QCOMPARE(run.steps().series(run.lastTowerLoss()).at(0), 3.0F);
        QCOMPARE(run.steps().series(RunSeries::kMeanLoss).at(0), 2.0F);
        QCOMPARE(run.steps().series(RunSeries::kExamplesPerSecond).at(0), 640.0F);
        QCOMPARE(run.steps().series(RunSeries::kTrainAccuracy).at(0), 0.25F);
        QVERIFY(std::isnan(run.steps().series(RunSeries::kVarianceRatio).at(0)));
        QCOMPARE(run.steps().series(RunSeries::kLastMinusMean).at(0), 1.0F);
        QCOMPARE(run.steps().series(RunSeries::kBias).at(0), 1.0F);
        QVERIFY(std::isnan(run.steps().series(RunSeries::kBiasBandHigh).at(0)));
        const std::vector<double> next{2.0, 2.0};
        run.append(StepPoint{{8, 0.1, 0.2}, next, 2.0, 640.0, 0.25});
        // Differences 1 and 0: mean 0.5, standard error sqrt(0.5 / 2).
        QCOMPARE(run.steps().series(RunSeries::kBias).at(1), 0.5F);
        QCOMPARE(run.steps().series(RunSeries::kBiasBandHigh).at(1), 1.0F);
        QCOMPARE(run.steps().series(RunSeries::kBiasBandLow).at(1), -1.0F);
        QCOMPARE(run.expectedVarianceRatio(), 2.0);
        run.setTrainingExamples(64);
        QVERIFY(std::abs(run.expectedVarianceRatio() - 2.0 * (48.0 / 32.0)) < 1e-12);
        const SeriesStore& tests = run.evaluations();
        QCOMPARE(tests.series(RunSeries::kMovingAverageAccuracy).at(0), 0.6F);
        QCOMPARE(tests.series(RunSeries::kTestLoss).at(0), 1.5F);
        QCOMPARE(tests.series(RunSeries::kMovingAverageLoss).at(0), 1.25F);
        QCOMPARE(tests.series(RunSeries::kAveragePrecision).at(0), 0.75F);
        QCOMPARE(tests.series(RunSeries::kMovingAverageAveragePrecision).at(0), 0.875F);
        QCOMPARE(run.lastTower().worstDeviation(), 0.5);
        const std::vector<double> tooFew{1.0};
        QVERIFY_THROWS_EXCEPTION(
            std::invalid_argument, run.append(StepPoint{{9, 0.1, 0.2}, tooFew}));
    }
};

LOCKSTEP_TEST(TestSeriesStore)
#include "test_series_store.moc"
