// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device.h"
#include "panels/training_plan/plan_parts.h"
#include "plots/charts/line_plot.h"
#include "ui/run_panel_scene.h"
#include "widgets/forms/note_label.h"

using namespace lockstep;
using namespace lockstep::ui;

/// The locks of the batch, the hint at a learning rate, and the preview of its schedule.
class TestRunPanelBatch : public RunPanelTest
{
    Q_OBJECT

private slots:
    void Lock_ofTheGlobalBatch_keepsItWhenTowersChange()
    {
        QVERIFY(lock("batch_per_tower")->isChecked() && !lock("global_batch")->isChecked());
        QTest::mouseClick(lock("global_batch"), Qt::LeftButton);
        QVERIFY(!lock("batch_per_tower")->isChecked() && lock("global_batch")->isChecked());
        QCOMPARE(panel().request().config.globalBatch, 256);
        QVERIFY(!panel().request().config.batchPerTower);
        m_scene->type("towers", "4");
        QCOMPARE(number("global_batch"), 256);
        QCOMPARE(number("batch_per_tower"), 64);
        QVERIFY(panel().isReady());
        // A second click leaves it closed: one of the two has to stay.
        QTest::mouseClick(lock("global_batch"), Qt::LeftButton);
        QVERIFY(lock("global_batch")->isChecked());
    }

    void Lock_ofTheBatchPerTower_keepsIt()
    {
        m_scene->type("global_batch", "64");
        lock("batch_per_tower")->setFocus();
        QTest::keyClick(lock("batch_per_tower"), Qt::Key_Space);
        QCOMPARE(panel().request().config.batchPerTower, 32);
        QVERIFY(!panel().request().config.globalBatch);
        m_scene->type("towers", "8");
        QCOMPARE(number("batch_per_tower"), 32);
        QCOMPARE(number("global_batch"), 256);
    }

    void Lock_followsWhatIsEdited()
    {
        m_scene->type("global_batch", "64");
        QVERIFY(lock("global_batch")->isChecked());
        m_scene->type("batch_per_tower", "7");
        QVERIFY(lock("batch_per_tower")->isChecked() && !lock("global_batch")->isChecked());
        RunRequest request;
        request.config.globalBatch = 512;
        panel().setRequest(request);
        QVERIFY(lock("global_batch")->isChecked() && !lock("batch_per_tower")->isChecked());
    }

    void Lock_andATowerNumberThatDoesNotDivide_isExplained()
    {
        QTest::mouseClick(lock("global_batch"), Qt::LeftButton);
        m_scene->type("towers", "3");
        QVERIFY(!panel().isReady());
        const QString problem = m_scene->shownProblem("global_batch");
        QVERIFY2(problem.contains("255"), qPrintable(problem));
        QVERIFY2(problem.contains("258"), qPrintable(problem));
        QTest::mouseClick(lock("batch_per_tower"), Qt::LeftButton);
        QCOMPARE(number("batch_per_tower"), 85); // 256 / 3 and a bit
        QCOMPARE(number("global_batch"), 255);
        QVERIFY(panel().isReady());
        m_scene->type("batch_per_tower", QString());
        QTest::mouseClick(lock("global_batch"), Qt::LeftButton);
        QCOMPARE(number("global_batch"), 3 * 128); // the batch that is taken where none is given
    }

    void Hint_taken_setsTheRateAndGoes()
    {
        auto* const take = m_scene->find<QToolButton>("take_hinted_rate");
        QVERIFY(!take->isVisible());  // what a run begins with is not called in question
        m_scene->type("towers", "3"); // 3 x 128 is three times the batch of the rate 0.1
        QTRY_VERIFY(take->isVisible());
        QCOMPARE(take->text(), "Use 0.3");
        QVERIFY(take->toolTip().contains("1706.02677"));
        QTest::mouseClick(take, Qt::LeftButton);
        QCOMPARE(panel().request().config.learningRate.initial, 0.3);
        QTRY_VERIFY(!take->isVisible());
        m_scene->type("towers", "8");
        QTRY_VERIFY(take->isVisible());
        QCOMPARE(take->text(), "Use 0.8");
        panel().setFoundRate(0.03); // tried for this run: one hint, not two
        QVERIFY(take->isVisible());
        QCOMPARE(take->text(), "Use 0.03");
        panel().setFoundRate(0.0); // no rate trains it
        QVERIFY(!take->isVisible());
        panel().setFoundRate({});
        QCOMPARE(take->text(), "Use 0.8");
        m_scene->type("towers", "0"); // nothing follows from that
        QTRY_VERIFY(!take->isVisible());
    }

