// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/device_editor.h"
#include "ui/pictures.h"
#include "ui/window_witness.h"

#include <cstdlib>

namespace lockstep::ui {

/// GPUs are chosen in the real window, on a machine of four emulated ones, of which the last is too
/// old.
class TestWindowDevices : public WindowTest
{
    Q_OBJECT

private slots:
    void init()
    {
        m_scene.emplace();
        QTRY_VERIFY(box(0) != nullptr && box(0)->isVisible());
    }

    void Gpus_found_areListedWithWhatTheyDo()
    {
        for (int gpu = 0; gpu < 4; ++gpu) {
            QVERIFY(box(gpu)->isVisible());
            QVERIFY(box(gpu)->accessibleName().contains("Emulated GPU"));
            QCOMPARE(box(gpu)->isEnabled(), gpu < 3);
        }
        const QString second = box(1)->accessibleDescription();
        QVERIFY2(second.contains("6.0 GiB of 8.0 GiB free"), qPrintable(second));
        QVERIFY2(second.contains("load 75 %"), qPrintable(second));
        QVERIFY2(second.contains("python3 (4711) 1.0 GiB"), qPrintable(second));
        QVERIFY(!box(0)->accessibleDescription().contains("python3"));
        QVERIFY(box(3)->accessibleDescription().contains("needs 7.5"));
        // The list is part of what is automatic, not of the processor.
        choose("cpu");
        QVERIFY(!box(0)->isVisible());
        choose("auto");
        QVERIFY(box(0)->isVisible());
    }

    void Gpus_ticked_areInTheRequestAndTheSentence()
    {
        const FormField* const field = m_scene->field("device");
        m_scene->type("towers", "4");
        // What automatic takes is ticked: all that can be used.
        QTRY_COMPARE(field->note(), "4 towers on 3 GPUs: 2, 1 and 1");
        QVERIFY(box(0)->isChecked() && box(1)->isChecked() && box(2)->isChecked());
        QVERIFY(!box(3)->isChecked());
        QCOMPARE(device(), std::string("auto"));

        box(1)->click();
        QCOMPARE(device(), std::string("cuda:0,2"));
        QCOMPARE(kind()->currentData().toString(), "cuda");
        QTRY_COMPARE(field->note(), "4 towers on 2 GPUs, 2 each");
        m_scene->type("towers", "5");
        QTRY_COMPARE(field->note(), "5 towers on 2 GPUs: 3 and 2");
        box(1)->click();
        QCOMPARE(device(), std::string("cuda:0,1,2"));
        m_scene->type("towers", "2");
        QTRY_COMPARE(field->note(), "2 towers on 3 chosen GPUs: cuda:2 stays idle");
    }

    void Gpus_none_isRefusedAtTheField()
    {
        choose("cuda");
        m_scene->configure(smallRun("cuda:1", 3));
        box(1)->click();
        const FormField* const field = m_scene->field("device");
        QTRY_COMPARE(field->problem(), "Choose at least one GPU");
        QVERIFY(!actions().start->isEnabled());
        box(2)->click();
        QTRY_VERIFY(field->problem().isEmpty());
        QCOMPARE(device(), std::string("cuda:2"));
        // What is told anew every two seconds doesn't forget it while another kind is looked at.
        choose("auto");
        QTest::qWait(2500);
        choose("cuda");
        QCOMPARE(device(), std::string("cuda:2"));
    }

    void Keyboard_alone_choosesGpus()
    {
        kind()->setFocus();
        m_scene->press("Tab");
        QCOMPARE(QApplication::focusWidget(), box(0));
        m_scene->press("Tab");
        QCOMPARE(QApplication::focusWidget(), box(1));
        m_scene->press("Space");
        // Two towers on the first GPUs, of which one is taken away.
        QCOMPARE(device(), std::string("cuda:0"));
        // What is told anew every two seconds leaves the keyboard where it is.
        QTest::qWait(2500);
        QCOMPARE(QApplication::focusWidget(), box(1));
        m_scene->press("Space");
        QCOMPARE(device(), std::string("cuda:0,1"));
    }

