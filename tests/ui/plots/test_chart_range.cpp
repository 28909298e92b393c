// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/shared/panel.h"
#include "plots/charts/loss_plot.h"
#include "plots/curves/curve_columns.h"
#include "plots/curves/y_range.h"
#include "plots/view/chart_status.h"
#include "ui/shown_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

using namespace lockstep::ui;

namespace {

/// Noise on a slope, with outliers, values below 0 and some that are no numbers.
std::vector<float> noisyValues(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) {
        float value = 3.0F + normal(random) - static_cast<float>(i) / static_cast<float>(count);
        value = i % 1009 == 0 ? 500.0F : i % 997 == 0 ? -90.0F : value;
        values.push_back(i % 501 == 0 ? std::nanf("") : value);
    }
    return values;
}

/// The definition, on sorted values.
std::pair<double, double> definedRange(std::vector<float> values, bool isLogarithmic)
{
    std::erase_if(values, [&](float value) {
        return !std::isfinite(value) || (isLogarithmic && value <= 0.0F);
    });
    std::sort(values.begin(), values.end());
    const auto place = [&](std::size_t rank) {
        const double value = values[rank];
        return isLogarithmic ? std::log(value) : value;
    };
    const std::size_t tail = std::max<std::size_t>(1, values.size() / 200);
    const double low = place(tail);
    const double high = place(values.size() - 1 - tail);
    const double bottom = low - 0.75 * (high - low);
    const double top = high + 0.75 * (high - low);
    std::size_t first = 0;
    std::size_t last = values.size() - 1;
    while (place(first) < bottom) {
        ++first;
    }
    while (place(last) > top) {
        --last;
    }
    return {values[first], values[last]};
}

Series seriesOf(const std::vector<float>& values)
{
    Series series(Smoothing::Line);
    for (const float value : values) {
        series.append(value);
    }
    return series;
}

PlotScale scaleOf(double first, double last, bool isXLogarithmic)
{
    PlotScale scale;
    scale.area = {0, 0, 300, 200};
    scale.first = first;
    scale.last = last;
    scale.isXLogarithmic = isXLogarithmic;
    return scale;
}

} // namespace

/// Which values a chart shows, and what it says of the others.
class TestChartRange : public QObject
{
    Q_OBJECT

private slots:
    void init() { failOnOwnWarnings(); }

