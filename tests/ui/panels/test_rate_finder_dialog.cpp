// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/batch_text.h"
#include "dialogs/rate_finder/rate_finder_dialog.h"
#include "plots/axes/ticks.h"
#include "plots/charts/line_plot.h"
#include "support/lockstep_test.h"

#include <QtWidgets>

#include <cmath>

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

} // namespace

/// The trial of learning rates, with trainings that really happen.
class TestRateFinderDialog : public QObject
{
    Q_OBJECT

private slots:
    void Trial_drawsItsCurve_andItsRateCanBeTaken()
    {
        RateFinderDialog dialog;
        dialog.setUp(smallConfig());
        dialog.show();
        QSignalSpy taken(&dialog, &RateFinderDialog::rateTaken);
        auto* const take = dialog.findChild<QPushButton*>("take_rate");
        QVERIFY(!take->isEnabled());
        QTest::mouseClick(dialog.findChild<QPushButton*>("try_rates"), Qt::LeftButton);
        QVERIFY(dialog.isTrying());
        QTRY_VERIFY(!dialog.isTrying());
        const auto trials =
            lockstep::tryRates(smallConfig(), {}, [](const auto& /*made*/) { return true; });
        const auto& points = dialog.findChild<LinePlot*>("rate_chart")->curves().at(0).points;
        QCOMPARE(points.size(), trials.size());
        QVERIFY(take->isEnabled());
        QTest::mouseClick(take, Qt::LeftButton);
        QCOMPARE(taken.count(), 1);
        const double rate = taken.front().front().toDouble();
        QVERIFY(std::abs(rate / steepestRate(trials).value() - 1.0) < 0.01);
    }

    /// The axis counts powers of ten, the card has the rate itself.
    void Chart_tellsRatesAndNotTimes()
    {
        RateFinderDialog dialog;
        dialog.setUp(smallConfig());
        dialog.show();
        dialog.tryRates();
        QTRY_VERIFY(!dialog.isTrying());
        auto* const chart = dialog.findChild<LinePlot*>("rate_chart");
        const PlotScale scale = chart->scale();
        QStringList labels;
        for (const Tick& tick : xTicks(scale.axis, scale.first, scale.last, 6)) {
            labels.append(tick.label);
        }
        QCOMPARE(labels, (QStringList{"-5", "-4", "-3", "-2", "-1", "0", "1"}));
        QTest::keyClick(chart, Qt::Key_Home);
        for (const QPointF& point : chart->curves().at(0).points) {
            QCOMPARE(chart->card().title, rateText(std::pow(10.0, point.x())));
            QTest::keyClick(chart, Qt::Key_Right);
        }
        QTest::keyClick(chart, Qt::Key_Home);
        QCOMPARE(chart->card().title, "0.00001");
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
