// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/training_plan/phase_editor.h"
#include "ui/run_panel_scene.h"

using namespace lockstep;
using namespace lockstep::ui;

/// What a run trains when, in the form.
class TestRunPanelPhases : public RunPanelTest
{
    Q_OBJECT

private slots:
    void Model_withOneObjective_hasNoPhases()
    {
        QVERIFY(!field().isVisible());
        QVERIFY(phases().empty());
    }

    void Model_segdecnet_showsItsUsualPhases()
    {
        showSegdecnet(100);
        QVERIFY2(panel().isReady(), qPrintable(panel().problem()));
        QVERIFY(field().isVisible());
        QCOMPARE(m_scene->find<QComboBox>("phase.0.objective")->currentText(), "segmentation");
        QCOMPARE(m_scene->find<WholeNumberBox>("phase.1.steps")->value(), 50);
        QCOMPARE(m_scene->find<QLineEdit>("phase.1.learning_rate")->text(), "0.1");
        QCOMPARE(m_scene->find<QComboBox>("phase.1.frozen")->currentText(), "segmentation");
        QVERIFY(phases().empty()); // shown, not given
        const auto* const objective = m_scene->find<QComboBox>("phase.0.objective");
        QVERIFY(objective->findText("decision") >= 0);
        QVERIFY(objective->findText("joint") >= 0);
    }

    void Model_chosenAnew_hasItsOwnSettings()
    {
        RunRequest request;
        request.config.model.name = "segdecnet";
        request.config.model.variant = "third_party";
        request.config.model.inputHeight = 128;
        request.config.moments = "last";
        request.config.dataset = "synthetic_defects";
        panel().setRequest(request);
        const auto isShown = [&](const char* key) { return !m_scene->field(key)->isHidden(); };
        QTRY_VERIFY(isShown("model.scale") && !isShown("model.classes"));
        QTest::keyClicks(m_scene->input("model.name"), "inc");
        QTRY_VERIFY(!isShown("model.scale") && isShown("model.classes"));
        QVERIFY(isShown("model.normalization") && isShown("model.moment_ramp"));
        ModelSettings expected;
        expected.name = "inception_v3";
        QVERIFY(panel().request().config.model == expected);
        QCOMPARE(panel().request().config.moments, std::string("mean"));
    }

    void Steps_ofAPhase_changeThoseOfTheRun()
    {
        showSegdecnet(100);
        m_scene->type("phase.0.steps", "70");
        QCOMPARE(m_scene->find<WholeNumberBox>("steps")->value(), 120);
        const RunConfig config = panel().request().config;
        QCOMPARE(config.steps, 120);
        std::vector<PhaseSettings> expected = usualPhases("segdecnet");
        expected[0].steps = 70;
        expected[1].steps = 50;
        QCOMPARE(config.phases, expected);
        QVERIFY(panel().isReady());
    }

    void Steps_ofTheRun_areSaidToCutOrExtend()
    {
        showSegdecnet(100);
        m_scene->type("phase.0.steps", "60");
        QTRY_VERIFY(field().note().isEmpty());
        m_scene->type("steps", "90");
        QTRY_VERIFY(field().note().contains("cut"));
        m_scene->type("steps", "200");
        QTRY_VERIFY(field().note().contains("extended"));
        QCOMPARE(phases()[0].steps, 60); // what was typed stays
        QCOMPARE(panel().request().config.trainedPhases()[1].steps, 140);
    }

    void Value_thatIsNone_isRefusedInWords()
    {
        showSegdecnet(100);
        m_scene->type("phase.1.learning_rate", "fast");
        QTRY_COMPARE(field().problem(), "Phase 2: learning rate must be a number");
        QVERIFY(!panel().isReady());
        m_scene->type("phase.1.learning_rate", "0.25");
        QTRY_VERIFY(panel().isReady());
        QCOMPARE(phases()[1].learningRate.value(), 0.25);
        m_scene->type("phase.1.learning_rate", QString());
        QVERIFY(!phases()[1].learningRate);
    }

