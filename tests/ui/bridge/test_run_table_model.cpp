// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/runs/run_table_model.h"
#include "support/lockstep_test.h"

#include <limits>

using namespace lockstep::ui;

namespace {

RunRow rowOf(const char* name, std::optional<double> loss = std::nullopt)
{
    RunRow row;
    row.name = QString::fromLatin1(name);
    row.folder = "/runs/" + row.name;
    row.stage = RunStage::Finished;
    row.model = "cifar10";
    row.dataset = "synthetic";
    row.towers = 2;
    row.batchPerTower = 64;
    row.stepsDone = 1200;
    row.stepsWanted = 1200;
    row.lastLoss = loss;
    return row;
}

/// Row by row.
QStringList namesOf(const QAbstractItemModel& model)
{
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row) {
        names.append(model.index(row, RunTableModel::Name).data().toString());
    }
    return names;
}

} // namespace

class TestRunTableModel : public QObject
{
    Q_OBJECT

private slots:
    void Row_changed_staysInItsPlace()
    {
        RunTableModel model;
        for (const char* const name : {"a", "b", "c"}) {
            model.setRow(rowOf(name));
        }
        RunRow grown = rowOf("b");
        grown.stepsDone = 7;
        model.setRow(grown);
        QCOMPARE(namesOf(model), QStringList({"a", "b", "c"}));
        QCOMPARE(model.index(1, RunTableModel::Steps).data().toString(), "7 of 1,200");
        model.keepOnly({"/runs/c", "/runs/a"});
        QCOMPARE(namesOf(model), QStringList({"a", "c"}));
    }

    void State_each_saysHowFarTheRunCame()
    {
        RunTableModel model;
        const auto stateOf = [&](RunStage stage, qint64 process = 0) {
            RunRow row = rowOf("a");
            row.stage = stage;
            row.process = process;
            model.setRow(row);
            return model.index(0, RunTableModel::State).data().toString();
        };
        QCOMPARE(stateOf(RunStage::New), "No step yet");
        QCOMPARE(stateOf(RunStage::Finished), "Finished");
        QCOMPARE(stateOf(RunStage::Stopped), "Stopped at step 1,200");
        QCOMPARE(stateOf(RunStage::Failed), "Ended by an error at step 1,200");
        QVERIFY(model.index(0, RunTableModel::State).data(WarningRole).toBool());
        QCOMPARE(stateOf(RunStage::EndedUnexpectedly), "Ended unexpectedly at step 1,200");
        QCOMPARE(stateOf(RunStage::Training, 1), "Training, process 1");
        QVERIFY(!model.index(0, RunTableModel::State).data(WarningRole).toBool());
        QCOMPARE(stateOf(RunStage::Training, QCoreApplication::applicationPid()), "Training here");
    }

    void Sort_figuresThatAreUnknown_comeLastEitherWay()
    {
        RunTableModel model;
        RunFilterModel sorted(model);
        model.setRow(rowOf("none"));
        model.setRow(rowOf("high", 10.0));
        model.setRow(rowOf("low", 9.5)); // as texts, 10 would come before 9.5
        model.setRow(rowOf("nan", std::numeric_limits<double>::quiet_NaN()));
        sorted.sort(RunTableModel::LastLoss, Qt::AscendingOrder);
        QCOMPARE(namesOf(sorted).mid(0, 2), QStringList({"low", "high"}));
        sorted.sort(RunTableModel::LastLoss, Qt::DescendingOrder);
        QCOMPARE(namesOf(sorted).mid(0, 2), QStringList({"high", "low"}));
    }

