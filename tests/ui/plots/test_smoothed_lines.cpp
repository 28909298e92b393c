// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/loss_plot.h"
#include "plots/curves/curve_style.h"
#include "ui/shown_plot.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace lockstep::ui;

namespace {

/// A run as they are: how many steps and towers, what its loss does, how noisy that is.
struct Shape
{
    int steps = 0;
    int towers = 0;
    int kind = 0;
    double noise = 0.0; ///< a share of the loss
    double smoothing = 0.9;
};

double trendAt(const Shape& shape, int step)
{
    const double x = step;
    const double share = x / shape.steps;
    switch (shape.kind) {
    case 0: // falls fast, then hardly
        return 0.7 + 3.9 * std::exp(-30.0 * share);
    case 1: // is still falling
        return 0.3 + 2.0 * std::exp(-2.0 * share);
    case 2: // learns nothing
        return 2.3;
    case 3: // at a lower learning rate
        return (share < 0.5 ? 2.0 : share < 0.8 ? 0.8 : 0.5) - 0.2 * share;
    case 4: // just behind such a jump
        return step < shape.steps - 18 ? 2.0 : 0.4;
    default: // falls within the first steps
        return 0.2 + 9.0 * std::exp(-x / 8.0);
    }
}

RunSeries runOf(const Shape& shape, unsigned seed)
{
    RunSeries run(shape.towers, 32);
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> losses(static_cast<std::size_t>(shape.towers));
    for (int step = 0; step < shape.steps; ++step) {
        double sum = 0.0;
        for (double& loss : losses) {
            loss = trendAt(shape, step) * std::exp(shape.noise * normal(random));
            sum += loss;
        }
        run.append(StepPoint{{step, 0.01 * step, 0.1 * step}, losses, sum / shape.towers, 1000.0});
    }
    run.setSmoothing(shape.smoothing);
    return run;
}

/// Of the mean losses of rows [first, end).
std::pair<double, double> scatter(const Series& mean, std::int64_t first, std::int64_t end)
{
    const lockstep::ui::Extent extent =
        mean.extent(std::max<std::int64_t>(0, first), std::min(end, mean.size()));
    return {extent.minimum, extent.maximum};
}

} // namespace

/// The bold line against what it is the line of.
class TestSmoothedLines : public QObject
{
    Q_OBJECT

private slots:
    void init() { failOnOwnWarnings(); }

    void Mean_ofRealisticRuns_liesInItsBandAndEndsAmongItsSteps_data()
    {
        QTest::addColumn<int>("number");
        for (int number = 0; number < 20; ++number) {
            QTest::addRow("%d", number) << number;
        }
    }
    void Mean_ofRealisticRuns_liesInItsBandAndEndsAmongItsSteps()
    {
        QFETCH(const int, number);
        constexpr int kSteps[] = {9, 20, 40, 95, 300, 1'000, 5'000, 20'000};
        constexpr int kTowers[] = {2, 4, 1};
        constexpr double kNoises[] = {0.05, 0.3, 0.005};
        constexpr double kSmoothings[] = {0.9, 0.9, 0.98, 0.6, 0.99};
        const Shape shape{
            kSteps[number % 8], kTowers[number % 3], number % 6, kNoises[number / 3 % 3],
            kSmoothings[number % 5]};
        RunSeries run = runOf(shape, static_cast<unsigned>(number));
        Shown<LossPlot> shown(run);
        const PlotScale scale = shown.plot.scale();
        const Curve& mean = shown.plot.curves().back();
        QCOMPARE(mean.seriesIndex, RunSeries::kMeanLoss);
        const QList<QPointF> line =
            curvePoints(mean, scale, lineRows(mean, shown.plot.curves(), scale));
        QVERIFY(line.size() >= std::min(shape.steps, 400));

        // Drawn between the least and the greatest of the first and of the last ten steps.
        const double tolerance = 1e-3 * (scale.top - scale.bottom);
        const std::int64_t steps = shape.steps;
        for (const auto& [point, range] :
             {std::pair(line.front(), scatter(mean.series(), 0, 10)),
              std::pair(line.back(), scatter(mean.series(), steps - 10, steps))}) {
            const double value = scale.valueAtPixel(point.y());
            QVERIFY2(
                value >= range.first - tolerance && value <= range.second + tolerance,
                qPrintable(
                    QString("%1 of %2 to %3").arg(value).arg(range.first).arg(range.second)));
        }
        if (shape.towers == 1) {
            QVERIFY(!mean.band);
            return;
        }
        const auto band = averageBand(mean, shown.plot.curves(), scale, 1.0);
        qsizetype next = 1;
        int columns = 0;
        for (std::size_t column = 0; column < band.size(); ++column) {
            const double x = scale.area.left() + static_cast<double>(column) + 0.5;
            while (next < line.size() && line[next].x() < x) {
                ++next;
            }
            if (next == line.size() || x < line.front().x()) {
                continue;
            }
            const QPointF from = line[next - 1];
            const double share = (x - from.x()) / (line[next].x() - from.x());
            const double y = from.y() + share * (line[next].y() - from.y()) - scale.area.top();
            QVERIFY2(
                band[column].top <= y + 1e-3 && y - 1e-3 <= band[column].end,
                qPrintable(QString::number(column)));
            ++columns;
        }
        QVERIFY(columns >= line.back().x() - line.front().x() - 1.0);
        QVERIFY(columns > 0.8 * scale.area.width());
    }

    // As many rows as the run has steps at its end, whatever was drawn before.
    void Mean_ofAGrowingRun_neverLeavesItsNewestSteps()
    {
        const Shape shape{260, 2, 1, 0.02, 0.9};
        const RunSeries whole = runOf(shape, 3);
        RunSeries run(2, 32);
        run.setSmoothing(0.9);
        const Series& mean = run.steps().series(RunSeries::kMeanLoss);
        for (std::int64_t row = 0; row < shape.steps; ++row) {
            const auto at = [&](int series) {
                return static_cast<double>(whole.steps().series(series).at(row));
            };
            const std::vector<double> losses{at(whole.towerLoss(0)), at(whole.towerLoss(1))};
            run.append(StepPoint{
                whole.steps().timeline().momentAt(row), losses, at(RunSeries::kMeanLoss), 1000.0});
            for (const std::int64_t end : {std::int64_t{0}, row}) {
                const auto [least, greatest] =
                    end == 0 ? scatter(mean, 0, 10) : scatter(mean, row - 9, row + 1);
                QVERIFY(mean.smoothedAt(end) >= least - 1e-3);
                QVERIFY(mean.smoothedAt(end) <= greatest + 1e-3);
            }
        }
        for (std::int64_t row = 0; row < shape.steps;
             ++row) { // and is what it is when it is opened
            QCOMPARE(
                mean.smoothedAt(row), whole.steps().series(RunSeries::kMeanLoss).smoothedAt(row));
        }
    }
};

LOCKSTEP_TEST(TestSmoothedLines)
#include "test_smoothed_lines.moc"
