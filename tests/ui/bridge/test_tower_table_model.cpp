// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures/tower_table_model.h"
#include "support/lockstep_test.h"
#include "ui/model_cells.h"

#include <cmath>

using namespace lockstep::ui;
using Mode = QAbstractItemModelTester::FailureReportingMode;

class TestTowerTableModel : public QObject
{
    Q_OBJECT

private slots:
    void Towers_withFigures_showThemWithUnits()
    {
        TowerTableModel model;
        const QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.setSeats({{"cpu", 3 << 20}, {"cpu", 1536}});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(shown(model, 0, TowerTableModel::Loss), "–");
        QVERIFY(!value(model, 0, TowerTableModel::Loss).isValid());
        model.setFigures({{1.23456, 12345.6}, {0.5, 99.5}});
        QCOMPARE(shown(model, 0, TowerTableModel::Tower), "0");
        QCOMPARE(shown(model, 1, TowerTableModel::Device), "CPU");
        QCOMPARE(shown(model, 0, TowerTableModel::Loss), "1.2346");
        QCOMPARE(shown(model, 0, TowerTableModel::Rate), "12,346");
        QCOMPARE(shown(model, 0, TowerTableModel::Memory), "3.0 MiB");
        QCOMPARE(shown(model, 1, TowerTableModel::Memory), "1.5 KiB");
        QCOMPARE(value(model, 0, TowerTableModel::Loss).toDouble(), 1.23456);
        QCOMPARE(model.index(1, TowerTableModel::Loss).data(ColorIndexRole).toInt(), 1);
        QVERIFY(alignment(model, 0, TowerTableModel::Loss) & Qt::AlignRight);
        QVERIFY(alignment(model, 0, TowerTableModel::Device) & Qt::AlignLeft);
        QVERIFY(isAccessible(model));
    }

    void Towers_figures_repaintOnlyTheirColumns()
    {
        TowerTableModel model;
        model.setSeats({{"cpu", 1}, {"cpu", 1}});
        const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        model.setFigures({{1.0, 1.0}, {1.0, 1.0}});
        QCOMPARE(changes.size(), 1);
        QCOMPARE(resets.size(), 0);
        QCOMPARE(changes[0][0].toModelIndex(), model.index(0, TowerTableModel::Loss));
        QCOMPARE(changes[0][1].toModelIndex(), model.index(1, TowerTableModel::Rate));
    }

    void Towers_notFinite_areShownAsSuch()
    {
        TowerTableModel model;
        model.setSeats({{"cpu", 1}});
        model.setFigures({{std::nan(""), 1.0}});
        QVERIFY(shown(model, 0, TowerTableModel::Loss).contains("nan", Qt::CaseInsensitive));
    }

    void Towers_rateThatNoDeviceTells_isUnknown()
    {
        TowerTableModel model;
        model.setSeats({{"cuda:0", 1}});
        model.setFigures({{1.0, std::nullopt}});
        QVERIFY(!value(model, 0, TowerTableModel::Rate).isValid());
        QCOMPARE(shown(model, 0, TowerTableModel::Rate), "–");
    }

    void Towers_figuresOfAnotherRun_areLeftOut()
    {
        TowerTableModel model;
        model.setSeats({{"cpu", 1}, {"cpu", 1}});
        model.setFigures({{1.0, 1.0}});
        QVERIFY(!value(model, 0, TowerTableModel::Loss).isValid());
        model.setFigures({{1.0, 1.0}, {1.0, 1.0}});
        model.setSeats({{"cpu", 1}});
        QCOMPARE(model.rowCount(), 1);
        QVERIFY(!value(model, 0, TowerTableModel::Loss).isValid());
    }