    void Run_onTwoOfFour_isResumedAndBranchedOnOthers()
    {
        RunConfig config = smallRun("auto", 4);
        config.checkpointEverySteps = 2;
        m_scene->configure(config);
        box(0)->click(); // of cuda:0 and cuda:1
        box(2)->click();
        QCOMPARE(device(), std::string("cuda:1,2"));
        m_scene->press("Ctrl+R");
        WAIT_FOR_STATE(Finished);
        QCOMPARE(towerDevices(), std::string("cuda:1 cuda:2"));
        const std::filesystem::path folder = m_scene->run().folder();
        QCOMPARE(configOfRun(folder).device, std::string("cuda:1,2"));

        // It goes on on others.
        setUpToContinue(folder, 4);
        QTRY_COMPARE(device(), std::string("cuda:1,2"));
        QVERIFY(box(1)->isChecked() && box(2)->isChecked() && !box(0)->isChecked());
        m_scene->type("steps", "6");
        box(0)->click();
        box(1)->click();
        QCOMPARE(device(), std::string("cuda:0,2"));
        QCOMPARE(window().runPanel().problem(), QString());
        trainAgain();
        QCOMPARE(towerDevices(), std::string("cuda:0 cuda:2"));
        QCOMPARE(configOfRun(folder).device, std::string("cuda:0,2"));

        // And branches on one of them.
        setUpToContinue(folder, 2);
        box(2)->click();
        QCOMPARE(device(), std::string("cuda:0"));
        trainAgain();
        QCOMPARE(towerDevices(), std::string("cuda:0 cuda:0"));
        QCOMPARE(RunStoreReader(RunFolder::storeFileOf(folder)).branches().size(), std::size_t{3});
    }

    void StatusLine_ofSeveralGpus_countsThem()
    {
        m_scene->start(smallRun("cuda:0,2", 1'000'000));
        QTRY_VERIFY(m_scene->statusText().contains("2 towers on 2 devices"));
        m_scene->stopAtOnce();
    }

