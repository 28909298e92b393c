// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/run_validation.h"
#include "engine/evaluation.h"
#include "support/text_rows.h"
#include "ui/many_pictures.h"
#include "ui/window_witness.h"
#include "widgets/forms/form_field.h"

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

/// Whatever is wrong is said where a person looks, keeps Start from being pressed if it can be
/// known before, and leaves a window in which a good run can be started.
class TestWindowErrors : public WindowTest
{
    Q_OBJECT

private slots:
    void Value_typed_isRefusedBesideItsField_data()
    {
        test::addTextRows(
            {"key", "typed", "mention"}, {{"towers", "0", "is 0"},
                                          {"towers", "-1", "is -1"},
                                          {"towers", "two", "two"},
                                          {"batch_per_tower", "0", "is 0"},
                                          {"global_batch", "0", "is 0"},
                                          {"global_batch", "13", "13"},
                                          {"steps", "0", "is 0"},
                                          {"steps", "-1", "is -1"},
                                          {"seed", "-1", "-1"},
                                          {"learning_rate.initial", "nan", "nan"},
                                          {"learning_rate.initial", "fast", "fast"},
                                          {"checkpoint.keep", "0", "is 0"},
                                          {"dataset.path", "/no/such/folder", "/no/such/folder"}});
    }

    void Value_typed_isRefusedBesideItsField()
    {
        QFETCH(const QString, key);
        QFETCH(const QString, typed);
        QFETCH(const QString, mention);
        m_scene->configure(m_scene->config(20));
        QVERIFY(actions().start->isEnabled());
        m_scene->type(key, typed);
        expectRefusal(key, mention);
        expectUsable();
    }

    void Value_imported_isRefusedBesideItsField_data()
    {
        test::addTextRows(
            {"key", "value", "mention"}, {{"dataset.name", "mnist", "mnist"},
                                          {"model.name", "lenet", "lenet"},
                                          {"precision", "float16", "float16"},
                                          {"precision", "tf32", "tf32"}, // known, but not to a CPU
                                          {"device", "tpu", "tpu"},
                                          {"device", "cuda:99", "cuda"}});
    }

    void Value_imported_isRefusedBesideItsField()
    {
        QFETCH(const QString, key);
        QFETCH(const QString, value);
        QFETCH(const QString, mention);
        RunConfig config = m_scene->config(20);
        setConfigValue(config, key.toStdString(), value.toStdString());
        m_scene->configure(config);
        expectRefusal(key, mention);
        expectUsable();
    }

    void RunFolder_thatCantBeUsed_isRefusedBesideItsField()
    {
        train(3);
        const fs::path existing = m_scene->run().folder();
        window().findChild<Disclosure*>()->setOpen(true);
        const QString key = QLatin1String(kRunFolderKey);
        // Root may write anywhere, but not below a file.
        for (const fs::path& folder :
             {m_scene->pictures() / "test_batch.bin" / "run", m_scene->pictures(), existing}) {
            m_scene->type(key, toQString(folder));
            QTRY_VERIFY(m_scene->field(key)->problem().contains(toQString(folder)));
            QVERIFY(!actions().start->isEnabled());
            QCOMPARE(actions().start->toolTip(), m_scene->field(key)->problem());
        }
        m_scene->type(key, toQString(m_scene->folder() / "run"));
        QTRY_VERIFY(actions().start->isEnabled());
        m_scene->press("Ctrl+R");
        QTRY_COMPARE(m_scene->run().folder(), m_scene->folder() / "run");
        WAIT_FOR_STATE(Finished);
    }

    void Dataset_damaged_isRefused_data()
    {
        test::addTextRows({"damage"}, {{"truncated"}, {"empty"}, {"missing"}, {"label"}});
    }

