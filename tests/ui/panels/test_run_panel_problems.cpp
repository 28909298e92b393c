// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/engine_text.h"
#include "panels/shared/run_choices.h"
#include "support/cifar10_files.h"
#include "support/text_rows.h"
#include "ui/run_panel_scene.h"

#include <fstream>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

/// A checkpoint with the weights of the small model.
void writeSmallWeights(const std::filesystem::path& file, std::int64_t step = 0)
{
    const NetworkSpec network = makeNetwork({LOCKSTEP_SOURCE_DIR "/resources/models/small.toml"});
    Checkpoint checkpoint;
    checkpoint.step = step;
    checkpoint.model = network.name;
    for (const ParameterSpec& parameter : network.parameters) {
        checkpoint.weights.push_back(
            {parameter.name, parameter.shape,
             std::vector<float>(static_cast<std::size_t>(parameter.elements()))});
    }
    writeCheckpoint(checkpoint, file);
}

} // namespace

class TestRunPanelProblems : public RunPanelTest
{
    Q_OBJECT

private slots:
    void Capital_atTheStart_isForWordsOnly()
    {
        QCOMPARE(capitalised("no such file"), "No such file");
        QCOMPARE(capitalised("r/a: no run"), "r/a: no run");
        QCOMPARE(capitalised({}), QString());
    }

    void Value_bad_isRefusedBesideItsField_data()
    {
        test::addTextRows(
            {"key", "typed"}, {{"towers", "0"},
                               {"towers", "-2"},
                               {"towers", "two"},
                               {"towers", ""},
                               {"batch_per_tower", "0"},
                               {"batch_per_tower", "many"},
                               {"batch_per_tower", "99999999999999999999"},
                               {"global_batch", "0"},
                               {"global_batch", "257"},
                               {"steps", "0"},
                               {"steps", "-5"},
                               {"seed", "seven"},
                               {"seed", "-1"},
                               {"seed", "18446744073709551616"},
                               {"seed", "9223372036854775808"},
                               {"learning_rate.initial", "fast"},
                               {"learning_rate.initial", "-0.1"},
                               {"learning_rate.initial", "0.1e"},
                               {"checkpoint.every_steps", "-1"},
                               {"checkpoint.keep", "0"},
                               {"evaluate.every_steps", "x"},
                               {"moving_average.decay", "2"}});
    }

    void Value_bad_isRefusedBesideItsField()
    {
        QFETCH(const QString, key);
        QFETCH(const QString, typed);
        m_scene->more().setOpen(true);
        m_scene->type(key, typed);
        static_cast<void>(panel().request()); // throws nothing
        QVERIFY(!panel().isReady());
        QCOMPARE(m_scene->shownProblem(key), panel().problem());
        QVERIFY(!panel().problem().contains("_"));
        QVERIFY(m_scene->input(key)->property("hasProblem").toBool());
        for (const FormField* each : panel().findChildren<FormField*>()) {
            QCOMPARE(each->problem().isEmpty(), each->key() != key);
        }
        m_scene->type(key, "1");
        if (key == "global_batch") {
            m_scene->type(key, "2");
        }
        QVERIFY2(panel().isReady(), qPrintable(panel().problem()));
        QVERIFY(m_scene->shownProblem(key).isEmpty());
    }

    void Problem_ofHiddenField_isSaidInTheHeader()
    {
        RunRequest request;
        request.config.movingAverageDecay = 2.0;
        panel().setRequest(request);
        QVERIFY(!panel().isReady());
        QVERIFY(!m_scene->more().isOpen());
        const QString problem = panel().problem();
        const auto isShown = [&] {
            for (const QLabel* label : m_scene->more().findChildren<QLabel*>()) {
                if (label->isVisible() && label->text() == problem) {
                    return true;
                }
            }
            return false;
        };
        QVERIFY(isShown());
        m_scene->more().setOpen(true);
        QVERIFY(m_scene->field("moving_average.decay")->isVisible());
        QVERIFY(isShown());
    }

    /// Nothing is looked for on this machine, although the other one has told nothing yet.
    void MachineThere_beforeItsFacts_isNotThisOne()
    {
        RunRequest request;
        request.config.dataset = "cifar10";
        request.config.datasetPath = "/only/there";
        request.config.device = "cuda";
        panel().setRequest(request);
        QVERIFY(panel().problem().contains("/only/there"));
        RemoteFacts facts;
        facts.host = "there";
        panel().setMachine(facts);
        QCOMPARE(panel().problem(), QString());
        panel().setMachine({});
        QVERIFY(panel().problem().contains("/only/there"));
    }