    void RobustExtent_equalsSortedQuantiles_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("isLogarithmic");
        for (const int count : {45, 300, 4000}) {
            QTest::addRow("%d", count) << count << false;
            QTest::addRow("%d, logarithmic", count) << count << true;
        }
    }

    void RobustExtent_equalsSortedQuantiles()
    {
        QFETCH(int, count);
        QFETCH(bool, isLogarithmic);
        const std::vector<float> values = noisyValues(static_cast<std::size_t>(count), 3);
        const Extent extent = robustExtent(seriesOf(values), 0, count, isLogarithmic);
        const auto [bottom, top] = definedRange(values, isLogarithmic);
        const double low = isLogarithmic ? extent.minimumPositive : extent.minimum;
        QVERIFY2(
            std::abs(low - bottom) <= 1e-4 * std::abs(bottom), qPrintable(QString::number(low)));
        QVERIFY(std::abs(extent.maximum - top) <= 1e-4 * std::abs(top));
    }

    void RobustExtent_longRange_isCloseToSortedQuantiles()
    {
        const std::vector<float> values = noisyValues(300'000, 4);
        const Extent extent = robustExtent(seriesOf(values), 0, 300'000, false);
        const auto [bottom, top] = definedRange(values, false);
        QVERIFY(std::abs(extent.minimum - bottom) < 0.05 * (top - bottom));
        QVERIFY(std::abs(extent.maximum - top) < 0.05 * (top - bottom));
    }

    void RobustExtent_ordinaryNoise_leavesNothingOut()
    {
        std::mt19937 random(8);
        std::normal_distribution<float> normal;
        Series series(Smoothing::None);
        for (int i = 0; i < 200'000; ++i) {
            series.append(normal(random));
        }
        const Extent robust = robustExtent(series, 0, series.size(), false);
        const Extent full = series.extent(0, series.size());
        QCOMPARE(robust.minimum, full.minimum);
        QCOMPARE(robust.maximum, full.maximum);
    }

    /// A fall from the first losses is ordinary; what a run ends with before it is no number is
    /// not.
    void RobustExtent_fewStepsAndOneBeyondMeasure_leavesItOut()
    {
        std::vector<float> values{5.0F, 3.1F, 2.6F, 2.4F, 2.3F, 2.3F, 2.2F, 2.1F};
        const Extent ordinary = robustExtent(seriesOf(values), 0, 8, false);
        QCOMPARE(ordinary.maximum, 5.0F);
        QCOMPARE(ordinary.minimum, 2.1F);
        values.push_back(1e23F);
        for (const bool isLogarithmic : {false, true}) {
            const Extent extent = robustExtent(seriesOf(values), 0, 9, isLogarithmic);
            QCOMPARE(extent.maximum, 5.0F);
        }
        // Too few to tell what is ordinary.
        QCOMPARE(robustExtent(seriesOf({2.0F, 2.1F, 1e9F}), 0, 3, false).maximum, 1e9F);
    }

    void Range_ofStepsLeftBehind_isThatOfTheRun()
    {
        SeriesStore run({Smoothing::Line});
        SeriesStore left({Smoothing::Line});
        for (int step = 0; step < 100; ++step) {
            run.append({step, 0.0, 0.0, 0.0}, std::array{2.0 + 0.01 * (step % 7)});
            left.append({step, 0.0, 0.0, 0.0}, std::array{step < 90 ? 2.0 : 1e16});
        }
        Curve abandoned{&left, 0, "left", CurveKind::Overlay};
        abandoned.isAbandoned = true;
        const Curve own{&run, 0, "own"};
        for (const bool isRobust : {false, true}) {
            const YLimits limits{std::nullopt, std::nullopt, {}, isRobust};
            const auto range = fittingYRange({abandoned, own}, scaleOf(0, 99, false), limits);
            QVERIFY(range.second < 2.2);
            QVERIFY(fittingYRange({abandoned}, scaleOf(0, 99, false), limits).second > 1.9);
        }
    }

    void Range_robustOrFull_isWhatThePersonChose()
    {
        SyntheticRun run(2, 128, 3'000);
        run.spikeNext(50.0);
        run.append(3'000);
        Shown<LossPlot> shown(run.series());
        QVERIFY(shown.plot.scale().top < 8.0); // its first losses are below 7
        QTest::keyClick(&shown.plot, Qt::Key_O);
        QVERIFY(shown.plot.scale().top > 40.0);
        shown.picture();
        QCOMPARE(shown.plot.status().above, 0);
        QVERIFY(shown.plot.marks().empty());
    }

    void Columns_onALogarithmicXAxis_holdAllValues()
    {
        constexpr std::int64_t kSteps = 20'000;
        const std::vector<float> values = noisyValues(kSteps, 6);
        SeriesStore store({Smoothing::Line});
        for (std::int64_t step = 0; step < kSteps; ++step) {
            store.append(
                {step, 0.0, 0.0}, std::vector<double>{values[static_cast<std::size_t>(step)]});
        }
        const PlotScale scale = scaleOf(1.0, 25'000.0, true);
        const ColumnGrid grid = columnGrid(store.timeline(), scale, 300);
        const std::vector<ColumnValues> columns = curveColumns(store.series(0), grid, false);
        for (std::int64_t step = 1; step < kSteps; ++step) {
            const double share = std::log(static_cast<double>(step)) / std::log(25'000.0);
            const auto column = static_cast<std::size_t>(std::floor(share * 300.0 - 1e-9));
            const float value = values[static_cast<std::size_t>(step)];
            if (std::isnan(value)) {
                QVERIFY(columns[column].hasNotFinite || columns[column + 1].hasNotFinite);
            } else {
                const auto holds = [&](const ColumnValues& each) {
                    return each.low <= value && value <= each.high;
                };
                QVERIFY(holds(columns[column]) || holds(columns[column + 1]));
            }
        }
    }

    void Line_atAnyZoom_isTheSame()
    {
        constexpr double kWeight = 0.98;
        SyntheticRun run(2, 128, 50'000);
        run.series().setSmoothing(kWeight);
        const SeriesStore& steps = run.series().steps();
        const Series& loss = steps.series(RunSeries::kMeanLoss);
        // From the definition, a weighted straight line: beyond 1,500 steps a value weighs less
        // than 1e-13.
        const auto lineAt = [&](std::int64_t row) {
            double s[3] = {};
            double t[2] = {};
            for (std::int64_t other = std::max<std::int64_t>(0, row - 1500);
                 other < std::min(steps.size(), row + 1501); ++other) {
                const auto distance = static_cast<double>(other - row);
                const double weight = std::pow(kWeight, std::abs(distance));
                const auto value = static_cast<double>(loss.at(other));
                s[0] += weight;
                s[1] += weight * distance;
                s[2] += weight * distance * distance;
                t[0] += weight * value;
                t[1] += weight * distance * value;
            }
            return (s[2] * t[0] - s[1] * t[1]) / (s[0] * s[2] - s[1] * s[1]);
        };
        const Curve curve{&steps, RunSeries::kMeanLoss, {}, CurveKind::Mean};
        for (const auto& [first, last] :
             {std::pair(0.0, 50'000.0), std::pair(20'000.0, 30'000.0),
              std::pair(24'990.0, 25'030.0)}) {
            PlotScale scale = scaleOf(first, last, false);
            scale.top = 5.0;
            const QList<QPointF> points =
                curvePoints(curve, scale, visibleRows(steps.timeline(), scale, 150));
            QVERIFY(points.size() > 20);
            for (const QPointF& point : points) {
                const std::int64_t row = std::llround(scale.positionAtPixel(point.x()));
                QVERIFY(std::abs(scale.valueAtPixel(point.y()) - lineAt(row)) < 1e-4);
            }
        }
    }

    void Status_ofAPart_countsWhatIsThere()
    {
        SyntheticRun run(2, 128, 5'000);
        run.spikeNext(std::nan(""));
        run.append(5'000);
        run.series().setSmoothing(0.98);
        Shown<LossPlot> shown(run.series());
        shown.range.zoomTo(4'900, 5'100);
        QVERIFY2(
            shown.plot.summary().endsWith("201 of 10,000 steps · smoothing 0.98 · 1 NaN at 5,000"),
            qPrintable(shown.plot.summary()));
        shown.range.zoomTo(6'000, 7'000);
        QVERIFY(!shown.plot.summary().contains("NaN"));
    }

    void Status_tooNarrow_keepsTheExceptions()
    {
        ChartStatus status;
        status.shownSteps = 1'000'000;
        status.allSteps = 1'000'000;
        status.smoothing = 0.9;
        status.above = 3;
        status.notFinite = 1;
        status.firstNotFinite = 12'345;
        const QFontMetricsF metrics{QFont()};
        const QString whole = statusText(status);
        QCOMPARE(
            whole, "1,000,000 of 1,000,000 steps · smoothing 0.90 · 3 points off scale ↑ · 1 NaN "
                   "at 12,345");
        QCOMPARE(fittingStatus(status, metrics, metrics.horizontalAdvance(whole)), whole);
        const QString shorter =
            fittingStatus(status, metrics, metrics.horizontalAdvance(whole) - 1);
        QVERIFY(!shorter.contains("smoothing"));
        QVERIFY(shorter.contains("1,000,000 steps"));
        const QString exceptions = "3 points off scale ↑ · 1 NaN at 12,345";
        QCOMPARE(fittingStatus(status, metrics, metrics.horizontalAdvance(exceptions)), exceptions);
    }

    void Pace_anyCost_isTwiceASecondAndASmallShare()
    {
        using std::chrono::milliseconds;
        for (const int processors : {1, 2, 16}) {
            for (const int cost : {1, 5, 10, 20, 100}) {
                RepaintPace pace(processors);
                pace.note(milliseconds(cost));
                const double seconds = std::chrono::duration<double>(pace.interval()).count();
                QVERIFY(seconds < 0.5 && seconds >= 0.04);
                const double work =
                    cost / 1000.0 / seconds / processors; // a second, of each processor
                QVERIFY(work < 0.0041 || seconds > 0.47);
            }
        }
    }
};
LOCKSTEP_TEST(TestChartRange)
#include "test_chart_range.moc"
