// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/overlay_runs.h"
#include "panels/log/log_panel.h"
#include "panels/runs/runs_panel.h"
#include "ui/several_runs.h"
#include "ui/window_witness.h"

#include <fstream>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

/// What a file manager hands to the window, or a person names on the command line.
class TestWindowOpen : public WindowTest
{
    Q_OBJECT

private slots:
    void RunsOwnFile_showsTheRun_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("folder") << "";
        QTest::newRow("configuration") << "run.toml";
        QTest::newRow("store") << "run.db";
    }

    void RunsOwnFile_showsTheRun()
    {
        QFETCH(const QString, file);
        const fs::path run = trainRun("one", 30);
        window().openCommands().open({file.isEmpty() ? run : run / file.toStdString()});
        QTRY_COMPARE(m_scene->shownSteps(), 30);
        QCOMPARE(m_scene->run().folder(), run);
    }

    void Configuration_apartFromItsRun_isSetUp()
    {
        const fs::path copy = m_scene->folder() / "run.toml";
        fs::copy_file(trainRun("one", 30) / "run.toml", copy);
        window().setUpCommands().setUp(m_scene->config(77));
        window().openCommands().open({copy});
        QCOMPARE(window().runPanel().request().config.steps, 30);
        QVERIFY(m_scene->run().folder().empty());
    }

    void ModelFile_isSetUp_withTheOtherSettingsAsTheyAre()
    {
        RunConfig config = m_scene->config(77);
        config.model = {};
        config.model.name = "segdecnet";
        window().setUpCommands().setUp(config);
        window().openCommands().open({LOCKSTEP_SMALL_MODEL});
        const RunConfig shown = window().runPanel().request().config;
        QCOMPARE(shown.model.name, std::string(LOCKSTEP_SMALL_MODEL));
        QCOMPARE(shown.datasetPath, m_scene->pictures().string());
        QVERIFY2(m_scene->message().contains("small.toml"), qPrintable(m_scene->message()));
        QVERIFY2(window().runPanel().isReady(), qPrintable(window().runPanel().problem()));
    }

    void SeveralRuns_firstIsShown_othersLieOverIt()
    {
        const fs::path one = trainRun("one", 30);
        const fs::path two = trainRun("two", 20);
        const fs::path three = trainRun("three", 20);
        window().openCommands().open({one, two / "run.toml", three});
        QTRY_COMPARE(m_scene->shownSteps(), 30);
        const auto* const note = window().findChild<RunsPanel*>()->findChild<QLabel*>("runs_note");
        QTRY_VERIFY2(note->text().contains("2 over the charts"), qPrintable(note->text()));
        QCOMPARE(m_scene->message(), QString());
        window().close();
        QCOMPARE(
            WindowSettings(m_scene->settings()).overlays(),
            (QStringList{toQString(two), toQString(three)}));
    }

    void SeveralThings_eachIsOpened_aProblemStaysToBeRead()
    {
        const fs::path one = trainRun("one", 30);
        const fs::path gone = m_scene->folder() / "gone.safetensors";
        window().openCommands().open({gone, one});
        QVERIFY2(m_scene->message().contains(toQString(gone)), qPrintable(m_scene->message()));
        QTRY_COMPARE(m_scene->shownSteps(), 30);
        QVERIFY2(m_scene->message().contains(toQString(gone)), qPrintable(m_scene->message()));
    }

    void Unopenable_isNamed_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("content");
        QTest::newRow("nothing") << "gone" << QString();
        QTest::newRow("no checkpoint") << "picture.png"
                                       << "no checkpoint at all";
        QTest::newRow("no TOML") << "a.toml"
                                 << "= broken";
        QTest::newRow("no configuration") << "a.toml"
                                          << "colour = 'blue'";
        QTest::newRow("no network") << "a.toml"
                                    << "[[layer]]\ntype = 'conv2d'";
        QTest::newRow("empty folder") << "folder/"
                                      << "";
    }

    void Unopenable_isNamed()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, content);
        const fs::path file = m_scene->folder() / name.toStdString();
        fs::create_directories(file.parent_path());
        if (!content.isEmpty()) {
            std::ofstream(file) << content.toStdString();
        }
        const fs::path path = name.endsWith('/') ? file.parent_path() : file;
        window().openCommands().open({path});
        QVERIFY2(m_scene->message().contains(toQString(path)), qPrintable(m_scene->message()));
        QCOMPARE(window().messages().kind(), MessageBar::Kind::Error);
    }

    void Several_oneIsNoRun_isNamed()
    {
        const fs::path one = trainRun("one", 30);
        const fs::path none = m_scene->folder() / "none";
        fs::create_directory(none);
        window().openCommands().open({one, none});
        QVERIFY2(m_scene->message().contains(toQString(none)), qPrintable(m_scene->message()));
    }

    void Configuration_whileOneTrains_saysThatItMustWait()
    {
        trainOn(3);
        const RunConfig before = window().runPanel().request().config;
        window().openCommands().open({LOCKSTEP_SMALL_MODEL});
        QVERIFY2(m_scene->message().contains("small.toml"), qPrintable(m_scene->message()));
        QCOMPARE(window().runPanel().request().config.model.name, before.model.name);
        stop();
    }
};
LOCKSTEP_TEST(TestWindowOpen)
#include "test_window_open.moc"
