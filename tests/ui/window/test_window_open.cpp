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
        QVERIFY2(!m_scene->message().contains("run.toml"), qPrintable(m_scene->message()));
        QCOMPARE(window().messages().kind(), MessageBar::Kind::Error);
    }

    /// No run is shown. What is promised is what happens.
    void Dropped_anywhere_isToldByWhatItIs()
    {
        const fs::path run = trainRun("one", 30);
        const auto file = [this](const char* name, const char* text) {
            const fs::path path = m_scene->folder() / name;
            fs::create_directories(path.parent_path());
            std::ofstream(path) << text;
            return path;
        };
        const auto shown = [this] { return window().runPanel().request().config; };
        QImage(8, 8, QImage::Format_RGB888).save(toQString(file("own/cats/a.png", "")));
        file("marked/images/a.png", "");
        file("marked/masks/a.png", "");
        file("records/train-00000-of-00002", "");

        QCOMPARE(m_scene->drop({m_scene->pictures()}), "Sets up a run on this data set");
        QCOMPARE(shown().dataset, std::string("cifar10"));
        QCOMPARE(shown().datasetPath, m_scene->pictures().string());
        m_scene->drop({m_scene->folder() / "own"});
        QCOMPARE(shown().dataset, std::string("image_folder"));
        QCOMPARE(shown().model.classes, 0); // those of the pictures
        QVERIFY2(m_scene->message().contains("own"), qPrintable(m_scene->message()));
        m_scene->drop({m_scene->folder() / "marked"});
        QCOMPARE(shown().dataset, std::string("masked_folder"));
        m_scene->drop({m_scene->folder() / "records"});
        QCOMPARE(shown().dataset, std::string("tfrecord"));
        m_scene->drop({file("photos.zip", "")});
        QCOMPARE(shown().dataset, std::string("image_folder"));

        QCOMPARE(m_scene->drop({LOCKSTEP_SMALL_MODEL}), "Sets up a run of this network");
        QCOMPARE(shown().model.name, std::string(LOCKSTEP_SMALL_MODEL));
        const fs::path weights = m_scene->folder() / "others.safetensors";
        const std::vector<float> values{1.0F};
        writeSafetensors(weights, std::vector<SafetensorsView>{{"conv1.weight", {1}, values}}, {});
        QCOMPARE(m_scene->drop({weights}), "Sets up a run that starts with these weights");
        QCOMPARE(shown().initialWeights.checkpoint, weights.string());
        const fs::path checkpoint = listCheckpoints(RunFolder::checkpointsOf(run)).back().path;
        QVERIFY(m_scene->drop({checkpoint}).contains("from this checkpoint"));
        QCOMPARE(
            m_scene->offers(),
            (QStringList{"Continue Its Run", "New Run from It", "Fine-Tune from It"}));
        const fs::path settings = m_scene->folder() / "settings.toml";
        fs::copy_file(run / "run.toml", settings);
        QCOMPARE(m_scene->drop({settings}), "Sets up the run of this configuration");
        QCOMPARE(shown().steps, 30);

        m_scene->drop({m_scene->folder() / "own/cats/a.png"});
        QVERIFY2(m_scene->message().contains("open a run first"), qPrintable(m_scene->message()));
        for (const char* const name : {"net.onnx", "net.pth", "notes.txt"}) {
            const QString promise = m_scene->drop({file(name, "some text")});
            QVERIFY2(promise.contains("can't be opened"), qPrintable(promise));
            QVERIFY2(m_scene->message().contains(name), qPrintable(m_scene->message()));
            QVERIFY(m_scene->message().contains("What can be opened"));
        }
        auto* const log = find<QDockWidget>("log_dock");
        log->setFloating(true);
        QCOMPARE(m_scene->drop({run}, log), "Opens this run");
        QTRY_COMPARE(m_scene->shownSteps(), 30);
        QCOMPARE(m_scene->run().folder(), run);
        m_scene->drop({m_scene->folder() / "own"});
        QCOMPARE(m_scene->offers(), QStringList{"New Run on Them"});
        m_scene->accept("New Run on Them");
        QCOMPARE(shown().dataset, std::string("image_folder"));
    }

    void Drag_overTheWindow_isSaidInBothThemes()
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(toQString(m_scene->pictures()))});
        auto* const note = find<QLabel>("drop_note");
        for (const char* const theme : {"light", "dark"}) {
            m_scene->chooseTheme(theme);
            QCoreApplication::processEvents(); // every part is told of its colours
            QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(window().windowHandle(), &enter);
            QTRY_VERIFY(note->isVisible() && window().rect().contains(note->geometry()));
            QDir().mkpath(LOCKSTEP_SCREENSHOTS);
            QVERIFY(window().grab().save(
                QString(LOCKSTEP_SCREENSHOTS "/drag-%1.png").arg(QLatin1String(theme))));
            QDragLeaveEvent leave;
            QCoreApplication::sendEvent(window().windowHandle(), &leave);
            QVERIFY(!note->isVisible());
        }
    }

    /// Text goes where it always went.
    void Dropped_text_isNoFile()
    {
        QMimeData data;
        data.setText("0.1");
        QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window().windowHandle(), &enter);
        QVERIFY(!find<QLabel>("drop_note")->isVisible());
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