    void Towers_deviceThatTells_getsColumns()
    {
        using Model = TowerTableModel;
        Model model;
        const QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.setSeats({{"cuda:0", 1}, {"cuda:1", 1}, {"cuda:1", 1}});
        QCOMPARE(model.columnCount(), int{Model::AlwaysThere});
        QCOMPARE(model.placeOf(Model::Load), -1);
        model.setDevice({"cuda:1", 71LL << 30, 140LL << 30, 0.984, 64.4, 412.4, {}});
        QCOMPARE(model.columnCount(), Model::AlwaysThere + 4);
        for (const int row : {1, 2}) {
            QCOMPARE(shown(model, row, Model::DeviceMemory), "71.0 GiB");
            QCOMPARE(shown(model, row, Model::Load), "98 %");
            QCOMPARE(shown(model, row, Model::Temperature), "64 °C");
            QCOMPARE(shown(model, row, Model::Power), "412 W");
        }
        QCOMPARE(value(model, 1, Model::Load).toDouble(), 0.984);
        QCOMPARE(shown(model, 0, Model::Load), "–"); // of cuda:0 nothing is known
        QCOMPARE(
            model.index(1, Model::DeviceMemory).data(Qt::ToolTipRole).toString(),
            "GPU 1: 71.0 GiB of 140.0 GiB are in use");
        QVERIFY(alignment(model, 1, Model::Power) & Qt::AlignRight);
        QVERIFY(isAccessible(model));

        const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.setDevice({"cuda:0", 1 << 30, -1, 0.5, 50.0, 300.0, {}});
        QCOMPARE(changes.size(), 1);
        QCOMPARE(shown(model, 0, Model::Temperature), "50 °C");
        QCOMPARE(shown(model, 1, Model::Temperature), "64 °C");
    }

    void Towers_valueThatNoDeviceTells_hasNoColumn()
    {
        using Model = TowerTableModel;
        Model model;
        const QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.setSeats({{"cuda:0", 1}});
        DeviceFigures figures;
        figures.device = "cuda:0";
        model.setDevice(figures);
        QCOMPARE(model.columnCount(), int{Model::AlwaysThere});
        figures.powerWatts = 0.0; // which is known
        model.setDevice(figures);
        QCOMPARE(model.columnCount(), Model::AlwaysThere + 1);
        QCOMPARE(model.placeOf(Model::Power), int{Model::AlwaysThere});
        QCOMPARE(shown(model, 0, Model::AlwaysThere), "0 W");
        figures.load = 1.0;
        model.setDevice(figures);
        QCOMPARE(model.placeOf(Model::Load), int{Model::AlwaysThere}); // before the power
        QCOMPARE(model.placeOf(Model::Power), Model::AlwaysThere + 1);
        figures.load = -1.0; // for a moment
        model.setDevice(figures);
        QCOMPARE(shown(model, 0, model.placeOf(Model::Load)), "–");
    }

    void Towers_throttledDevice_saysWhy()
    {
        using Model = TowerTableModel;
        Model model;
        const QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.setSeats({{"cuda:0", 1}});
        DeviceFigures figures;
        figures.device = "cuda:0";
        figures.temperature = 90.0;
        figures.throttleReason = "power limit, too hot";
        model.setDevice(figures);
        const int place = model.placeOf(Model::SlowedBy);
        QCOMPARE(place, Model::AlwaysThere + 1);
        QCOMPARE(shown(model, 0, place), "power limit …");
        QCOMPARE(
            model.index(0, model.placeOf(Model::Temperature)).data(Qt::ToolTipRole).toString(),
            "GPU 0 is slowed by: power limit, too hot");
        figures.throttleReason.clear();
        model.setDevice(figures);
        QCOMPARE(shown(model, 0, place), "–");
        QVERIFY(model.index(0, place).data(Qt::ToolTipRole).toString().isEmpty());
    }

    void Towers_devicesOfAnotherRun_areLeftOut()
    {
        using Model = TowerTableModel;
        Model model;
        const QAbstractItemModelTester tester(&model, Mode::QtTest);
        const DeviceFigures figures{"cuda:0", 1, 2, 0.5, 50.0, 300.0, {}};
        model.setDevice(figures); // no run at all
        QCOMPARE(model.columnCount(), int{Model::AlwaysThere});
        model.setSeats({{"cuda:0", 1}});
        model.setDevice(figures);
        QVERIFY(model.columnCount() > Model::AlwaysThere);
        model.setSeats({{"cpu", 1}});
        QCOMPARE(model.columnCount(), int{Model::AlwaysThere});
        model.setDevice(figures);
        QCOMPARE(model.columnCount(), int{Model::AlwaysThere});
    }
};
LOCKSTEP_TEST(TestTowerTableModel)
#include "test_tower_table_model.moc"