    void Objective_unknown_isRefused()
    {
        showSegdecnet(100);
        m_scene->find<QComboBox>("phase.0.objective")->setEditText("segmentatoin");
        QTRY_VERIFY(field().problem().contains("segmentatoin"));
        QVERIFY(!panel().isReady());
        m_scene->find<QComboBox>("phase.0.objective")->setEditText("joint");
        QTRY_VERIFY(panel().isReady());
        QCOMPARE(phases()[0].objective, std::string("joint"));
    }

    void Phases_addedAndRemoved_areTheRequests()
    {
        showSegdecnet(100);
        QTest::mouseClick(m_scene->find<QPushButton>("phase"), Qt::LeftButton);
        QCOMPARE(phases().size(), std::size_t{3});
        QCOMPARE(phases()[2].objective, std::string("decision"));
        QCOMPARE(panel().request().config.steps, 150);
        QTest::mouseClick(m_scene->find<QToolButton>("phase.0.remove"), Qt::LeftButton);
        QCOMPARE(phases().size(), std::size_t{2});
        QCOMPARE(panel().request().config.steps, 100);
        // The file of a configuration brings them back.
        const RunConfig made = panel().request().config;
        RunConfig read;
        parseConfig(read, toToml(made), "test");
        panel().setRequest({read, {}});
        QCOMPARE(toToml(panel().request().config), toToml(made));
        for (int left = 2; left > 0; --left) {
            QTest::mouseClick(m_scene->find<QToolButton>("phase.0.remove"), Qt::LeftButton);
        }
        QVERIFY(phases().empty()); // the usual ones are back
        QTRY_VERIFY(panel().findChild<QWidget*>("phase.1.steps") != nullptr);
    }

    void Add_besideAnUnreadableLine_keepsIt()
    {
        showSegdecnet(100);
        m_scene->type("phase.0.learning_rate", "abc");
        QTest::mouseClick(m_scene->find<QPushButton>("phase"), Qt::LeftButton);
        QCOMPARE(m_scene->find<QLineEdit>("phase.0.learning_rate")->text(), "abc");
        for (const char* const key : {"phase.1.objective", "phase.2.objective"}) {
            QCOMPARE(m_scene->find<QComboBox>(key)->currentText(), "decision");
        }
        QCOMPARE(m_scene->find<WholeNumberBox>("phase.2.steps")->value(), 50);
    }

    void Add_afterAnUnreadableLine_startsAnew()
    {
        showSegdecnet(100);
        m_scene->type("phase.1.steps", QString());
        QTest::mouseClick(m_scene->find<QPushButton>("phase"), Qt::LeftButton);
        QVERIFY(!m_scene->find<WholeNumberBox>("phase.1.steps")->value());
        QCOMPARE(m_scene->find<WholeNumberBox>("phase.2.steps")->value(), 1000);
    }

    void Remove_besideAnUnreadableLine_keepsIt()
    {
        showSegdecnet(100);
        m_scene->type("phase.1.learning_rate", "abc");
        QTest::mouseClick(m_scene->find<QToolButton>("phase.0.remove"), Qt::LeftButton);
        QCOMPARE(m_scene->find<QLineEdit>("phase.0.learning_rate")->text(), "abc");
        const auto* const remove = m_scene->find<QToolButton>("phase.0.remove");
        QCOMPARE(remove->accessibleName(), "Remove phase 1");
        QVERIFY(panel().findChild<QWidget*>("phase.1.remove") == nullptr);
        // The one that can't be read goes, too.
        QTest::mouseClick(m_scene->find<QToolButton>("phase.0.remove"), Qt::LeftButton);
        QTRY_VERIFY(panel().isReady());
        QVERIFY(phases().empty());
    }

