// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/readers/scaling_store.h"
#include "dialogs/scaling/scaling_dialog.h"
#include "dialogs/scaling/scaling_view.h"
#include "plots/charts/line_plot.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <QtWidgets>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

RunConfig scalingConfig()
{
    RunConfig config;
    config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.device = "cpu";
    config.batchPerTower = 8;
    return config;
}

DeviceRow cpuWith(int processors)
{
    DeviceRow row;
    row.name = "cpu";
    row.processors = processors;
    row.isAvailable = true;
    return row;
}

ScalingLine lineWith(int towers, double speedUp, const ScalingLoss& loss)
{
    ScalingLine line;
    line.towers = towers;
    line.examplesPerSecond = 1000.0 * speedUp;
    line.least = 0.9 * line.examplesPerSecond;
    line.greatest = 1.1 * line.examplesPerSecond;
    line.speedUp = speedUp;
    line.efficiency = speedUp / towers;
    line.loss = loss;
    return line;
}

/// A result that no machine gave.
ScalingReport someReport()
{
    ScalingReport report;
    report.model = "cifar10";
    report.device = "cpu";
    report.precision = "float32";
    report.batch = 128;
    report.threadsPerTower = 1;
    report.processors = 2;
    report.lines = {
        lineWith(1, 1.0, {}), lineWith(2, 1.8, {0.2, 0.1, 0.04, 0.0, 0.05, 0.01}),
        lineWith(4, 1.9, {2.1, 0.5, std::nullopt, std::nullopt, std::nullopt, 1.6})};
    report.lines[2].turn.sharesDevices = true;
    report.serialShare = 0.1111;
    report.leftOut = {3, 1000};
    return report;
}

} // namespace

