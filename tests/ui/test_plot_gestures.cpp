// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/loss_plot.h"
#include "plots/throughput_plot.h"
#include "ui/shown_plot.h"
#include "ui/synthetic_run.h"

#include <QTest>
#include <QWheelEvent>

#include <cmath>

using namespace lockstep::ui;

class TestPlotGestures : public QObject
{
    Q_OBJECT

private slots:
    void init() { failOnOwnWarnings(); }

    void Zoom_beyondTheRun_fits()
    {
        SyntheticRun run(2, 128);
        run.append(10'000);
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
        SyntheticRun run(2, 128);
        run.append(10'000);
        XRange range;
        LossPlot loss(range);
        ThroughputPlot throughput(range);
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
        QCOMPARE(*range.cursor(), std::llround(zoomed.positionAtPixel(420)));

        QTest::mouseDClick(&loss, Qt::LeftButton, {}, {420, 160});
        QCOMPARE(range.mode(), XRange::Mode::Fit);
        QVERIFY(range.first() == 0.0 && range.last() >= 9'999);
    }

    void Keys_only_zoomPanInspectAndFit()
    {
        SyntheticRun run(2, 128);
        run.append(1'000);
        Shown<LossPlot> shown;
        shown.setRun(run.series());
        const double width = shown.range.last() - shown.range.first();
        QTest::keyClick(&shown.plot, Qt::Key_Plus);
        QVERIFY(shown.range.last() - shown.range.first() < width);
        const double first = shown.range.first();
        QTest::keyClick(&shown.plot, Qt::Key_PageDown);
        QVERIFY(shown.range.first() > first);
        QTest::keyClick(&shown.plot, Qt::Key_Left);
        QCOMPARE(*shown.range.cursor(), 999);
        QTest::keyClick(&shown.plot, Qt::Key_Left);
        QCOMPARE(*shown.range.cursor(), 998);
        QTest::keyClick(&shown.plot, Qt::Key_Escape);
        QVERIFY(!shown.range.cursor());
        QTest::keyClick(&shown.plot, Qt::Key_L);
        QVERIFY(shown.plot.isLogarithmic());
        QTest::keyClick(&shown.plot, Qt::Key_End);
        QCOMPARE(shown.range.mode(), XRange::Mode::Follow);
        QCOMPARE(shown.range.last(), 999.0);
        QTest::keyClick(&shown.plot, Qt::Key_Home);
        QCOMPARE(shown.range.mode(), XRange::Mode::Fit);
    }

    void Follow_stepsArrive_keepsWidthAndShowsTheNewest()
    {
        SyntheticRun run(2, 128);
        run.append(1'000);
        Shown<LossPlot> shown;
        shown.setRun(run.series());
        shown.range.zoomTo(100, 300);
        shown.range.dataChanged();
        QCOMPARE(shown.range.last(), 300.0);
        shown.range.follow();
        run.append(500);
        shown.range.dataChanged();
        QCOMPARE(shown.range.last(), 1'499.0);
        QCOMPARE(shown.range.last() - shown.range.first(), 200.0);
    }

    void Axis_changed_showsTheSameRows()
    {
        SyntheticRun run(2, 128);
        run.append(5'000);
        Shown<LossPlot> shown;
        shown.setRun(run.series());
        shown.range.zoomTo(1'000, 2'000);
        const Timeline& timeline = run.series().steps().timeline();
        for (const XAxis axis : {XAxis::WallTime, XAxis::Epoch, XAxis::Step}) {
            shown.range.setAxis(axis);
            QCOMPARE(timeline.firstRowFrom(axis, shown.range.first()), 1'000);
            QCOMPARE(timeline.firstRowFrom(axis, shown.range.last()), 2'000);
        }
    }
};

QTEST_MAIN(TestPlotGestures)
#include "test_plot_gestures.moc"