    void Dataset_damaged_isRefused()
    {
        constexpr std::streamoff kRecordBytes = 3073;
        QFETCH(const QString, damage);
        const fs::path folder = m_scene->folder() / "damaged";
        test::writeCifar10Folder(folder, 20);
        const fs::path file = folder / "data_batch_3.bin";
        RunConfig config = m_scene->config(20);
        config.datasetPath = folder.string();
        if (damage == "label") { // seen by those who read it all
            std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
            stream.seekp(7 * kRecordBytes);
            stream.put(10);
            stream.close();
            m_scene->start(config);
            WAIT_FOR_STATE(Failed);
            expectMessage({toQString(file), "record 7", "label 10"});
            QCOMPARE(m_scene->offers(), QStringList("Show Log"));
            QVERIFY(RunLibrary::knownRuns().empty());
            return expectUsable();
        }
        if (damage == "missing") {
            fs::remove(file);
        } else {
            fs::resize_file(file, damage == "empty" ? 0 : 20 * kRecordBytes - 1);
        }
        m_scene->configure(config);
        expectRefusal("dataset.path", toQString(folder));
        expectUsable();
    }

    void Configuration_wrong_isNamedInTheMessage_data()
    {
        test::addTextRows(
            {"text", "mention"},
            {{"unknown key", "chekpoint.every_steps = 10", "checkpoint.every_steps"},
             {"wrong type", "towers = \"two\"", "towers"},
             {"out of range", "towers = 5000000000", "towers"},
             {"no TOML", "steps = 10\ntowers 2", "line 2"}});
    }