    /// A machine of fewer GPUs is another process: this program, which was told where the run is.
    void Gpu_goneSinceTheRun_isNamed()
    {
        const QByteArray folder = qgetenv("LOCKSTEP_TEST_RUN");
        if (folder.isEmpty()) {
            m_scene->start(smallRun("cuda:0,2", 2));
            WAIT_FOR_STATE(Finished);
            QProcess process;
            auto environment = QProcessEnvironment::systemEnvironment();
            environment.insert("LOCKSTEP_TEST_RUN", toQString(m_scene->run().folder()));
            environment.insert("LOCKSTEP_EMULATED_GPUS", "2");
            environment.remove("LOCKSTEP_EMULATED_OLD_GPU");
            process.setProcessEnvironment(environment);
            process.setProcessChannelMode(QProcess::MergedChannels);
            process.start(QCoreApplication::applicationFilePath(), {"Gpu_goneSinceTheRun_isNamed"});
            QVERIFY(process.waitForFinished(120'000));
            QVERIFY2(process.exitCode() == 0, process.readAll().constData());
            return;
        }
        setUpToContinue(folder.toStdString(), 2);
        const FormField* const field = m_scene->field("device");
        QTRY_VERIFY(field->problem().contains(
            "there is no GPU 2 (Emulated GPU, compute 9.0 when the run began)"));
        QVERIFY(field->problem().contains("this machine has 2 (0 to 1)"));
        QVERIFY(!actions().start->isEnabled());
        QVERIFY(box(2)->isChecked() && box(2)->isEnabled());
        QCOMPARE(box(2)->accessibleDescription(), "not there any more");
        QVERIFY(box(2)->accessibleName().contains("Emulated GPU"));
        window().resize(1440, 900);
        QTest::qWait(300);
        QVERIFY(window().grab().save(pictureFile("gpu-gone")));
        box(2)->click(); // left out, it is gone from the list, too
        QTRY_VERIFY(field->problem().isEmpty());
        QCOMPARE(device(), std::string("cuda:0"));
        QTRY_VERIFY(box(2) == nullptr);
    }

    void Picker_inBothThemes()
    {
        RunConfig config = smallRun("cuda:0,2", 100);
        config.towers = 4;
        m_scene->configure(config);
        for (const char* const theme : {"light", "dark"}) {
            m_scene->chooseTheme(theme);
            for (const QSize size : {QSize(1440, 900), QSize(1024, 640)}) {
                window().resize(size);
                QTest::qWait(300);
                for (auto* const area : window().findChildren<QScrollArea*>()) {
                    if (area->isAncestorOf(box(3))) {
                        area->ensureWidgetVisible(box(3), 0, 40);
                    }
                }
                QTest::qWait(100);
                QVERIFY(!box(3)->visibleRegion().isEmpty());
                // Nothing is cut off at the right.
                const QWidget* const line = box(1)->parentWidget();
                QVERIFY(line->width() <= line->parentWidget()->width());
                const QString name = QString("gpus-%1-%2").arg(size.width()).arg(theme);
                QVERIFY(window().grab().save(pictureFile(name)));
            }
        }
    }

private:
    [[nodiscard]] QCheckBox* box(int gpu) const
    {
        return window().findChild<QCheckBox*>(QString("device.cuda:%1").arg(gpu));
    }
    [[nodiscard]] QComboBox* kind() const { return find<QComboBox>("device"); }
    [[nodiscard]] std::string device() const
    {
        return window().findChild<RunPanel*>()->request().config.device;
    }
    [[nodiscard]] RunConfig smallRun(const char* device, std::int64_t steps) const
    {
        RunConfig config = m_scene->config(steps);
        config.device = device;
        config.batchPerTower = 2;
        config.evaluateAtEnd = false; // emulated, it would take longer than the training
        return config;
    }
    [[nodiscard]] std::string towerDevices() const
    {
        return store().values().at(kTowerDevicesFact);
    }
    /// Sets the run up to go on from a checkpoint.
    void setUpToContinue(const std::filesystem::path& run, std::int64_t step) const
    {
        for (const CheckpointFile& file : listCheckpoints(run / "checkpoints")) {
            if (file.step == step) {
                window().setUpCommands().setUpToContinue(file.path);
            }
        }
    }
    void choose(const QString& kindOfDevice) const
    {
        kind()->setCurrentIndex(kind()->findData(kindOfDevice));
    }
};
} // namespace lockstep::ui

/// The loader reads its path when a program starts: this one starts itself again.
int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("LOCKSTEP_CUDA_LIBRARY")) {
        const QTemporaryDir drivers;
        QFile::copy(LOCKSTEP_FAKE_DRIVER, drivers.filePath("libcuda.so.1"));
        qputenv("LD_LIBRARY_PATH", drivers.path().toLocal8Bit());
        qputenv("LOCKSTEP_CUDA_LIBRARY", LOCKSTEP_EMULATED_GPU);
        qputenv("LOCKSTEP_EMULATED_GPUS", "4");
        qputenv("LOCKSTEP_EMULATED_OLD_GPU", "3");
        QProcess process;
        process.setProcessChannelMode(QProcess::ForwardedChannels);
        QStringList arguments;
        for (int i = 1; i < argc; ++i) {
            arguments.append(QString::fromLocal8Bit(argv[i]));
        }
        process.start(QString::fromLocal8Bit(argv[0]), arguments);
        return process.waitForFinished(-1) && process.exitStatus() == QProcess::NormalExit
                   ? process.exitCode()
                   : EXIT_FAILURE;
    }
    QApplication application(argc, argv);
    lockstep::ui::TestWindowDevices test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_window_devices.moc"
