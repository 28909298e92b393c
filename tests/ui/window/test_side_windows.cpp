// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/batch_text.h"
#include "dialogs/rate_finder/rate_finder_dialog.h"
#include "dialogs/scaling/scaling_dialog.h"
#include "plots/charts/line_plot.h"
#include "ui/window_witness.h"

using namespace lockstep;
using namespace lockstep::ui;

/// The dialogs beside the window that train something of their own.
class TestSideWindows : public WindowTest
{
    Q_OBJECT

private slots:
    void RateFinder_leftOpen_triesWhatIsSetUpNow()
    {
        RunConfig config = m_scene->config(50);
        m_scene->configure(config);
        actions().findRate->trigger();
        auto* const dialog = window().findChild<RateFinderDialog*>();
        m_scene->type("batch_per_tower", "32");
        dialog->tryRates();
        QTRY_VERIFY(!dialog->isTrying());
        config.batchPerTower = 32;
        const RateFinding found = findRate(config, {}, [](const auto& /*soFar*/) { return true; });
        QVERIFY(found.rate);
        const auto& points = dialog->findChild<LinePlot*>("rate_chart")->curves().at(0).points;
        QCOMPARE(points.size(), found.sweep.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            QCOMPARE(points[i].y(), found.sweep[i].smoothed);
        }
        // The rate that was found is on offer for this run, in the form, too, and for no other.
        auto* const take = dialog->findChild<QPushButton*>("take_rate");
        auto* const hint = find<QToolButton>("take_hinted_rate");
        QVERIFY(take->isEnabled());
        QVERIFY(hint->isVisibleTo(&window().runPanel()));
        QCOMPARE(hint->text(), "Use " + rateText(*found.rate));
        take->click();
        QVERIFY(take->isEnabled());
        QVERIFY(!hint->isVisibleTo(&window().runPanel()));
        QCOMPARE(window().runPanel().request().config.learningRate.initial, *found.rate);
        actions().presets->actions().front()->trigger();
        QVERIFY(!take->isEnabled());
    }

    void Ruler_leftOpen_keepsTheTowersThatWereChosen()
    {
        m_scene->configure(m_scene->config(50));
        actions().scalingRuler->trigger();
        auto* const dialog = window().findChild<ScalingDialog*>();
        auto* const towers = dialog->findChild<QSpinBox*>("scaling_towers");
        auto* const fix = dialog->findChild<QComboBox*>("scaling_fix");
        towers->setValue(7);
        QCOMPARE(fix->currentIndex(), 0);
        RunConfig config = m_scene->config(50);
        config.batchPerTower.reset();
        config.globalBatch = 16;
        m_scene->configure(config);
        QCOMPARE(fix->currentIndex(), 1); // as it is set up now
        QCOMPARE(towers->value(), 7);
    }

    /// By a process of its own, which this window only follows.
    void Dialogs_whileAKeptRunTrains_refuseToWork()
    {
        actions().keepTraining->trigger();
        actions().findRate->trigger();
        actions().scalingRuler->trigger();
        const auto* const tries = find<QPushButton>("try_rates");
        const auto* const measures = find<QPushButton>("measure");
        QVERIFY(tries->isEnabled() && measures->isEnabled());
        m_scene->startAtOnce(m_scene->config(kEndless));
        WAIT_FOR_STATE(Following);
        WAIT_FOR_STEPS(5);
        QVERIFY(!tries->isEnabled() && !measures->isEnabled());
        QTRY_VERIFY(actions().stop->isEnabled());
        actions().stop->trigger();
        WAIT_FOR_STATE(Stopped);
        QVERIFY(tries->isEnabled() && measures->isEnabled());
    }
};
LOCKSTEP_TEST(TestSideWindows)
#include "test_side_windows.moc"