    void Expectation_told_standsUnderTheSteps()
    {
        const auto steps = [this] {
            const auto fields = panel().findChildren<FormField*>();
            return *std::ranges::find(fields, QString("steps"), &FormField::key);
        };
        panel().showExpectation("about 3 min · about 310 MiB");
        QCOMPARE(steps()->note(), "about 3 min · about 310 MiB");
        panel().showExpectation({});
        QVERIFY(!std::ranges::any_of(steps()->findChildren<NoteLabel*>(), &QWidget::isVisible));
    }

    void Schedule_ofACosine_isDrawn()
    {
        RunRequest request;
        request.config.steps = 1000;
        request.config.learningRate.course = "cosine";
        request.config.learningRate.unit = "steps";
        request.config.learningRate.warmup = 100.0;
        panel().setRequest(request);
        QVERIFY(schedule().isVisible());
        const LearningRateSchedule expected(request.config.learningRate, 10'000, 2, 128, 1000);
        QVERIFY(stairs().size() > 100);
        for (const QPointF& point : stairs()) {
            QCOMPARE(point.y(), expected.at(qRound64(point.x())));
        }
        QVERIFY(schedule().findChild<NoteLabel*>()->note().contains("Warm-up of 100 steps"));
    }

    void Schedule_shown_isTheEnginesStaircase()
    {
        RunRequest request;
        request.config.steps = 1000;
        request.config.learningRate = {0.2, 0.5, 10.0, false};
        panel().setRequest(request);
        QVERIFY(schedule().isVisible());
        // 10,000 examples x 10 epochs / 256 = 390 steps and a bit.
        const LearningRateSchedule expected(request.config.learningRate, 10'000, 2, 128);
        QCOMPARE(expected.decaySteps(), 390);
        const std::vector<QPointF> corners{{0, 0.2},   {390, 0.2},  {390, 0.1},
                                           {780, 0.1}, {780, 0.05}, {1000, 0.05}};
        QCOMPARE(stairs(), corners);
        QVERIFY(schedule().findChild<NoteLabel*>()->note().contains("390, 780"));
        m_scene->type("steps", "390");
        QTRY_COMPARE(stairs().size(), std::size_t{2}); // the decay at step 390 is not in it
    }

    void Schedule_ofNonsense_isHiddenAndComesBack()
    {
        QVERIFY(schedule().isVisible());
        for (const char* typed : {"0", "-1", "x"}) {
            m_scene->type("learning_rate.initial", typed);
            QTRY_VERIFY2(!schedule().isVisible() || typed[0] == 'x', typed);
        }
        m_scene->type("learning_rate.initial", "0.3");
        QTRY_VERIFY(schedule().isVisible());
        QTRY_COMPARE(stairs().front().y(), 0.3);
    }

    void Schedule_ofManyDecays_staysSmall()
    {
        RunRequest request;
        request.config.steps = 1'000'000'000;
        request.config.learningRate = {0.1, 0.999'999, 0.01, false};
        panel().setRequest(request);
        QVERIFY(stairs().size() <= 520);
        request.config.learningRate.decayFactor = 0.0; // nothing is left after the first decay
        panel().setRequest(request);
        QVERIFY(schedule().isVisible());
        for (const QPointF& point : stairs()) {
            QVERIFY(point.y() > 0.0);
        }
        panel().grab();
    }

    // 100,000,000 steps, of which the first million have a learning rate.
    void Schedule_thatComesToNothing_showsTheDecaysBeforeThat()
    {
        RunRequest request;
        request.config.steps = 100'000'000;
        request.config.learningRate = {0.1, 0.1, 350.0, false};
        panel().setRequest(request);
        const LearningRateSchedule expected(request.config.learningRate, 10'000, 2, 128);
        QVERIFY(stairs().size() >= 20); // two corners a decay, 1e-12 of the first rate at the end
        QVERIFY(stairs().back().x() <= 14.0 * static_cast<double>(expected.decaySteps()));
        QVERIFY(stairs().back().y() >= 0.99e-13);
        const auto* const chart = m_scene->find<LinePlot>("schedule_chart");
        QCOMPARE(chart->scale().last, stairs().back().x()); // they have all the width
        QVERIFY(schedule().findChild<NoteLabel*>()->note().contains("practically 0"));
    }

private:
    [[nodiscard]] QToolButton* lock(const char* key) const
    {
        return m_scene->find<QToolButton>(QString(key) + "_lock");
    }
    [[nodiscard]] qint64 number(const char* key) const
    {
        return m_scene->find<WholeNumberBox>(key)->value().value_or(-1);
    }
    [[nodiscard]] SchedulePreview& schedule() const
    {
        return *panel().findChild<SchedulePreview*>();
    }
    [[nodiscard]] const std::vector<QPointF>& stairs() const
    {
        return m_scene->find<LinePlot>("schedule_chart")->curves().at(0).points;
    }
};
LOCKSTEP_TEST(TestRunPanelBatch)
#include "test_run_panel_batch.moc"
