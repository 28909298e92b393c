// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoint_model.h"
#include "models/device_model.h"
#include "models/log_model.h"
#include "models/tower_table_model.h"

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QSignalSpy>
#include <QtTest>

#include <cmath>

using namespace lockstep::ui;
using Mode = QAbstractItemModelTester::FailureReportingMode;

namespace {

QString shown(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

QVariant value(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data(ValueRole);
}

Qt::Alignment alignment(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data(Qt::TextAlignmentRole).value<Qt::Alignment>();
}

/// Every cell and every column says to a screen reader what it is.
bool isAccessible(const QAbstractItemModel& model)
{
    for (int column = 0; column < model.columnCount(); ++column) {
        const QString title = model.headerData(column, Qt::Horizontal).toString();
        const QString help = model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
        if (title.isEmpty() || help.isEmpty()) {
            return false;
        }
        for (int row = 0; row < model.rowCount(); ++row) {
            const QString text = model.index(row, column).data(Qt::AccessibleTextRole).toString();
            if (!text.startsWith(title) || !text.endsWith(shown(model, row, column))) {
                return false;
            }
        }
    }
    return model.rowCount() > 0;
}

} // namespace

class TestModels : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Towers_withFigures_showThemWithUnits();
    void Towers_figures_repaintOnlyTheirColumns();
    void Towers_notFinite_areShownAsSuch();
    void Towers_figuresOfAnotherRun_areLeftOut();
    void Checkpoints_inAnyOrder_areShownNewestFirst();
    void Log_lines_keepOrderTimeAndLevel();
    void Log_full_dropsTheOldest();
    void Devices_thatAreMissing_areDisabledAndSayWhy();
};

void TestModels::initTestCase()
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
}

void TestModels::Towers_withFigures_showThemWithUnits()
{
    TowerTableModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    model.setSeats({{QStringLiteral("cpu"), 3 << 20}, {QStringLiteral("cpu"), 1536}});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(shown(model, 0, TowerTableModel::Loss), QStringLiteral("–"));
    QVERIFY(!value(model, 0, TowerTableModel::Loss).isValid());
    model.setFigures({{1.23456, 12345.6}, {0.5, 99.5}});
    QCOMPARE(shown(model, 0, TowerTableModel::Tower), QStringLiteral("0"));
    QCOMPARE(shown(model, 1, TowerTableModel::Device), QStringLiteral("cpu"));
    QCOMPARE(shown(model, 0, TowerTableModel::Loss), QStringLiteral("1.2346"));
    QCOMPARE(shown(model, 0, TowerTableModel::BusyRate), QStringLiteral("12,346"));
    QCOMPARE(shown(model, 0, TowerTableModel::Memory), QStringLiteral("3.0 MiB"));
    QCOMPARE(shown(model, 1, TowerTableModel::Memory), QStringLiteral("1.5 KiB"));
    QCOMPARE(value(model, 0, TowerTableModel::Loss).toDouble(), 1.23456);
    QCOMPARE(model.index(1, TowerTableModel::Loss).data(ColorIndexRole).toInt(), 1);
    QVERIFY(alignment(model, 0, TowerTableModel::Loss) & Qt::AlignRight);
    QVERIFY(alignment(model, 0, TowerTableModel::Device) & Qt::AlignLeft);
    QVERIFY(isAccessible(model));
}

void TestModels::Towers_figures_repaintOnlyTheirColumns()
{
    TowerTableModel model;
    model.setSeats({{QStringLiteral("cpu"), 1}, {QStringLiteral("cpu"), 1}});
    const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.setFigures({{1.0, 1.0}, {1.0, 1.0}});
    QCOMPARE(changes.size(), 1);
    QCOMPARE(resets.size(), 0);
    QCOMPARE(changes[0][0].toModelIndex(), model.index(0, TowerTableModel::Loss));
    QCOMPARE(changes[0][1].toModelIndex(), model.index(1, TowerTableModel::BusyRate));
}

void TestModels::Towers_notFinite_areShownAsSuch()
{
    TowerTableModel model;
    model.setSeats({{QStringLiteral("cpu"), 1}});
    model.setFigures({{std::nan(""), 1.0}});
    QVERIFY(shown(model, 0, TowerTableModel::Loss)
                .contains(QStringLiteral("nan"), Qt::CaseInsensitive));
}

void TestModels::Towers_figuresOfAnotherRun_areLeftOut()
{
    TowerTableModel model;
    model.setSeats({{QStringLiteral("cpu"), 1}, {QStringLiteral("cpu"), 1}});
    model.setFigures({{1.0, 1.0}});
    QVERIFY(!value(model, 0, TowerTableModel::Loss).isValid());
    model.setFigures({{1.0, 1.0}, {1.0, 1.0}});
    model.setSeats({{QStringLiteral("cpu"), 1}});
    QCOMPARE(model.rowCount(), 1);
    QVERIFY(!value(model, 0, TowerTableModel::Loss).isValid());
}