class TestScalingDialog : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder.emplace();
        m_settings = std::make_unique<QSettings>(
            toQString(*m_folder / "settings.ini"), QSettings::IniFormat);
        m_dialog = std::make_unique<ScalingDialog>(*m_settings);
        m_dialog->setUp(scalingConfig(), {cpuWith(2)});
        m_dialog->show();
    }

    void cleanup()
    {
        m_dialog.reset();
        m_settings.reset();
        m_folder.reset();
    }

    void Words_ofAReport_nameTheLossesByTheirSize()
    {
        ScalingReport report = someReport();
        QString text = scalingSummary(report);
        QVERIFY2(text.contains("4 towers are as fast as 1.90 (48 % efficient)"), qPrintable(text));
        QVERIFY2(
            text.indexOf("1.60 towers that compute") >= 0
                && text.indexOf("0.50 waiting for data") > text.indexOf("1.60"),
            qPrintable(text));
        QVERIFY(text.contains("11.1 %") && text.contains("9.0 times"));
        QVERIFY(text.contains("More than 2 towers can't bring more here"));
        report.lines.pop_back();
        text = scalingSummary(report);
        QVERIFY2(
            text.contains(
                "0.10 waiting for data, 0.05 waiting for the slowest tower, 0.04 averaging, 0.01"),
            qPrintable(text));
        report.serialShare.reset();
        QVERIFY(!scalingSummary(report).contains("Amdahl"));
        QVERIFY(!text.contains("update") && !text.contains("turns"));
        QCOMPARE(
            scalingSubject(report),
            "cifar10 on cpu, float32: 128 examples a step for each tower, 1 thread each");
    }

    void Words_ofABusyMachine_nameTheOthers()
    {
        QVERIFY(othersText(0.43).contains("43 %"));
        QVERIFY(othersText(0.05).isEmpty());
        QVERIFY(othersText(-1.0).isEmpty()); // unknown
    }

    void Store_kept_comesBackEqual()
    {
        const KeptScaling kept{someReport(), QDateTime({2026, 3, 4}, {5, 6, 7})};
        keepScaling(*m_settings, kept);
        m_settings->sync();
        const QSettings read(m_settings->fileName(), QSettings::IniFormat);
        const auto back = keptScaling(read);
        QVERIFY(back.has_value());
        QCOMPARE(back->time, kept.time);
        QCOMPARE(scalingSubject(back->report), scalingSubject(kept.report));
        QCOMPARE(scalingSummary(back->report), scalingSummary(kept.report));
        ScalingModel before;
        ScalingModel after;
        before.setRows(scalingRows(kept.report));
        after.setRows(scalingRows(back->report));
        QCOMPARE(after.toPlainText(), before.toPlainText());
        // The next dialog shows it with its date.
        ScalingDialog next(*m_settings);
        next.setUp(scalingConfig(), {});
        next.show();
        const auto labels = next.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains("3/4/26");
        }));
    }

    void Store_ofOthersOrBroken_isNothing()
    {
        QVERIFY(!keptScaling(*m_settings));
        m_settings->setValue("scaling/another machine", QByteArray("{}"));
        QVERIFY(!keptScaling(*m_settings));
        keepScaling(*m_settings, {someReport(), QDateTime::currentDateTime()});
        for (const QString& key : m_settings->allKeys()) {
            m_settings->setValue(
                key, QByteArray(R"({"time": "2026-01-01T00:00:00", "lines": [3]})"));
        }
        QVERIFY(!keptScaling(*m_settings));
    }

    void Model_rows_showFiguresAndDashes()
    {
        ScalingReport report = someReport();
        report.lines[1].failure = "out of memory";
        ScalingModel model;
        model.setRows(scalingRows(report));
        const auto text = [&](int row, int column) {
            return model.index(row, column).data().toString();
        };
        QCOMPARE(text(0, ScalingModel::Speed), "1,000");
        QCOMPARE(text(0, ScalingModel::Lost), "–");
        QCOMPARE(text(1, ScalingModel::Speed), "–");
        QCOMPARE(
            model.index(1, ScalingModel::Speed).data(Qt::ToolTipRole).toString(), "out of memory");
        QCOMPARE(text(2, ScalingModel::Efficiency), "47.5 %");
        QCOMPARE(text(2, ScalingModel::Averaging), "–");
        QCOMPARE(text(2, ScalingModel::Rest), "1.60");
        report.lines[1].failure.clear();
        report.lines[1].loss.rest = -0.2; // its turns and those of one tower differ by 20 %
        report.lines[1].loss.update = -0.9;
        model.setRows(scalingRows(report));
        QCOMPARE(text(1, ScalingModel::Rest), "≈ 0");
        QCOMPARE(text(1, ScalingModel::Update), "−0.90");
        QVERIFY(model.index(2, 0).data(Qt::ToolTipRole).toString().contains("turns"));
    }

    void Dialog_measuring_showsAndKeepsTheResult()
    {
        m_dialog->findChild<QSpinBox*>("scaling_seconds")->setValue(1);
        QVERIFY(!button("copy")->isEnabled());
        QTest::mouseClick(button("measure"), Qt::LeftButton);
        QVERIFY(m_dialog->isMeasuring());
        QVERIFY(!button("measure")->isEnabled() && button("cancel")->isEnabled());
        QVERIFY(m_dialog->findChild<QProgressBar*>()->isVisible());
        QTRY_VERIFY(!m_dialog->isMeasuring());
        QVERIFY2(button("copy")->isEnabled(), qPrintable(words()));
        const auto* table = m_dialog->findChild<QTableView*>();
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 2);
        QCOMPARE(m_dialog->findChild<LinePlot*>()->curves().size(), std::size_t{2});
        QTest::mouseClick(button("copy"), Qt::LeftButton);
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.contains("towers are as fast as"), qPrintable(copied));
        QVERIFY(copied.contains("Examples/s\tSpeed-up"));
        QVERIFY(keptScaling(*m_settings).has_value());
    }

    void Dialog_cancelled_keepsNothing()
    {
        m_dialog->findChild<QSpinBox*>("scaling_seconds")->setValue(600);
        QTest::mouseClick(button("measure"), Qt::LeftButton);
        QTest::mouseClick(button("cancel"), Qt::LeftButton);
        QTRY_VERIFY(!m_dialog->isMeasuring());
        QVERIFY2(words().contains("Cancelled"), qPrintable(words()));
        QVERIFY(!keptScaling(*m_settings));
        QVERIFY(button("measure")->isEnabled());
    }

    void Dialog_whileTraining_refusesAndSaysWhy()
    {
        m_dialog->setTraining(true);
        QVERIFY(!button("measure")->isEnabled());
        QVERIFY2(words().contains("Stop it first"), qPrintable(words()));
        m_dialog->measure();
        QVERIFY(!m_dialog->isMeasuring());
        m_dialog->setTraining(false);
        QVERIFY(button("measure")->isEnabled());
        // A run that begins meanwhile goes first.
        m_dialog->findChild<QSpinBox*>("scaling_seconds")->setValue(600);
        m_dialog->measure();
        m_dialog->setTraining(true);
        QTRY_VERIFY(!m_dialog->isMeasuring());
    }

    void Dialog_impossibleBatch_saysWhatTheEngineSays()
    {
        RunConfig config = scalingConfig();
        config.batchPerTower.reset();
        config.globalBatch = 15;
        m_dialog->setUp(config, {cpuWith(2)});
        QCOMPARE(m_dialog->findChild<QComboBox*>("scaling_fix")->currentIndex(), 1);
        m_dialog->measure();
        QTRY_VERIFY(!m_dialog->isMeasuring());
        QVERIFY2(words().contains("can't be split evenly over 2 towers"), qPrintable(words()));
    }

    void Dialog_processorsOrGpus_decideTheTowers()
    {
        const auto* towers = m_dialog->findChild<QSpinBox*>("scaling_towers");
        RunConfig config = scalingConfig();
        for (const auto& [processors, expected] : {std::pair(1, 2), {2, 2}, {6, 6}, {96, 8}}) {
            m_dialog->setUp(config, {cpuWith(processors)});
            QCOMPARE(towers->value(), expected);
        }
        std::vector<DeviceRow> devices{cpuWith(96)};
        for (const char* name : {"cuda:0", "cuda:1", "cuda:2"}) {
            DeviceRow gpu;
            gpu.name = QLatin1String(name);
            gpu.isAvailable = true;
            devices.push_back(gpu);
        }
        m_dialog->setUp(config, devices);
        QCOMPARE(towers->value(), 8);
        config.device = "auto";
        m_dialog->setUp(config, devices);
        QCOMPARE(towers->value(), 3);
    }

private:
    [[nodiscard]] QPushButton* button(const char* name) const
    {
        return m_dialog->findChild<QPushButton*>(name);
    }
    [[nodiscard]] QString words() const
    {
        QStringList texts;
        for (const QLabel* label : m_dialog->findChildren<QLabel*>()) {
            if (label->isVisible()) {
                texts.append(label->text());
            }
        }
        return texts.join('\n');
    }

    std::optional<test::TemporaryFolder> m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<ScalingDialog> m_dialog;
};
LOCKSTEP_TEST(TestScalingDialog)
#include "test_scaling_dialog.moc"
