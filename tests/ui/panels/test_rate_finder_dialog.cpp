// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/batch_text.h"
#include "dialogs/rate_finder/rate_finder_dialog.h"
#include "plots/axes/ticks.h"
#include "plots/charts/line_plot.h"
#include "support/lockstep_test.h"

#include <QtWidgets>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

RunConfig smallConfig()
{
    RunConfig config;
    config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.device = "cpu";
    config.batchPerTower = 8;
    return config;
}

std::size_t wholeTrials(const RateFinding& found)
{
    return static_cast<std::size_t>(
        std::ranges::count(found.trials, false, &RateTrial::isDiverged));
}

} // namespace

/// The search for a learning rate, with trainings that really happen.
class TestRateFinderDialog : public QObject
{
    Q_OBJECT

private slots:
    void Search_drawsItsCurve_andItsRateCanBeTaken()
    {
        RateFinderDialog dialog;
        dialog.setUp(smallConfig());
        dialog.show();
        QSignalSpy taken(&dialog, &RateFinderDialog::rateTaken);
        auto* const take = dialog.findChild<QPushButton*>("take_rate");
        QVERIFY(!take->isEnabled());
        QTest::mouseClick(dialog.findChild<QPushButton*>("try_rates"), Qt::LeftButton);
        QVERIFY(dialog.isTrying() && !dialog.found());
        const auto* const state = dialog.findChild<QLabel*>("trial_state");
        QTRY_VERIFY(state->text().startsWith("Training at ") && state->text().contains(" of 100"));
        QTRY_VERIFY(!dialog.isTrying());
        const RateFinding found =
            findRate(smallConfig(), {}, [](const auto& /*soFar*/) { return true; });
        QVERIFY(found.rate);
        QCOMPARE(dialog.found(), found.rate);
        const auto* const chart = dialog.findChild<LinePlot*>("rate_chart");
        QCOMPARE(chart->curves().at(0).points.size(), found.sweep.size());
        QCOMPARE(chart->curves().at(1).points.size(), wholeTrials(found));
        QCOMPARE(chart->marks().size(), std::size_t{1});
        QCOMPARE(chart->marks().front().position, *found.rate);
        QCOMPARE(chart->marks().front().text, rateText(*found.rate));
        QVERIFY(state->text().startsWith(rateText(*found.rate) + " was tried for "));
        QVERIFY(take->isEnabled());
        QTest::mouseClick(take, Qt::LeftButton);
        QCOMPARE(taken.count(), 1);
        QCOMPARE(taken.front().front().toDouble(), *found.rate);
    }

    /// The y axis ends at the untrained network: the divergence of a rate hides no fall.
    void Chart_showsRatesAndWhatIsBelowTheUntrainedNetwork()
    {
        RateFinderDialog dialog;
        dialog.setUp(smallConfig());
        dialog.show();
        dialog.tryRates();
        QTRY_VERIFY(!dialog.isTrying());
        auto* const chart = dialog.findChild<LinePlot*>("rate_chart");
        const PlotScale scale = chart->scale();
        QStringList labels;
        for (const Tick& tick : xTicks(scale.axis, scale.first, scale.last, 7, true)) {
            labels.append(tick.label);
        }
        QVERIFY(scale.isXLogarithmic);
        QCOMPARE(labels, (QStringList{"1e\u221205", "0.0001", "0.001", "0.01", "0.1", "1", "10"}));
        double start = chart->curves().at(0).points.front().y();
        double least = start;
        for (const LineCurve& curve : chart->curves()) {
            for (const QPointF& point : curve.points) {
                least = std::min(least, point.y());
            }
        }
        QVERIFY(scale.bottom < least && scale.bottom > 0.5 * least);
        QVERIFY(scale.top > start && scale.top < start + 0.1 * (start - least));
        QTest::keyClick(chart, Qt::Key_Home);
        for (const QPointF& point : chart->curves().at(1).points) { // the trials
            QCOMPARE(chart->card().title, rateText(point.x()));
            QTest::keyClick(chart, Qt::Key_Right);
        }
    }

    /// Gradients are cut so short that nothing is learnt at any rate.
    void Search_thatFindsNothing_saysSo()
    {
        RunConfig config = smallConfig();
        config.optimizer.clipNorm = 1e-12;
        config.optimizer.weightDecay = 0.0;
        RateFinderDialog dialog;
        dialog.setUp(config);
        dialog.show();
        dialog.tryRates();
        QTRY_VERIFY(!dialog.isTrying());
        QVERIFY(dialog.findChild<QLabel*>("trial_state")->text().startsWith("No suggestion"));
        QCOMPARE(dialog.found(), std::optional(0.0));
        QVERIFY(!dialog.findChild<QPushButton*>("take_rate")->isEnabled());
        QVERIFY(dialog.findChild<LinePlot*>("rate_chart")->marks().empty());
    }

    void Rate_isOfferedForTheRunThatWasTriedOnly()
    {
        RateFinderDialog dialog;
        dialog.setUp(smallConfig());
        dialog.show();
        dialog.tryRates();
        QTRY_VERIFY(!dialog.isTrying());
        const auto* const take = dialog.findChild<QPushButton*>("take_rate");
        const auto* const chart = dialog.findChild<LinePlot*>("rate_chart");
        QVERIFY(take->isEnabled());
        RunConfig config = smallConfig();
        config.learningRate.initial = 0.5; // which is what was looked for
        dialog.setUp(config);
        QVERIFY(take->isEnabled() && !chart->curves().empty());
        dialog.setTraining(true); // what is set up then is that of the run
        QVERIFY(!take->isEnabled());
        dialog.setTraining(false);
        QVERIFY(take->isEnabled());
        config.batchPerTower = 4;
        dialog.setUp(config);
        QVERIFY(!take->isEnabled() && chart->curves().empty());
        QCOMPARE(dialog.findChild<QLabel*>("trial_state")->text(), QString());
    }

    void Trial_ofWhatIsNoLongerSetUp_isCancelled()
    {
        RateFinderDialog dialog;
        dialog.setUp(smallConfig());
        dialog.show();
        dialog.tryRates();
        RunConfig config = smallConfig();
        config.batchPerTower = 4;
        dialog.setUp(config);
        QTRY_VERIFY(!dialog.isTrying());
        QVERIFY(!dialog.findChild<QPushButton*>("take_rate")->isEnabled());
        QVERIFY(dialog.findChild<LinePlot*>("rate_chart")->curves().empty());
        QVERIFY(dialog.findChild<QPushButton*>("try_rates")->isEnabled());
    }

    void Trial_whileTheWindowTrains_isRefused()
    {
        RateFinderDialog dialog;
        dialog.setUp(smallConfig());
        dialog.show();
        dialog.tryRates();
        dialog.setTraining(true);
        QTRY_VERIFY(!dialog.isTrying());
        dialog.tryRates();
        QVERIFY(!dialog.isTrying());
        dialog.setTraining(false);
        QVERIFY(dialog.findChild<QPushButton*>("try_rates")->isEnabled());
    }
};

LOCKSTEP_TEST(TestRateFinderDialog)
#include "test_rate_finder_dialog.moc"