    void Configuration_wrong_isNamedInTheMessage()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, mention);
        m_scene->configure(m_scene->config(20));
        const std::string before = toToml(window().runPanel().request().config);
        const fs::path file = m_scene->folder() / "wrong.toml";
        std::ofstream(file) << text.toStdString();
        m_scene->choose(actions().importConfiguration, file);
        expectMessage({toQString(file), mention});
        QCOMPARE(toToml(window().runPanel().request().config), before);
        expectUsable();
    }

    void Checkpoint_damaged_isNamedInTheMessage_data()
    {
        QTest::addColumn<bool>("isHeader");
        QTest::newRow("header") << true;
        QTest::newRow("weights") << false;
    }

    void Checkpoint_damaged_isNamedInTheMessage()
    {
        QFETCH(const bool, isHeader);
        train(3);
        const fs::path file = m_scene->folder() / "damaged.safetensors";
        fs::copy_file(openCheckpoint(m_scene->run().folder()).file.path, file);
        {
            std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
            isHeader ? stream.seekp(40) : stream.seekp(-40, std::ios::end);
            stream.put('\x7f');
        }
        m_scene->choose(actions().loadCheckpoint, file);
        if (!isHeader) { // seen by those who read it all
            m_scene->accept("New Run from It");
            m_scene->accept("Start");
            WAIT_FOR_STATE(Failed);
        }
        expectMessage({toQString(file)});
        expectUsable();
    }

    void Checkpoint_ofAnotherModel_isRefusedBesideIt()
    {
        train(3);
        m_scene->choose(
            actions().loadCheckpoint, openCheckpoint(m_scene->run().folder()).file.path);
        m_scene->accept("New Run from It");
        QVERIFY(actions().start->isEnabled());
        auto* const model = find("model.name");
        model->setFocus();
        QTest::keyClick(model, Qt::Key_Home); // cifar10
        QTRY_VERIFY(!actions().start->isEnabled());
        const QString reason = actions().start->toolTip();
        QVERIFY2(reason.contains("'cifar10'"), qPrintable(reason));
        QVERIFY(m_scene->statusText().contains(reason));
        // Without the checkpoint it is a run like any other.
        auto* const clear =
            window().findChild<QToolButton*>(QLatin1String(kCheckpointKey) + ".clear");
        QTest::mouseClick(clear, Qt::LeftButton);
        QTRY_VERIFY(actions().start->isEnabled());
        expectUsable();
    }

    void OpenRun_ofNoRun_isNamedInTheMessage()
    {
        const fs::path folder = m_scene->folder() / "nothing";
        fs::create_directory(folder);
        m_scene->choose(actions().openRun, folder);
        expectMessage({toQString(folder), "a folder without a run or pictures"});
        QVERIFY(m_scene->run().series() == nullptr);
        expectUsable();
    }

    void Run_thatDiverges_canGoOnFromItsLastCheckpoint()
    {
        RunConfig config = m_scene->config(50);
        config.learningRate.initial = 1e20;
        m_scene->start(config);
        WAIT_FOR_STATE(Failed);
        const fs::path folder = m_scene->run().folder();
        expectMessage(
            {QString("step %1, tower ").arg(m_scene->shownSteps()),
             toQString(openCheckpoint(folder).file.path)});
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(folder)));
        m_scene->accept("Continue from Last Checkpoint");
        m_scene->type("learning_rate.initial", "0.01");
        m_scene->press("Ctrl+R");
        WAIT_FOR_STATE(Finished);
        QCOMPARE(m_scene->run().folder(), folder);
        QCOMPARE(m_scene->shownSteps(), 50);
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(folder)));
    }

    void Stop_beforeThereIsARun_isNoErrorAndSavesNothing_data()
    {
        QTest::addColumn<bool>("isKept");
        QTest::newRow("in this process") << false;
        QTest::newRow("in a process of its own") << true;
    }

    /// Nor is it the end of the run before, which is still shown.
    void Stop_beforeThereIsARun_isNoErrorAndSavesNothing()
    {
        QFETCH(const bool, isKept);
        train(3);
        RunRequest request = window().runPanel().request();
        request.config.dataset = "image_folder";
        request.config.datasetPath = manyPictures(m_scene->folder() / "many").string();
        window().runPanel().setRequest(request);
        actions().keepTraining->setChecked(isKept);
        actions().start->trigger();
        QCOMPARE(m_scene->state(), SessionController::State::Preparing);
        actions().stop->trigger();
        WAIT_FOR_STATE(Stopped);
        QVERIFY2(m_scene->message().startsWith("Stopped before"), qPrintable(m_scene->message()));
        QCOMPARE(window().messages().kind(), MessageBar::Kind::Information);
        QCOMPARE(m_scene->offers(), QStringList());
        QCOMPARE(RunLibrary::knownRuns().size(), 1U);
        actions().keepTraining->setChecked(false);
        expectUsable();
    }

    void SaveAs_toNowhere_warnsAndTheRunGoesOn()
    {
        trainOn(5);
        const fs::path file = m_scene->pictures() / "test_batch.bin" / "mine.safetensors";
        window().controller().send(
            command::SaveCheckpointAs{file}); // the dialog offers no such place
        QTRY_VERIFY2(m_scene->message().contains(toQString(file)), qPrintable(m_scene->message()));
        QCOMPARE(window().messages().kind(), MessageBar::Kind::Warning);
        const std::int64_t steps = m_scene->shownSteps();
        WAIT_FOR_STEPS(steps + 10);
    }

private:
    void expectRefusal(const QString& key, const QString& mention)
    {
        QTRY_VERIFY(!actions().start->isEnabled());
        const QString problem = m_scene->field(key)->problem();
        QVERIFY2(problem.contains(mention, Qt::CaseInsensitive), qPrintable(problem));
        QCOMPARE(actions().start->toolTip(), problem);
        QVERIFY2(m_scene->statusText().contains(problem), qPrintable(m_scene->statusText()));
        m_scene->press("Ctrl+R");
        QCOMPARE(m_scene->state(), SessionController::State::Idle);
    }

    void expectMessage(const QStringList& mentions)
    {
        QTRY_VERIFY(!m_scene->message().isEmpty());
        QCOMPARE(window().messages().kind(), MessageBar::Kind::Error);
        for (const QString& mention : mentions) {
            QVERIFY2(m_scene->message().contains(mention), qPrintable(m_scene->message()));
        }
    }

    /// A good run can be made after all.
    void expectUsable()
    {
        train(3);
        QCOMPARE(m_scene->shownSteps(), 3);
        QVERIFY(m_scene->message().startsWith("All 3 steps are done."));
    }
};
LOCKSTEP_TEST(TestWindowErrors)
#include "test_window_errors.moc"
