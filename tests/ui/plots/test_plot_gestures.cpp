// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/loss_plot.h"
#include "plots/charts/run_chart.h"
#include "plots/parts/color_menu.h"
#include "ui/shown_plot.h"

#include <cmath>
#include <set>

using namespace lockstep::ui;

class TestPlotGestures : public QObject
{
    Q_OBJECT

private slots:
    void init() { failOnOwnWarnings(); }

    void Zoom_beyondTheRun_fits()
    {
        SyntheticRun run(2, 128, 10'000);
        XRange range;
        range.setTimeline(&run.series().steps().timeline());
        const double whole = range.last();
        range.zoomTo(4'000, 5'000);
        range.zoom(3.0, 4'200);
        QCOMPARE(range.mode(), XRange::Mode::Fixed);
        range.zoom(20.0, 4'200);
        QCOMPARE(range.mode(), XRange::Mode::Fit); // and follows the run from now on
        QCOMPARE(range.first(), 0.0);
        QCOMPARE(range.last(), whole);
    }

    void Charts_twoOfThem_moveTogether()
    {
        SyntheticRun run(2, 128, 10'000);
        XRange range;
        LossPlot loss(range);
        PlotView throughput(range, throughputChart());
        range.setTimeline(&run.series().steps().timeline());
        for (PlotView* plot :
             {static_cast<PlotView*>(&loss), static_cast<PlotView*>(&throughput)}) {
            plot->resize(800, 300);
            plot->setRun(&run.series());
            plot->show();
        }
        const QPoint anchor(static_cast<int>(loss.scale().pixelX(4'000)), 150);
        const double before = loss.scale().positionAtPixel(anchor.x());
        QWheelEvent wheel(
            anchor, anchor, {}, QPoint(0, 120), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
            false);
        QApplication::sendEvent(&loss, &wheel);
        QVERIFY(range.last() - range.first() < 9'000);
        QVERIFY(std::abs(throughput.scale().positionAtPixel(anchor.x()) - before) < 1.0);
        QCOMPARE(range.mode(), XRange::Mode::Fixed);

        const PlotScale scale = loss.scale();
        const double first = scale.positionAtPixel(300);
        QTest::mousePress(&loss, Qt::LeftButton, {}, {300, 150});
        QTest::mouseMove(&loss, {400, 155});
        QTest::mouseMove(&loss, {500, 155});
        QTest::mouseRelease(&loss, Qt::LeftButton, {}, {500, 155});
        QVERIFY(std::abs(range.first() - first) < 2.0);
        QVERIFY(std::abs(range.last() - scale.positionAtPixel(500)) < 2.0);

        QTest::mouseMove(&loss, {420, 160});
        const PlotScale zoomed = loss.scale();
        QCOMPARE(*range.crossHair().row(), std::llround(zoomed.positionAtPixel(420)));

        QTest::mouseDClick(&loss, Qt::LeftButton, {}, {420, 160});
        QCOMPARE(range.mode(), XRange::Mode::Fit);
        QVERIFY(range.first() == 0.0 && range.last() >= 9'999);
    }

    void CrossHair_afterAnyZoom_isUnderThePointer()
    {
        SyntheticRun run(2, 128, 10'000);
        Shown<LossPlot> shown(run.series());
        shown.plot.show();
        const auto distance = [&](int x) {
            const auto row = shown.range.crossHair().row();
            return row ? std::abs(shown.plot.scale().pixelX(static_cast<double>(*row)) - x) : 1e9;
        };
        shown.drag({400, 450}, {900, 455});
        QVERIFY(distance(900) < 2.0);
        shown.press(Qt::Key_Plus);
        QVERIFY(distance(900) < 4.0);
        shown.press(Qt::Key_Backspace);
        QVERIFY(distance(900) < 2.0);
        QTest::mouseDClick(&shown.plot, Qt::LeftButton, {}, {900, 455});
        QVERIFY(distance(900) < 2.0);
        run.append(20'000); // the axis grows
        shown.range.dataChanged();
        QVERIFY(distance(900) < 2.0);
        // A step that was chosen by a key stays.
        shown.press(Qt::Key_Left);
        const auto chosen = shown.range.crossHair().row();
        shown.press(Qt::Key_Plus);
        QCOMPARE(shown.range.crossHair().row(), chosen);
    }

    void Highlight_byCurveOrKey_isOfThatTower()
    {
        SyntheticRun run(4, 128, 3'000);
        run.series().setSmoothing(0.9);
        Shown<LossPlot> shown;
        TowerHighlight highlight;
        shown.plot.setShared({.highlight = &highlight});
        shown.setRun(run.series());
        shown.plot.show();
        const QImage before = shown.picture();
        const PlotScale scale = shown.plot.scale();
        // Where tower 1 is far from the others.
        const auto pixelOf = [&](int tower, std::int64_t row) {
            const Series& series = run.series().steps().series(run.series().towerLoss(tower));
            return scale.pixelY(series.smoothedAt(row));
        };
        const auto room = [&](std::int64_t row) {
            const double mean =
                scale.pixelY(run.series().steps().series(RunSeries::kMeanLoss).smoothedAt(row));
            double least = std::abs(pixelOf(1, row) - mean);
            for (const int other : {0, 2, 3}) {
                least = std::min(least, std::abs(pixelOf(1, row) - pixelOf(other, row)));
            }
            return least;
        };
        std::int64_t row = 0;
        for (std::int64_t each = 5; each < 2'900; ++each) {
            row = room(each) > room(row) ? each : row;
        }
        QVERIFY(room(row) > 4.0);
        const QPointF there(scale.pixelX(static_cast<double>(row)), pixelOf(1, row));
        shown.moveTo(there);
        QCOMPARE(highlight.tower().value_or(-1), 1);
        QCOMPARE(shown.plot.scale().top, scale.top); // nothing moves
        shown.moveTo({800, 880});
        QVERIFY(!highlight.tower());
        // The part of the towers' key that has its colour.
        const QRectF title = shown.plot.room().titleLine();
        std::set<int> pointed;
        for (double x = title.center().x(); x < title.right(); x += 1.0) {
            shown.moveTo({x, title.center().y()});
            pointed.insert(highlight.tower().value_or(-1));
        }
        QCOMPARE(pointed, (std::set<int>{-1, 0, 1, 2, 3}));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&shown.plot, &leave);
        QCOMPARE(shown.picture(), before);
    }

    void Key_withTheRightButton_choosesTheColour()
    {
        SyntheticRun run(4, 128, 1'000);
        Shown<LossPlot> shown(run.series());
        shown.plot.show();
        const QImage before = shown.picture();
        const QRectF title = shown.plot.room().titleLine();
        double x = title.center().x();
        const ColorOwner last{ColorOwner::Kind::Tower, 3};
        while (x < title.right() && shown.plot.legend().ownerAt({x, title.center().y()}) != last) {
            x += 1.0;
        }
        const QPoint point = QPointF(x + 2.0, title.center().y()).toPoint();
        QContextMenuEvent click(QContextMenuEvent::Mouse, point, shown.plot.mapToGlobal(point));
        QApplication::sendEvent(&shown.plot, &click);
        auto* const menu = shown.plot.findChild<QMenu*>("color_menu");
        QVERIFY(menu != nullptr);
        QVERIFY(!menu->actions().last()->isEnabled()); // it is the usual one
        menu->actions().first()->trigger();
        auto* const dialog = shown.plot.findChild<QColorDialog*>("color_dialog");
        QVERIFY(dialog != nullptr && !dialog->isModal());
        const QColor pink(255, 0, 160);
        dialog->setCurrentColor(pink);
        dialog->accept();
        QCOMPARE(chosenColor(last), std::optional(pink));
        QVERIFY(shown.picture() != before);
        const ThemeColors theme = themeColors(lightPalette());
        QCOMPARE(towerColor(3, theme), pink);
        QCOMPARE(curveColor(shown.plot.curves()[4], theme), pink);
        QVERIFY(overlayColor(4, theme) != pink); // usually that of tower 3
        chooseColor(last, std::nullopt);
        tellOfColors();
        QCOMPARE(shown.picture(), before);
    }

    void Keys_only_zoomPanInspectAndFit()
    {
        SyntheticRun run(2, 128, 1'000);
        Shown<LossPlot> shown(run.series());
        const double width = shown.range.last() - shown.range.first();
        shown.press(Qt::Key_Plus);
        QVERIFY(shown.range.last() - shown.range.first() < width);
        const double first = shown.range.first();
        shown.press(Qt::Key_PageDown);
        QVERIFY(shown.range.first() > first);
        shown.press(Qt::Key_Left);
        QCOMPARE(*shown.range.crossHair().row(), 999);
        shown.press(Qt::Key_Left);
        QCOMPARE(*shown.range.crossHair().row(), 998);
        shown.press(Qt::Key_Escape);
        QVERIFY(!shown.range.crossHair().row());
        shown.press(Qt::Key_L);
        QVERIFY(shown.plot.isLogarithmic());
        shown.press(Qt::Key_End);
        QCOMPARE(shown.range.mode(), XRange::Mode::Follow);
        QCOMPARE(shown.range.last(), 999.0);
        shown.press(Qt::Key_Home);
        QCOMPARE(shown.range.mode(), XRange::Mode::Fit);
    }

    void Follow_stepsArrive_keepsWidthAndShowsTheNewest()
    {
        SyntheticRun run(2, 128, 1'000);
        Shown<LossPlot> shown(run.series());
        shown.range.zoomTo(100, 300);
        shown.range.dataChanged();
        QCOMPARE(shown.range.last(), 300.0);
        shown.range.follow();
        run.append(500);
        shown.range.dataChanged();
        QCOMPARE(shown.range.last(), 1'499.0);
        QCOMPARE(shown.range.last() - shown.range.first(), 200.0);
    }

    void History_backAndForward_showsWhatWasShown()
    {
        SyntheticRun run(2, 128, 10'000);
        Shown<LossPlot> shown(run.series());
        XRange& range = shown.range;
        const PlotScale whole = shown.plot.scale();
        range.zoomTo(2'000, 4'000);
        range.zoomValues(shown.plot, {1.0, 2.0});
        range.zoomTo(2'500, 3'000);
        shown.press(Qt::Key_Backspace);
        QCOMPARE(range.first(), 2'000.0);
        QCOMPARE(shown.plot.scale().top, 2.0);
        shown.press(Qt::Key_Backspace);
        QCOMPARE(range.last(), 4'000.0);
        QVERIFY(!range.yRange(shown.plot));
        shown.press(Qt::Key_Backspace);
        QCOMPARE(range.mode(), XRange::Mode::Fit); // grows again with the run
        QCOMPARE(shown.plot.scale().top, whole.top);
        QVERIFY(!range.canTurn(XRange::Turn::Back));
        shown.press(Qt::Key_Backspace, Qt::ShiftModifier);
        QTest::mouseClick(&shown.plot, Qt::ForwardButton, {}, {400, 300});
        QTest::mouseClick(&shown.plot, Qt::ForwardButton, {}, {400, 300});
        QCOMPARE(range.first(), 2'500.0);
        QVERIFY(!range.canTurn(XRange::Turn::Forward));
        QTest::mouseClick(&shown.plot, Qt::BackButton, {}, {400, 300});
        QCOMPARE(range.first(), 2'000.0);
        range.zoomTo(100, 200); // what lay ahead is gone
        QVERIFY(!range.canTurn(XRange::Turn::Forward));
        range.fit();
        range.turn(XRange::Turn::Back); // a fit can be taken back, too
        QCOMPARE(range.first(), 100.0);
    }

    void History_turnsOfTheWheel_areOneStep()
    {
        SyntheticRun run(2, 128, 10'000);
        Shown<LossPlot> shown(run.series());
        const double whole = shown.range.last();
        for (int turn = 0; turn < 5; ++turn) {
            shown.range.zoom(0.8, 5'000);
        }
        QVERIFY(shown.range.last() < 0.8 * whole);
        shown.range.turn(XRange::Turn::Back);
        QCOMPARE(shown.range.last(), whole);
        QVERIFY(!shown.range.canTurn(XRange::Turn::Back));
    }

    void Drag_withShift_choosesValuesOnly()
    {
        SyntheticRun run(2, 128, 10'000);
        Shown<LossPlot> shown(run.series());
        shown.plot.show();
        const PlotScale before = shown.plot.scale();
        shown.drag({400, 300}, {460, 500}, Qt::ShiftModifier);
        const PlotScale after = shown.plot.scale();
        QCOMPARE(after.first, before.first);
        QCOMPARE(after.last, before.last);
        QVERIFY(std::abs(after.top - before.valueAtPixel(300)) < 0.02);
        QVERIFY(std::abs(after.bottom - before.valueAtPixel(500)) < 0.02);
        QVERIFY(shown.plot.summary().contains("part of the values only"));
        shown.plot.setLogarithmic(true); // still above 0
        QCOMPARE(shown.plot.scale().top, after.top);
    }

    void LogarithmicX_zoomsAndPansByDecades()
    {
        SyntheticRun run(2, 128, 100'000);
        Shown<LossPlot> shown(run.series());
        XRange& range = shown.range;
        range.setLogarithmic(true);
        QCOMPARE(range.first(), 1.0); // step 0 has no place
        QVERIFY(range.last() >= 99'999 && range.last() < 115'000);
        const PlotScale scale = shown.plot.scale();
        const double decade = scale.pixelX(100) - scale.pixelX(10);
        QVERIFY(std::abs(scale.pixelX(10'000) - scale.pixelX(1'000) - decade) < 1e-6);
        QVERIFY(std::abs(scale.positionAtPixel(scale.pixelX(777)) - 777) < 1e-6);
        range.zoomTo(10, 1'000);
        range.zoom(0.5, 100);
        QVERIFY(std::abs(range.first() - std::sqrt(1'000.0)) < 1e-6);
        QVERIFY(std::abs(range.last() - std::sqrt(100'000.0)) < 1e-6);
        range.pan(1.0);
        QVERIFY(std::abs(range.first() - std::sqrt(100'000.0)) < 1e-6);
        QVERIFY(shown.plot.summary().contains("1 step at 0 not on the log axis"));
    }

    void LogarithmicX_allAxes_beginAboveZero()
    {
        SyntheticRun run(2, 128, 1'000);
        Shown<LossPlot> shown(run.series());
        shown.range.setLogarithmic(true);
        const Timeline& timeline = run.series().steps().timeline();
        for (const XAxis axis : {XAxis::Examples, XAxis::WallTime, XAxis::Epoch, XAxis::Step}) {
            shown.range.setAxis(axis);
            const std::int64_t row = timeline.positionAt(axis, 0) > 0.0 ? 0 : 1;
            QCOMPARE(shown.range.first(), timeline.positionAt(axis, row));
            QVERIFY(shown.range.last() >= timeline.positionAt(axis, 999));
            QVERIFY(!shown.picture().isNull());
        }
    }

    void Title_doubleClicked_asksForAllTheRoom()
    {
        SyntheticRun run(2, 128, 100);
        Shown<LossPlot> shown(run.series());
        shown.range.zoomTo(10, 50);
        QSignalSpy asked(&shown.plot, &PlotView::maximizeRequested);
        QTest::mouseDClick(
            &shown.plot, Qt::LeftButton, {}, shown.plot.room().titleLine().center().toPoint());
        QCOMPARE(asked.size(), 1);
        QCOMPARE(shown.range.first(), 10.0); // and nothing else
        shown.press(Qt::Key_M);
        QCOMPARE(asked.size(), 2);
    }

    void Axis_changed_showsTheSameRows()
    {
        SyntheticRun run(2, 128, 5'000);
        Shown<LossPlot> shown(run.series());
        shown.range.zoomTo(1'000, 2'000);
        const Timeline& timeline = run.series().steps().timeline();
        for (const XAxis axis : {XAxis::WallTime, XAxis::Examples, XAxis::Epoch, XAxis::Step}) {
            shown.range.setAxis(axis);
            QCOMPARE(timeline.firstRowFrom(axis, shown.range.first()), 1'000);
            QCOMPARE(timeline.firstRowFrom(axis, shown.range.last()), 2'000);
        }
    }
};

LOCKSTEP_TEST(TestPlotGestures)
#include "test_plot_gestures.moc"