    void Sort_byAnyColumn_ordersByValue()
    {
        RunRow small = rowOf("a", 1.0);
        RunRow large = rowOf("B", 2.0);
        small.lowestLoss = 0.5;
        large.lowestLoss = 0.75;
        small.lastAccuracy = small.bestAccuracy = 0.09;
        large.lastAccuracy = large.bestAccuracy = 0.1;
        small.examplesPerSecond = 999.0;
        large.examplesPerSecond = 1000.0;
        small.stepsDone = 99;
        large.towers = 16;
        small.learningRate = 0.05;
        large.learningRate = 0.1;
        small.optimizer = "adam";
        large.optimizer = "sgd";
        small.precision = "bfloat16";
        large.precision = "float32";
        large.model = "small";
        large.dataset = "zebra";
        large.stage = RunStage::Stopped;
        small.started = QDateTime(QDate(2025, 12, 31), QTime(1, 0));
        large.started = QDateTime(QDate(2026, 1, 1), QTime(1, 0));
        RunTableModel model;
        RunFilterModel sorted(model);
        model.setRow(large);
        model.setRow(small);
        for (int column = 0; column < RunTableModel::ColumnCount; ++column) {
            sorted.sort(column, Qt::AscendingOrder);
            QVERIFY2(
                namesOf(sorted).front() == QLatin1String("a"), qPrintable(QString::number(column)));
            sorted.sort(column, Qt::DescendingOrder);
            QVERIFY2(
                namesOf(sorted).front() == QLatin1String("B"), qPrintable(QString::number(column)));
        }
    }

    void Filter_words_allHaveToOccur()
    {
        RunTableModel model;
        RunFilterModel filtered(model);
        RunRow stopped = rowOf("first");
        stopped.stage = RunStage::Stopped;
        model.setRow(stopped);
        model.setRow(rowOf("second"));
        const auto found = [&](const char* words) {
            filtered.setFilter({QString(words).split(' ', Qt::SkipEmptyParts)});
            return namesOf(filtered);
        };
        QCOMPARE(found(""), QStringList({"first", "second"}));
        QCOMPARE(found("SECOND"), QStringList({"second"}));
        QCOMPARE(found("stopped"), QStringList({"first"}));
        QCOMPARE(found("cifar synth first"), QStringList({"first"}));
        QCOMPARE(found("first second"), QStringList());
        QCOMPARE(found("1,200 of"), QStringList()); // figures are not searched
    }

    void Check_ofARow_asksForItsOverlay()
    {
        RunTableModel model;
        model.setRow(rowOf("a"));
        model.setRow(rowOf("b"));
        const QSignalSpy wanted(&model, &RunTableModel::overlayWanted);
        const QModelIndex name = model.index(1, RunTableModel::Name);
        QVERIFY(name.flags().testFlag(Qt::ItemIsUserCheckable));
        QVERIFY(model.setData(name, Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toString(), "/runs/b");
        QCOMPARE(wanted[0][1].toBool(), true);
        // It is for the overlays to say whether that came about.
        QCOMPARE(name.data(Qt::CheckStateRole).toInt(), int{Qt::Unchecked});
        model.setOverlays({{"/runs/b", 3}});
        QCOMPARE(name.data(Qt::CheckStateRole).toInt(), int{Qt::Checked});
        QCOMPARE(name.data(ColorIndexRole).toInt(), 3);
        QCOMPARE(model.index(0, RunTableModel::Name).data(ColorIndexRole).toInt(), -1);
    }

    void Unreadable_saysWhy_andCannotBeChecked()
    {
        RunRow row;
        row.folder = "/runs/broken";
        row.name = "broken";
        row.stage = RunStage::Unreadable;
        row.problem = "run.db: damaged";
        RunTableModel model;
        model.setRow(row);
        QCOMPARE(model.index(0, RunTableModel::State).data().toString(), row.problem);
        QVERIFY(model.index(0, RunTableModel::State).data(WarningRole).toBool());
        const QModelIndex name = model.index(0, RunTableModel::Name);
        QVERIFY(!name.flags().testFlag(Qt::ItemIsUserCheckable));
        QVERIFY(!name.data(Qt::CheckStateRole).isValid());
        for (int column = RunTableModel::Steps; column < RunTableModel::ColumnCount; ++column) {
            QCOMPARE(model.index(0, column).data().toString(), QString());
        }
    }
};
LOCKSTEP_TEST(TestRunTableModel)
#include "test_run_table_model.moc"
