// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_panel_scene.h"
#include "widgets/whole_number_box.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

using namespace lockstep;
using namespace lockstep::ui;

/// What a run trains when, in the form.
class TestRunPanelPhases : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_scene.emplace(); }
    void cleanup() { m_scene.reset(); }

    void Model_withOneObjective_hasNoPhases();
    void Model_segdecnet_showsItsUsualPhases();
    void Steps_ofAPhase_changeThoseOfTheRun();
    void Steps_ofTheRun_areSaidToCutOrExtend();
    void Value_thatIsNone_isRefusedInWords();
    void Objective_unknown_isRefused();
    void Phases_addedAndRemoved_areTheRequests();
    void Data_mayBeAnArchive();

private:
    [[nodiscard]] RunPanel& panel() const { return m_scene->panel(); }
    [[nodiscard]] std::vector<PhaseSettings> phases() const
    {
        return panel().request().config.phases;
    }
    [[nodiscard]] FormField& field() const { return *m_scene->field(QStringLiteral("phase")); }
    void showSegdecnet(std::int64_t steps) const
    {
        RunRequest request;
        request.config.model.name = "segdecnet";
        request.config.dataset = "synthetic_defects";
        request.config.batchPerTower = 1;
        request.config.steps = steps;
        panel().setRequest(request);
    }

    std::optional<RunPanelScene> m_scene;
};

void TestRunPanelPhases::Model_withOneObjective_hasNoPhases()
{
    QVERIFY(!field().isVisible());
    QVERIFY(phases().empty());
}

void TestRunPanelPhases::Model_segdecnet_showsItsUsualPhases()
{
    showSegdecnet(100);
    QVERIFY2(panel().isReady(), qPrintable(panel().problem()));
    QVERIFY(field().isVisible());
    QCOMPARE(
        m_scene->find<QComboBox>(QStringLiteral("phase.0.objective"))->currentText(),
        QStringLiteral("segmentation"));
    QCOMPARE(m_scene->find<WholeNumberBox>(QStringLiteral("phase.1.steps"))->value(), 50);
    QCOMPARE(
        m_scene->find<QLineEdit>(QStringLiteral("phase.1.learning_rate"))->text(),
        QStringLiteral("0.1"));
    QCOMPARE(
        m_scene->find<QComboBox>(QStringLiteral("phase.1.frozen"))->currentText(),
        QStringLiteral("segmentation"));
    QVERIFY(phases().empty()); // shown, not given
    const auto* const objective = m_scene->find<QComboBox>(QStringLiteral("phase.0.objective"));
    QVERIFY(objective->findText(QStringLiteral("decision")) >= 0);
    QVERIFY(objective->findText(QStringLiteral("joint")) >= 0);
}

void TestRunPanelPhases::Steps_ofAPhase_changeThoseOfTheRun()
{
    showSegdecnet(100);
    m_scene->type(QStringLiteral("phase.0.steps"), QStringLiteral("70"));
    QCOMPARE(m_scene->find<WholeNumberBox>(QStringLiteral("steps"))->value(), 120);
    const RunConfig config = panel().request().config;
    QCOMPARE(config.steps, 120);
    std::vector<PhaseSettings> expected = usualPhases("segdecnet");
    expected[0].steps = 70;
    expected[1].steps = 50;
    QCOMPARE(config.phases, expected);
    QVERIFY(panel().isReady());
}

void TestRunPanelPhases::Steps_ofTheRun_areSaidToCutOrExtend()
{
    showSegdecnet(100);
    m_scene->type(QStringLiteral("phase.0.steps"), QStringLiteral("60"));
    QTRY_VERIFY(field().note().isEmpty());
    m_scene->type(QStringLiteral("steps"), QStringLiteral("90"));
    QTRY_VERIFY(field().note().contains(QStringLiteral("cut")));
    m_scene->type(QStringLiteral("steps"), QStringLiteral("200"));
    QTRY_VERIFY(field().note().contains(QStringLiteral("extended")));
    QCOMPARE(phases()[0].steps, 60); // what was typed stays
    QCOMPARE(panel().request().config.trainedPhases()[1].steps, 140);
}

void TestRunPanelPhases::Value_thatIsNone_isRefusedInWords()
{
    showSegdecnet(100);
    m_scene->type(QStringLiteral("phase.1.learning_rate"), QStringLiteral("fast"));
    QTRY_COMPARE(field().problem(), QStringLiteral("Phase 2: learning rate must be a number"));
    QVERIFY(!panel().isReady());
    m_scene->type(QStringLiteral("phase.1.learning_rate"), QStringLiteral("0.25"));
    QTRY_VERIFY(panel().isReady());
    QCOMPARE(phases()[1].learningRate.value(), 0.25);
    m_scene->type(QStringLiteral("phase.1.learning_rate"), QString());
    QVERIFY(!phases()[1].learningRate);
}

void TestRunPanelPhases::Objective_unknown_isRefused()
{
    showSegdecnet(100);
    m_scene->find<QComboBox>(QStringLiteral("phase.0.objective"))
        ->setEditText(QStringLiteral("segmentatoin"));
    QTRY_VERIFY(field().problem().contains(QStringLiteral("segmentatoin")));
    QVERIFY(!panel().isReady());
    m_scene->find<QComboBox>(QStringLiteral("phase.0.objective"))
        ->setEditText(QStringLiteral("joint"));
    QTRY_VERIFY(panel().isReady());
    QCOMPARE(phases()[0].objective, std::string("joint"));
}

void TestRunPanelPhases::Phases_addedAndRemoved_areTheRequests()
{
    showSegdecnet(100);
    QTest::mouseClick(m_scene->find<QPushButton>(QStringLiteral("phase")), Qt::LeftButton);
    QCOMPARE(phases().size(), std::size_t{3});
    QCOMPARE(phases()[2].objective, std::string("decision"));
    QCOMPARE(panel().request().config.steps, 150);
    QTest::mouseClick(m_scene->find<QToolButton>(QStringLiteral("phase.0.remove")), Qt::LeftButton);
    QCOMPARE(phases().size(), std::size_t{2});
    QCOMPARE(panel().request().config.steps, 100);
    // The file of a configuration brings them back.
    const RunConfig made = panel().request().config;
    RunConfig read;
    parseConfig(read, toToml(made), "test");
    panel().setRequest({read, {}});
    QCOMPARE(toToml(panel().request().config), toToml(made));
    for (int left = 2; left > 0; --left) {
        QTest::mouseClick(
            m_scene->find<QToolButton>(QStringLiteral("phase.0.remove")), Qt::LeftButton);
    }
    QVERIFY(phases().empty()); // the usual ones are back
    QTRY_VERIFY(panel().findChild<QWidget*>(QStringLiteral("phase.1.steps")) != nullptr);
}

void TestRunPanelPhases::Data_mayBeAnArchive()
{
    auto* const browse = m_scene->find<QToolButton>(QStringLiteral("dataset.path.browse"));
    QVERIFY(browse->menu() != nullptr);
    QCOMPARE(browse->menu()->actions().size(), 2);
}

QTEST_MAIN(TestRunPanelPhases)
#include "test_run_panel_phases.moc"
