// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/run_chart.h"
#include "plots/view/plot_view.h"
#include "support/text_rows.h"
#include "theme/tower_colors.h"
#include "ui/shown_plot.h"

#include <memory>
#include <numeric>
#include <random>
#include <vector>

using namespace lockstep::ui;

namespace {

constexpr int kSteps = 2000;

/// A run of towers that draw about 2, the last one about 2 + bias; `share` of their deviation is
/// common to all.
std::unique_ptr<RunSeries> runOf(int towers, double bias, double share, int batch = 128)
{
    auto run = std::make_unique<RunSeries>(towers, batch);
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    std::vector<double> losses(static_cast<std::size_t>(towers));
    for (int step = 0; step < kSteps; ++step) {
        const double common = 0.1 * share * normal(random);
        for (double& loss : losses) {
            loss = 2.0 + common + 0.1 * (1.0 - share) * normal(random);
        }
        losses.back() += bias;
        const double sum = std::accumulate(losses.begin(), losses.end(), 0.0);
        run->append(StepPoint{{step, step * 0.01, step * 0.1}, losses, sum / towers, 1000.0, 0.5});
    }
    return run;
}

/// What the chart says of a run, once it was painted.
QString said(const RunChartSpecification& chart, RunSeries& run)
{
    Shown<PlotView> shown(lightPalette(), chart);
    shown.setRun(run);
    shown.picture(); // must not fail
    return shown.plot.summary();
}

} // namespace

/// What the two charts of the last tower say of runs whose answer is known.
class TestLastTowerPlots : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { failOnOwnWarnings(); }

    void OneTower_hasNothingToCompare()
    {
        const auto run = runOf(1, 0.0, 0.0);
        QCOMPARE(said(biasChart(), *run), "One tower: its loss is the mean");
        QCOMPARE(said(variationChart(), *run), "With one tower there is nothing to compare");
    }

    void SingleImages_getNoVerdict()
    {
        const QString text = said(variationChart(), *runOf(2, 0.0, 0.0, 1));
        QVERIFY2(text.contains("no verdict: with a batch of 1"), qPrintable(text));
        QVERIFY2(!text.contains("expected"), qPrintable(text));
    }

    void IndependentTowers_areSaidToBe_data()
    {
        lockstep::test::addNumberRows("towers", {2, 4, 8});
    }
    void IndependentTowers_areSaidToBe()
    {
        QFETCH(const int, towers);
        const auto run = runOf(towers, 0.0, 0.0);
        const QString ratio = said(variationChart(), *run);
        QVERIFY2(ratio.contains("as independent batches would"), qPrintable(ratio));
        QVERIFY(ratio.contains(QString("expected %1.00").arg(towers)));
        const QString bias = said(biasChart(), *run);
        QVERIFY2(!bias.contains("are not like the others'"), qPrintable(bias));
        QVERIFY2(bias.contains("last tower's loss "), qPrintable(bias));
    }

    void SameData_isSaid()
    {
        const auto run = runOf(4, 0.0, 1.0);
        const QString ratio = said(variationChart(), *run);
        QVERIFY2(
            ratio.startsWith("all towers have the same loss · 1.00, expected 4.00 ("),
            qPrintable(ratio));
        const QString bias = said(biasChart(), *run);
        QVERIFY2(
            bias.startsWith("the last tower's loss is the mean at every step"), qPrintable(bias));
    }

    void AlikeTowers_areSaidToBe()
    {
        const auto run = runOf(4, 0.0, 0.5);
        const QString ratio = said(variationChart(), *run);
        QVERIFY2(ratio.contains("the loss moves for all at once"), qPrintable(ratio));
    }

    /// The difference is a line that can be read, on the axis where it matters.
    void TowerPoisonedLate_isOnScale()
    {
        auto run = std::make_unique<RunSeries>(2, 128);
        std::mt19937 random(5);
        std::normal_distribution<double> normal;
        for (int step = 0; step < kSteps; ++step) {
            const double poison = step < 1'600 ? 0.0 : 1.0;
            const std::vector<double> losses{
                2.0 + 0.1 * normal(random), 2.0 + poison + 0.1 * normal(random)};
            run->append(StepPoint{
                {step, step * 0.01, step * 0.1}, losses, 0.5 * (losses[0] + losses[1]), 1000.0});
        }
        run->setSmoothing(0.9);
        Shown<PlotView> shown(lightPalette(), biasChart());
        shown.setRun(*run);
        const QImage picture = shown.picture();
        const PlotScale scale = shown.plot.scale();
        QVERIFY(scale.top > 0.5); // half of 1
        const Curve& each = shown.plot.curves().front();
        int colored = 0;
        const QColor ink = towerColor(1, themeColors(lightPalette()));
        for (int x = static_cast<int>(scale.pixelX(0)); x < scale.pixelX(1'500); ++x) {
            for (int y = 0; y < picture.height(); ++y) {
                const QColor pixel = picture.pixelColor(x, y);
                colored += std::abs(pixel.red() - ink.red()) < 40
                                   && std::abs(pixel.blue() - ink.blue()) < 40
                               ? 1
                               : 0;
            }
        }
        // A few pixels a column, no block from top to bottom.
        QVERIFY2(
            colored < 0.1 * scale.area.height() * scale.area.width(),
            qPrintable(QString::number(colored)));
        QVERIFY(each.series().smoothedAt(1'900) < scale.top);
    }

    void BiasedTower_isSaid()
    {
        const auto run = runOf(4, 0.2, 0.0);
        const QString bias = said(biasChart(), *run);
        // 3/4 of 0.2 above a mean of 2.05.
        QVERIFY2(bias.contains("last tower's loss +7."), qPrintable(bias));
        QVERIFY2(bias.startsWith("more than chance explains · "), qPrintable(bias));
    }
};

LOCKSTEP_TEST(TestLastTowerPlots)
#include "test_last_tower_plots.moc"