void TestModels::Checkpoints_inAnyOrder_areShownNewestFirst()
{
    CheckpointModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    const QDateTime time(QDate(2026, 11, 21), QTime(14, 5));
    model.setItems(
        {{1000, QStringLiteral("/r/step-1000.safetensors"), 8 << 20, time},
         {12000, QStringLiteral("/r/step-12000.safetensors"), 8 << 20, time.addSecs(60)},
         {0, QStringLiteral("/r/step-0.safetensors"), 8 << 20, time.addSecs(-60)}});
    QCOMPARE(shown(model, 0, CheckpointModel::Step), QStringLiteral("12,000"));
    QCOMPARE(shown(model, 2, CheckpointModel::Step), QStringLiteral("0"));
    QCOMPARE(shown(model, 1, CheckpointModel::File), QStringLiteral("step-1000.safetensors"));
    QCOMPARE(shown(model, 1, CheckpointModel::Size), QStringLiteral("8.0 MiB"));
    QCOMPARE(value(model, 1, CheckpointModel::Written).toDateTime(), time);
    QCOMPARE(
        model.index(1, 0).data(FileRole).toString(), QStringLiteral("/r/step-1000.safetensors"));
    QCOMPARE(model.item(0).step, 12000);
    QVERIFY(alignment(model, 0, CheckpointModel::Step) & Qt::AlignRight);
    QVERIFY(isAccessible(model));
}

void TestModels::Log_lines_keepOrderTimeAndLevel()
{
    LogModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    const QDateTime time(QDate(2026, 11, 21), QTime(14, 5, 7));
    model.append(QStringLiteral("begun"), false, time);
    model.append(QStringLiteral("the disk is full"), true, time.addSecs(3));
    QCOMPARE(shown(model, 0, LogModel::Time), QStringLiteral("14:05:07"));
    QCOMPARE(shown(model, 1, LogModel::Text), QStringLiteral("the disk is full"));
    QCOMPARE(model.index(0, 0).data(WarningRole).toBool(), false);
    QCOMPARE(model.index(1, 0).data(WarningRole).toBool(), true);
    QVERIFY(!model.index(1, 0).data(Qt::AccessibleDescriptionRole).toString().isEmpty());
    QCOMPARE(
        model.toPlainText(), QStringLiteral("2026-11-21T14:05:07 info begun\n"
                                            "2026-11-21T14:05:10 warning the disk is full\n"));
    QVERIFY(isAccessible(model));
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void TestModels::Log_full_dropsTheOldest()
{
    LogModel model;
    for (int i = 0; i < LogModel::kMostLines + 5; ++i) {
        model.append(QString::number(i), false);
    }
    QCOMPARE(model.rowCount(), LogModel::kMostLines);
    QCOMPARE(shown(model, 0, LogModel::Text), QStringLiteral("5"));
    QCOMPARE(
        shown(model, model.rowCount() - 1, LogModel::Text),
        QString::number(LogModel::kMostLines + 4));
}

void TestModels::Devices_thatAreMissing_areDisabledAndSayWhy()
{
    DeviceModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    DeviceRow cpu;
    cpu.name = QStringLiteral("cpu");
    cpu.description = QStringLiteral("A processor");
    cpu.processors = 2;
    cpu.memoryBytes = qint64{4} << 30;
    cpu.precisions = QStringList{QStringLiteral("float32"), QStringLiteral("bfloat16")};
    cpu.isAvailable = true;
    DeviceRow cuda;
    cuda.name = QStringLiteral("cuda");
    cuda.reason = QStringLiteral("there is no driver");
    model.setDevices({cpu, cuda});
    QCOMPARE(shown(model, 0, DeviceModel::Memory), QStringLiteral("4.0 GiB"));
    QCOMPARE(shown(model, 0, DeviceModel::Precisions), QStringLiteral("float32, bfloat16"));
    QCOMPARE(shown(model, 0, DeviceModel::Processors), QStringLiteral("2"));
    QCOMPARE(shown(model, 1, DeviceModel::Description), QStringLiteral("there is no driver"));
    QCOMPARE(shown(model, 1, DeviceModel::Memory), QString());
    QVERIFY(model.index(0, 0).flags() & Qt::ItemIsEnabled);
    QVERIFY(!(model.index(1, 0).flags() & Qt::ItemIsEnabled));
    QVERIFY(isAccessible(model));
}

QTEST_GUILESS_MAIN(TestModels)
#include "test_models.moc"
