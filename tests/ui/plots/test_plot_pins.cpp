// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/loss_plot.h"
#include "ui/shown_plot.h"

#include <cmath>

using namespace lockstep::ui;

namespace {

PlotPin pin(std::int64_t step, bool isKept = false, bool isBest = false)
{
    return {step, isKept, isBest, QString("%1 %").arg(step / 100), {}};
}

} // namespace

/// A chart of a run of 10,000 steps, with pins.
struct PinScene
{
    explicit PinScene(std::vector<PlotPin> list)
    {
        shown.plot.setShared({.pins = &pins});
        pins.setPins(std::move(list));
        shown.plot.show();
    }

    [[nodiscard]] PlotScale scale() const { return shown.plot.xScale(); }
    [[nodiscard]] QPoint onPin(const MarkerGroup& group) const
    {
        return QPointF(group.x, scale().area.top() - 5).toPoint();
    }

    SyntheticRun run{2, 128, 10'000};
    Shown<LossPlot> shown{run.series()};
    PinRow pins{shown.range};
};

/// The checkpoints of a run, as marks on its charts.
class TestPlotPins : public QObject
{
    Q_OBJECT

private slots:
    void init() { failOnOwnWarnings(); }

    void Pins_standWhereTheirStepIs_data()
    {
        QTest::addColumn<int>("axis");
        for (const XAxis axis : {XAxis::Step, XAxis::Epoch, XAxis::WallTime}) {
            QTest::addRow("%d", static_cast<int>(axis)) << static_cast<int>(axis);
        }
    }

    void Pins_standWhereTheirStepIs()
    {
        QFETCH(int, axis);
        PinScene scene({pin(2000), pin(7000)});
        scene.shown.range.setAxis(static_cast<XAxis>(axis));
        const auto groups = scene.pins.groups(scene.scale());
        QCOMPARE(groups.size(), 2U);
        // The state after 7000 updates is that of the end of step 6999.
        const Timeline& timeline = scene.run.series().steps().timeline();
        const double place = timeline.positionAt(static_cast<XAxis>(axis), 6999);
        QVERIFY(std::abs(groups[1].x - scene.scale().pixelX(place)) < 1.0);
        QVERIFY(groups[0].x < groups[1].x);
    }

    void Pins_outsideTheRange_areNotShown()
    {
        PinScene scene({pin(1000), pin(5000), pin(9000)});
        scene.shown.range.zoomTo(4000, 6000);
        const auto groups = scene.pins.groups(scene.scale());
        QCOMPARE(groups.size(), 1U);
        QCOMPARE(scene.pins.pins()[groups[0].members.front()].step, 5000);
    }

    void Pins_thatWouldTouch_shareAMarker()
    {
        PinScene scene({pin(1000), pin(1010, true), pin(1020), pin(8000)});
        const auto groups = scene.pins.groups(scene.scale());
        QCOMPARE(groups.size(), 2U);
        QCOMPARE(groups[0].members.size(), 3U);
        scene.shown.range.zoomTo(990, 1030); // and come apart when there is room
        QCOMPARE(scene.pins.groups(scene.scale()).size(), 3U);
    }

    void Pins_manyInARow_areNeverOneMarker()
    {
        std::vector<PlotPin> many;
        for (std::int64_t step = 0; step <= 10'000; step += 50) {
            many.push_back(pin(step));
        }
        PinScene scene(many);
        const auto groups = scene.pins.groups(scene.scale());
        QVERIFY(groups.size() > 30U);
        std::size_t next = 0; // every pin is in exactly one
        for (const MarkerGroup& group : groups) {
            QCOMPARE(group.members.front(), next);
            next += group.members.size();
        }
        QCOMPARE(next, many.size());
    }

    void Pin_kept_isFilled()
    {
        PinScene scene({pin(3000), pin(6000, true)});
        const QImage picture = scene.shown.picture();
        const auto groups = scene.pins.groups(scene.scale());
        const ThemeColors theme = themeColors(scene.shown.plot.palette());
        const auto colorAt = [&](const MarkerGroup& group) {
            return picture.pixelColor(
                static_cast<int>(group.x), static_cast<int>(scene.scale().area.top() - 5));
        };
        QCOMPARE(colorAt(groups[0]), theme.card);
        QCOMPARE(colorAt(groups[1]), theme.accent);
    }

    void Click_onAPin_asksWhatToDo()
    {
        PinScene scene({pin(3000), pin(6000), pin(6004)});
        QSignalSpy chosen(&scene.pins, &PinRow::chosen);
        const auto groups = scene.pins.groups(scene.scale());
        QTest::mouseClick(&scene.shown.plot, Qt::LeftButton, {}, scene.onPin(groups[1]));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<MarkerGroup>().members, std::vector<std::size_t>({1, 2}));
        QTest::mouseClick(&scene.shown.plot, Qt::RightButton, {}, scene.onPin(groups[0]));
        QCOMPARE(chosen.size(), 2);
        QCOMPARE(chosen[1][0].value<MarkerGroup>().members.front(), 0U);
    }

    void Click_besideAPin_dragsAsEver()
    {
        PinScene scene({pin(3000)});
        QSignalSpy chosen(&scene.pins, &PinRow::chosen);
        const double whole = scene.shown.range.last() - scene.shown.range.first();
        const QRectF area = scene.scale().area;
        scene.shown.drag(area.center().toPoint() - QPoint(200, 0), area.center().toPoint());
        QCOMPARE(chosen.size(), 0);
        QVERIFY(scene.shown.range.last() - scene.shown.range.first() < whole / 2);
    }

    void Keys_goFromPinToPin()
    {
        PinScene scene({pin(2000), pin(5000), pin(8000)});
        QSignalSpy chosen(&scene.pins, &PinRow::chosen);
        scene.shown.press(Qt::Key_Return);
        QCOMPARE(chosen.size(), 0); // at none yet
        scene.shown.press(Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(scene.pins.marked(), std::optional<std::size_t>(2));
        scene.shown.press(Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(scene.pins.marked(), std::optional<std::size_t>(1));
        scene.shown.press(Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<MarkerGroup>().members.front(), 1U);
        scene.shown.press(Qt::Key_Escape);
        QVERIFY(!scene.pins.marked());
    }

    void Card_tellsOfTheCheckpoint()
    {
        PlotPin best = pin(5000, false, true);
        best.facts = {{"size", "8 MiB"}};
        PinScene scene({pin(2000), pin(2010), best});
        const auto groups = scene.pins.groups(scene.scale());
        const HoverCard several = scene.pins.card(groups[0]);
        QCOMPARE(several.rows.size(), 2U);
        QCOMPARE(several.rows[1].value, "20 %");
        const HoverCard one = scene.pins.card(groups[1]);
        QVERIFY(one.title.contains("5"));
        QCOMPARE(one.rows[0].name, "size");
        const QImage before = scene.shown.picture();
        scene.shown.moveTo(scene.onPin(groups[1]));
        QCOMPARE(scene.pins.marked(), std::optional<std::size_t>(2));
        scene.shown.plot.setFocus(); // as under a real pointer
        QVERIFY(scene.shown.picture() != before);
        QVERIFY(!scene.shown.range.crossHair().row()); // one card is enough
        QVERIFY(scene.shown.plot.accessibleDescription().contains("Checkpoints of"));
    }
};
LOCKSTEP_TEST(TestPlotPins)
#include "test_plot_pins.moc"
