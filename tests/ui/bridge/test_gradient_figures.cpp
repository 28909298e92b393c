// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/gradient_figures.h"
#include "bridge/session/run_feed.h"
#include "support/gradients.h"
#include "support/lockstep_test.h"
#include "ui/model_cells.h"

#include <cmath>
#include <limits>

using namespace lockstep;
using namespace lockstep::ui;
using Mode = QAbstractItemModelTester::FailureReportingMode;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

GradientRecord recordOf(std::int64_t step, const test::TowerGradients& gradients)
{
    GradientRecord record{step, 32, {test::measured("conv1.weight", gradients)}};
    record.parameters[0].weightSquares = 4.0;
    record.parameters[0].updateSquares = 1e-6;
    return record;
}

} // namespace

/// What the window makes of gradient records: rows, history, batches.
class TestGradientFigures : public QObject
{
    Q_OBJECT

private slots:
    void Table_ofLayers_showsTheirFigures()
    {
        GradientFigures figures;
        QVERIFY(figures.isEmpty());
        figures.add(recordOf(10, {{3.0, 0.0}, {0.0, 3.0}}));
        GradientTableModel model;
        const QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.setRows(figures.rows());
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.columnCount(), GradientTableModel::FirstTower + 2);
        QCOMPARE(shown(model, 0, GradientTableModel::Layer), "All layers");
        QCOMPARE(shown(model, 1, GradientTableModel::Layer), "conv1");
        QCOMPARE(shown(model, 1, GradientTableModel::WeightNorm), "2");
        QCOMPARE(shown(model, 1, GradientTableModel::GradientNorm), "2.121");
        QCOMPARE(shown(model, 1, GradientTableModel::UpdateToWeight), "0.0005");
        QCOMPARE(shown(model, 1, GradientTableModel::FirstTower + 1), "0.71");
        QVERIFY(
            std::abs(value(model, 0, GradientTableModel::FirstTower).toDouble() - std::sqrt(0.5))
            < 1e-9);
        QCOMPARE(
            model.index(0, GradientTableModel::FirstTower + 1).data(ColorIndexRole).toInt(), 1);
        QVERIFY(model.index(0, 0).data(EmphasisRole).toBool());
        QVERIFY(!model.index(1, 0).data(EmphasisRole).toBool());
        QVERIFY(alignment(model, 0, GradientTableModel::UpdateToWeight) & Qt::AlignRight);
        QVERIFY(isAccessible(model));
        QCOMPARE(figures.globalBatch(), 64);
        model.setRows({});
        QCOMPARE(model.columnCount(), int{GradientTableModel::FirstTower});
    }

    void Table_ofOneTower_hasNoCosines()
    {
        GradientFigures figures;
        figures.add(recordOf(0, {{3.0, 1.0}}));
        GradientTableModel model;
        model.setRows(figures.rows());
        QCOMPARE(model.columnCount(), int{GradientTableModel::FirstTower});
        QVERIFY(figures.noiseScale().state() == GradientNoiseScale::State::OneTower);
    }

    void Table_undefinedValues_areDashes()
    {
        GradientTableModel model;
        model.setRows({{"conv1", 1.0, 0.0, kNaN, {kNaN, kNaN}}});
        QCOMPARE(shown(model, 0, GradientTableModel::UpdateToWeight), "–");
        QCOMPARE(shown(model, 0, GradientTableModel::FirstTower), "–");
        QVERIFY(!value(model, 0, GradientTableModel::FirstTower).isValid());
    }

    /// The one that is as wide as a plus, as in the charts.
    void Table_negativeValues_haveOneKindOfMinus()
    {
        GradientTableModel model;
        model.setRows({{"conv-1", 1.0, 0.0, 2e-7, {-0.5, 1.0}}});
        QCOMPARE(shown(model, 0, GradientTableModel::FirstTower), "−0.50");
        QCOMPARE(shown(model, 0, GradientTableModel::UpdateToWeight), "2e−07");
        QCOMPARE(shown(model, 0, GradientTableModel::Layer), "conv-1");
    }

    // A run that is opened while it trains may tell of a step twice.
    void Figures_earlierSteps_areLeftOut()
    {
        GradientFigures figures;
        figures.add(recordOf(10, {{1.0}, {1.0}}));
        figures.add(recordOf(10, {{1.0}, {-0.5}}));
        figures.add(recordOf(0, {{1.0}, {-0.5}}));
        QCOMPARE(figures.step(), 10);
        QCOMPARE(figures.history().points().size(), std::size_t{1});
        QCOMPARE(figures.noiseScale().examples().value(), 0.0);
    }

    void History_ofALongRun_staysSmallAndKeepsExtremes()
    {
        CosineHistory history;
        constexpr int kRecords = 100'000;
        for (int i = 0; i < kRecords; ++i) {
            history.add(10 * i, {i == 70'123 ? -0.5 : 0.8, i == 3 ? 0.99 : 0.6});
        }
        const auto& points = history.points();
        QVERIFY(points.size() <= CosineHistory::kMostPoints);
        QVERIFY(points.size() >= CosineHistory::kMostPoints / 2);
        QCOMPARE(points.front().firstStep, 0);
        QCOMPARE(points.back().lastStep, 10 * (kRecords - 1));
        int spikes = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            QVERIFY(i == 0 || points[i].firstStep == points[i - 1].lastStep + 10);
            const bool isSpike = points[i].firstStep <= 701'230 && points[i].lastStep >= 701'230;
            QCOMPARE(points[i].least[0], isSpike ? -0.5 : 0.8);
            QCOMPARE(points[i].most[1], i == 0 ? 0.99 : 0.6);
            spikes += isSpike ? 1 : 0;
        }
        QCOMPARE(spikes, 1);
    }

    void History_withoutValues_hasGaps()
    {
        CosineHistory history;
        for (std::size_t i = 0; i < 2 * CosineHistory::kMostPoints; ++i) {
            history.add(
                static_cast<std::int64_t>(i),
                i % 2 == 0 ? std::vector{kNaN, kNaN} : std::vector{0.5, kNaN});
        }
        for (const CosinePoint& point : history.points()) {
            QCOMPARE(point.least[0], 0.5); // of the two that became one, the one that is a number
            QVERIFY(std::isnan(point.most[1]));
        }
    }

    void Batch_isToldOnce_boundedAndHasTheNewest()
    {
        GradientBatch batch;
        GradientRecord record = test::exampleGradients(0, 2);
        QVERIFY(batch.push(record));
        for (record.step = 1; record.step <= 10'000; ++record.step) {
            QVERIFY(!batch.push(record));
        }
        const std::vector<GradientRecord> waiting = batch.take();
        QVERIFY(waiting.size() > 1 && waiting.size() < 1000);
        QCOMPARE(waiting.back().step, 10'000);
        QVERIFY(batch.take().empty());
        QVERIFY(batch.push(record));
    }
};
LOCKSTEP_TEST(TestGradientFigures)
#include "test_gradient_figures.moc"