    void Choices_changed_keepAnUnreadableLine()
    {
        PhaseEditor editor;
        editor.setChoices({{"a", "b"}, {}});
        editor.setText("[{objective = 'a', steps = 5}, {objective = 'b', steps = 6}]");
        editor.findChild<QLineEdit*>("phase.0.learning_rate")->setText("abc");
        const QString text = editor.text();
        editor.setChoices({{"c"}, {"group"}});
        QCOMPARE(editor.text(), text);
        for (int i = 0; i < 2; ++i) {
            const auto combo = [&](const char* part) {
                return editor.findChild<QComboBox*>(QString("phase.%1.%2").arg(i).arg(part));
            };
            QCOMPARE(combo("objective")->count(), 1);
            QCOMPARE(combo("objective")->itemText(0), "c");
            QCOMPARE(combo("frozen")->itemText(0), "group");
        }
    }

    void Request_withoutPhases_replacesAnUnreadableLine()
    {
        showSegdecnet(100);
        m_scene->type("phase.1.learning_rate", "abc");
        QTRY_VERIFY(!panel().isReady());
        showSegdecnet(100);
        QVERIFY2(panel().isReady(), qPrintable(panel().problem()));
        QVERIFY(phases().empty());
        QCOMPARE(m_scene->find<QLineEdit>("phase.1.learning_rate")->text(), "0.1");
    }

    void Steps_ofTheRun_stayWhileThoseOfPhasesDo()
    {
        RunRequest request;
        request.config.model.name = "segdecnet";
        request.config.dataset = "synthetic_defects";
        request.config.phases = {{"segmentation", 60, {}, {}}, {"decision", 50, {}, {}}};
        request.config.steps = 90;
        panel().setRequest(request);
        const auto* const steps = m_scene->find<WholeNumberBox>("steps");
        m_scene->type("phase.0.learning_rate", "0.5");
        QCOMPARE(steps->value(), 90);
        m_scene->find<QComboBox>("phase.0.objective")->setEditText("joint");
        m_scene->find<QComboBox>("phase.1.frozen")->setEditText("segmentation");
        m_scene->type("phase.1.steps", QString()); // no number yet
        QCOMPARE(steps->value(), 90);
        m_scene->type("phase.1.steps", "70");
        QCOMPARE(steps->value(), 130);
        m_scene->type("steps", "200");
        m_scene->type("phase.1.learning_rate", "0.25");
        QCOMPARE(steps->value(), 200);
    }

    void Tab_goesThroughTheLines()
    {
        showSegdecnet(100);
        // One that is added and one that is removed have their places, too.
        QTest::mouseClick(m_scene->find<QPushButton>("phase"), Qt::LeftButton);
        QTest::mouseClick(m_scene->find<QToolButton>("phase.0.remove"), Qt::LeftButton);
        QTRY_VERIFY(m_scene->input("phase.1.frozen")->isVisible());
        m_scene->input("steps")->setFocus();
        for (const char* const key :
             {"phase", "phase.0.objective", "phase.0.steps", "phase.0.remove",
              "phase.0.learning_rate", "phase.0.frozen", "phase.1.objective", "phase.1.steps",
              "phase.1.remove", "phase.1.learning_rate", "phase.1.frozen",
              "learning_rate.initial"}) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QCOMPARE(QApplication::focusWidget()->objectName(), key);
        }
    }

    void Data_mayBeAnArchive()
    {
        auto* const browse = m_scene->find<QToolButton>("dataset.path.browse");
        QVERIFY(browse->menu() != nullptr);
        QCOMPARE(browse->menu()->actions().size(), 2);
    }

private:
    [[nodiscard]] std::vector<PhaseSettings> phases() const
    {
        return panel().request().config.phases;
    }
    [[nodiscard]] FormField& field() const { return *m_scene->field("phase"); }
    void showSegdecnet(std::int64_t steps) const
    {
        RunRequest request;
        request.config.model.name = "segdecnet";
        request.config.dataset = "synthetic_defects";
        request.config.batchPerTower = 1;
        request.config.steps = steps;
        panel().setRequest(request);
    }
};
LOCKSTEP_TEST(TestRunPanelPhases)
#include "test_run_panel_phases.moc"