    void DataFolder_missing_isRefusedAndOffersTheDownload()
    {
        auto* combo = m_scene->find<QComboBox>("dataset.name");
        combo->setCurrentIndex(combo->findData("cifar10"));
        QTRY_VERIFY(m_scene->field("dataset.path")->isVisible());
        const QString missing = QString::fromStdString((folder() / "none").string());
        m_scene->type("dataset.path", missing);
        QVERIFY(!panel().isReady());
        QCOMPARE(m_scene->shownProblem("dataset.path"), panel().problem());
        QVERIFY(panel().problem().contains(missing));
        auto* get = m_scene->find<QPushButton>("get_cifar10");
        QVERIFY(get->isVisible());
        const QSignalSpy requested(&panel(), &RunPanel::getCifar10Requested);
        QTest::mouseClick(get, Qt::LeftButton);
        QCOMPARE(requested.count(), 1);

        test::writeCifar10Folder(folder() / "none", 3);
        panel().refresh();
        QVERIFY2(panel().isReady(), qPrintable(panel().problem()));
        QVERIFY(!get->isVisible());
    }

    void RunFolder_thatCantBeWritten_isRefused()
    {
        std::ofstream(folder() / "file") << "in the way";
        m_scene->more().setOpen(true);
        const QString key = "run.folder";
        m_scene->type(key, QString::fromStdString((folder() / "file" / "run").string()));
        QVERIFY(!panel().isReady());
        QCOMPARE(m_scene->shownProblem(key), panel().problem());
        m_scene->type(key, QString::fromStdString((folder() / "run").string()));
        QVERIFY2(panel().isReady(), qPrintable(panel().problem()));
        QCOMPARE(panel().request().folder, folder() / "run");
    }

    void Checkpoint_ofAnotherModel_isRefusedAndCanBeTakenBack()
    {
        RunRequest request;
        request.checkpoint = folder() / "small.safetensors";
        request.config.steps = 77;
        writeSmallWeights(*request.checkpoint);
        panel().setRequest(request);
        QVERIFY(!panel().isReady());
        QVERIFY(panel().problem().contains("cifar10"));
        const auto* line = m_scene->find<QLabel>("run.checkpoint");
        QVERIFY(line->isVisible());
        QVERIFY(line->text().contains("small.safetensors"));
        QCOMPARE(panel().request().checkpoint, request.checkpoint);

        QTest::mouseClick(m_scene->find<QToolButton>("run.checkpoint.clear"), Qt::LeftButton);
        QVERIFY(!line->isVisible());
        QVERIFY(!panel().request().checkpoint);
        QCOMPARE(panel().request().config.steps, 77);
        QVERIFY(panel().isReady());
    }

    /// What the run is expected to take counts from there.
    void Checkpoint_saysAtWhichStepTheRunBegins()
    {
        RunRequest request;
        request.config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
        request.config.steps = 100;
        request.checkpoint = folder() / "small.safetensors";
        writeSmallWeights(*request.checkpoint, 90);
        panel().setRequest(request);
        QVERIFY2(panel().isReady(), qPrintable(panel().problem()));
        QCOMPARE(panel().firstStep(), 90);
        QTest::mouseClick(m_scene->find<QToolButton>("run.checkpoint.clear"), Qt::LeftButton);
        QCOMPARE(panel().firstStep(), 0);
    }

    void Resume_cleared_isANewRun()
    {
        RunRequest request;
        request.folder = folder() / "my run";
        request.isResume = true;
        std::filesystem::create_directories(request.folder);
        std::ofstream(request.folder / "run.toml") << "towers = 2\n";
        panel().setRequest(request);
        QVERIFY2(panel().isReady(), qPrintable(panel().problem()));
        QVERIFY(panel().request().isResume);
        QVERIFY(m_scene->find<QLabel>("run.checkpoint")->text().contains("my run"));
        QTest::mouseClick(m_scene->find<QToolButton>("run.checkpoint.clear"), Qt::LeftButton);
        QVERIFY(!panel().request().isResume);
        QVERIFY(panel().request().folder.empty());
        QVERIFY(panel().isReady());
    }

    /// A run that begins at a state takes nothing over, although its configuration names weights.
    void FineTune_note_isOfARunThatBeginsAnew()
    {
        const std::filesystem::path file = folder() / "weights.safetensors";
        writeSmallWeights(file);
        const FormField* const field = m_scene->field("initial_weights.checkpoint");
        RunRequest request;
        request.config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
        request.config.initialWeights.checkpoint = file.string();
        panel().setRequest(request);
        QVERIFY2(field->note().startsWith("Takes 6 of 6 tensors"), qPrintable(field->note()));
        request.checkpoint = file;
        panel().setRequest(request);
        QCOMPARE(field->note(), QString());
        request.checkpoint.reset();
        request.isResume = true;
        panel().setRequest(request);
        QCOMPARE(field->note(), QString());
    }

private:
    [[nodiscard]] const test::TemporaryFolder& folder() const { return m_scene->folder(); }
};
LOCKSTEP_TEST(TestRunPanelProblems)
#include "test_run_panel_problems.moc"
