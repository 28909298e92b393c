// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/presets.h"
#include "support/text_rows.h"
#include "ui/run_panel_scene.h"

using namespace lockstep;
using namespace lockstep::ui;

class TestRunPanel : public RunPanelTest
{
    Q_OBJECT

private slots:
    void Panel_asItComes_isReady()
    {
        QVERIFY2(panel().isReady(), qPrintable(panel().problem()));
        QCOMPARE(toToml(panel().request().config), toToml(RunConfig()));
        QVERIFY(panel().request().folder.empty());
        QVERIFY(!m_scene->more().isOpen());
        QVERIFY(!m_scene->field("dataset.path")->isVisible());
    }

    void Value_typed_isInTheRequest_data()
    {
        test::addTextRows(
            {"key", "typed", "value"}, {{"towers", "4", "4"},
                                        {"batch_per_tower", "64", "64"},
                                        {"global_batch", "512", "512"},
                                        {"steps", "1000000000", "1000000000"},
                                        {"seed", "9223372036854775807", "9223372036854775807"},
                                        {"learning_rate.initial", "2.5e-3", "0.0025"},
                                        {"checkpoint.every_steps", "2,500", "2500"},
                                        {"checkpoint.keep", "9", "9"},
                                        {"evaluate.every_steps", "500", "500"},
                                        {"learning_rate.epochs_per_decay", "100", "100"},
                                        {"input.prefetch_batches", "8", "8"}});
    }

    void Value_typed_isInTheRequest()
    {
        QFETCH(const QString, key);
        QFETCH(const QString, typed);
        QFETCH(const QString, value);
        m_scene->more().setOpen(true);
        const QSignalSpy changes(&panel(), &RunPanel::requestChanged);
        m_scene->type(key, typed);
        QVERIFY(!changes.isEmpty());
        QVERIFY2(panel().isReady(), qPrintable(panel().problem()));
        RunConfig expected;
        setConfigValue(expected, key.toStdString(), value.toStdString());
        QCOMPARE(toToml(panel().request().config), toToml(expected));
    }

    void Batches_edited_followEachOther()
    {
        const auto* perTower = m_scene->find<WholeNumberBox>("batch_per_tower");
        const auto* global = m_scene->find<WholeNumberBox>("global_batch");
        QCOMPARE(perTower->value(), 128);
        QCOMPARE(global->value(), 256);
        m_scene->type("towers", "4");
        QCOMPARE(global->value(), 512);
        m_scene->type("batch_per_tower", "100");
        QCOMPARE(global->value(), 400);
        QCOMPARE(panel().request().config.batchPerTower, 100);
        QVERIFY(!panel().request().config.globalBatch);

        m_scene->type("global_batch", "1024");
        QCOMPARE(perTower->value(), 256);
        QCOMPARE(panel().request().config.globalBatch, 1024);
        QVERIFY(!panel().request().config.batchPerTower);
        // The global batch was given: it stays, and each of fewer towers gets more.
        m_scene->type("towers", "2");
        QCOMPARE(global->value(), 1024);
        QCOMPARE(perTower->value(), 512);
        QTest::keyClick(m_scene->input("global_batch"), Qt::Key_Up);
        QCOMPARE(global->value(), 1026); // the next one that two towers can share
        QVERIFY(panel().isReady());
    }

    void Batches_notEdited_stayAsGiven()
    {
        RunRequest request;
        request.config.batchPerTower = 32;
        request.config.globalBatch = 64;
        panel().setRequest(request);
        QCOMPARE(toToml(panel().request().config), toToml(request.config));
        QVERIFY(panel().isReady());
    }

    void Presets_loaded_comeBackEqual()
    {
        for (const Preset& preset : presets()) {
            panel().setRequest({preset.config, {}});
            QCOMPARE(toToml(panel().request().config), toToml(preset.config));
        }
    }

    void Request_unusual_comesBackEqual()
    {
        const RunRequest request = unusualRequest();
        const auto usual = configKeys(RunConfig());
        const auto unusual = configKeys(request.config);
        for (std::size_t i = 0; i < usual.size(); ++i) { // or the test would overlook a key
            QVERIFY2(
                usual[i].value != unusual[i].value || usual[i].name == "batch_per_tower",
                usual[i].name.c_str());
        }
        panel().setRequest(request);
        QCOMPARE(toToml(panel().request().config), toToml(request.config));
        QCOMPARE(panel().request().folder, request.folder);
        QCOMPARE(m_scene->find<QComboBox>("model.name")->currentText(), "small.toml");
        panel().setRequest(RunRequest());
        QCOMPARE(toToml(panel().request().config), toToml(RunConfig()));
    }

    void Request_set_isReportedOnce()
    {
        const QSignalSpy changes(&panel(), &RunPanel::requestChanged);
        panel().setRequest(unusualRequest());
        QCOMPARE(changes.count(), 1);
        QTest::qWait(300);
        QCOMPARE(changes.count(), 1);
    }

    void Locale_german_readsAndWritesItsNumbers()
    {
        m_scene.reset();
        m_scene.emplace(QLocale(QLocale::German, QLocale::Germany));
        RunRequest request;
        request.config.steps = 1'234'567;
        panel().setRequest(request);
        QCOMPARE(m_scene->find<WholeNumberBox>("steps")->text(), "1.234.567");
        auto* rate = m_scene->find<QLineEdit>("learning_rate.initial");
        QCOMPARE(rate->text(), "0,1");
        for (const char* typed : {"0.25", "0,25"}) {
            rate->setText(typed);
            QCOMPARE(panel().request().config.learningRate.initial, 0.25);
        }
        QCOMPARE(panel().request().config.steps, 1'234'567);
    }

    void Running_shows_theRunAndGivesTheOwnRequestBack()
    {
        m_scene->type("steps", "4321");
        const std::string own = toToml(panel().request().config);
        RunConfig running = unusualRequest().config;
        const QSignalSpy changes(&panel(), &RunPanel::requestChanged);
        panel().showRunning(running);
        const auto* steps = m_scene->find<WholeNumberBox>("steps");
        QCOMPARE(steps->value(), running.steps);
        QVERIFY(!steps->isEnabled());
        for (const FormField* each : panel().findChildren<FormField*>()) {
            QVERIFY(!each->editor()->isEnabled());
            QVERIFY(each->problem().isEmpty());
        }
        QCOMPARE(toToml(panel().request().config), own);
        panel().showEditable();
        QCOMPARE(steps->value(), 4321);
        QVERIFY(steps->isEnabled());
        QCOMPARE(toToml(panel().request().config), own);
        QVERIFY(panel().isReady());
        QVERIFY(changes.isEmpty());
    }
};
LOCKSTEP_TEST(TestRunPanel)
#include "test_run_panel.moc"
