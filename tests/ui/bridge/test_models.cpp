// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures/device_model.h"
#include "models/log_model.h"
#include "models/runs/checkpoint_model.h"
#include "support/lockstep_test.h"
#include "ui/model_cells.h"

using namespace lockstep::ui;
using Mode = QAbstractItemModelTester::FailureReportingMode;

class TestModels : public QObject
{
    Q_OBJECT

private slots:
    void Checkpoints_inAnyOrder_areShownNewestFirst()
    {
        CheckpointModel model;
        const QAbstractItemModelTester tester(&model, Mode::QtTest);
        const QDateTime time(QDate(2025, 11, 21), QTime(14, 5));
        model.setItems(
            {{1000, "/r/step-1000.safetensors", 8 << 20, time},
             {12000, "/r/step-12000.safetensors", 8 << 20, time.addSecs(60)},
             {0, "/r/step-0.safetensors", 8 << 20, time.addSecs(-60)}});
        QCOMPARE(shown(model, 0, CheckpointModel::Step), "12,000");
        QCOMPARE(shown(model, 2, CheckpointModel::Step), "0");
        QCOMPARE(shown(model, 1, CheckpointModel::File), "step-1000.safetensors");
        QCOMPARE(shown(model, 1, CheckpointModel::Size), "8.0 MiB");
        QCOMPARE(value(model, 1, CheckpointModel::Written).toDateTime(), time);
        QCOMPARE(model.index(1, 0).data(FileRole).toString(), "/r/step-1000.safetensors");
        QCOMPARE(model.at(0).step, 12000);
        QVERIFY(alignment(model, 0, CheckpointModel::Step) & Qt::AlignRight);
        QVERIFY(isAccessible(model));
    }

    void Log_lines_keepOrderTimeAndLevel()
    {
        LogModel model;
        const QAbstractItemModelTester tester(&model, Mode::QtTest);
        const QDateTime time(QDate(2025, 11, 21), QTime(14, 5, 7));
        model.append("begun", false, time);
        model.append("the disk is full", true, time.addSecs(3));
        QCOMPARE(shown(model, 0, LogModel::Time), "11-21 14:05");
        LogModel ofToday;
        ofToday.append({}, false, QDateTime(QDate::currentDate(), QTime(14, 5, 7)));
        QCOMPARE(shown(ofToday, 0, LogModel::Time), "14:05:07");
        QCOMPARE(shown(model, 1, LogModel::Text), "the disk is full");
        QCOMPARE(model.index(0, 0).data(WarningRole).toBool(), false);
        QCOMPARE(model.index(1, 0).data(WarningRole).toBool(), true);
        QVERIFY(!model.index(1, 0).data(Qt::AccessibleDescriptionRole).toString().isEmpty());
        QCOMPARE(
            model.toPlainText(), "2025-11-21T14:05:07 info begun\n"
                                 "2025-11-21T14:05:10 warning the disk is full\n");
        QVERIFY(isAccessible(model));
        model.clear();
        QCOMPARE(model.rowCount(), 0);
    }

    void Log_full_dropsTheOldest()
    {
        LogModel model;
        for (int i = 0; i < LogModel::kMostLines + 5; ++i) {
            model.append(QString::number(i), false);
        }
        QCOMPARE(model.rowCount(), LogModel::kMostLines);
        QCOMPARE(shown(model, 0, LogModel::Text), "5");
        QCOMPARE(
            shown(model, model.rowCount() - 1, LogModel::Text),
            QString::number(LogModel::kMostLines + 4));
    }

    void Devices_thatAreMissing_areDisabledAndSayWhy()
    {
        DeviceModel model;
        const QAbstractItemModelTester tester(&model, Mode::QtTest);
        DeviceRow cpu;
        cpu.name = "cpu";
        cpu.description = "A processor";
        cpu.processors = 2;
        cpu.memoryBytes = qint64{4} << 30;
        cpu.precisions = QStringList{"float32", "bfloat16"};
        cpu.isAvailable = true;
        DeviceRow cuda;
        cuda.name = "cuda";
        cuda.reason = "there is no driver";
        model.setRows({cpu, cuda});
        QCOMPARE(shown(model, 0, DeviceModel::Memory), "4.0 GiB");
        QCOMPARE(shown(model, 0, DeviceModel::Precisions), "float32, bfloat16");
        QCOMPARE(shown(model, 0, DeviceModel::Processors), "2");
        QCOMPARE(shown(model, 1, DeviceModel::Description), "there is no driver");
        QCOMPARE(shown(model, 1, DeviceModel::Memory), QString());
        QVERIFY(model.index(0, 0).flags() & Qt::ItemIsEnabled);
        QVERIFY(!(model.index(1, 0).flags() & Qt::ItemIsEnabled));
        QVERIFY(isAccessible(model));
    }
};
LOCKSTEP_TEST(TestModels)
#include "test_models.moc"
