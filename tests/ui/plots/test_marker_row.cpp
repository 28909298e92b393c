// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/loss_plot.h"
#include "plots/rows/marker_row.h"
#include "ui/shown_plot.h"

#include <cmath>
#include <set>

using namespace lockstep::ui;

namespace {

using Kind = PlotMarker::Kind;

PlotMarker marker(Kind kind, std::int64_t updates)
{
    return {kind, updates, QString("kind %1").arg(static_cast<int>(kind)), {}};
}

/// A chart of a run of 10,000 steps, with markers.
struct MarkerScene
{
    explicit MarkerScene(std::vector<PlotMarker> list)
    {
        shown.plot.setShared({.markers = &markers});
        markers.setMarkers(std::move(list));
        shown.plot.show();
    }
    [[nodiscard]] PlotScale scale() const { return shown.plot.xScale(); }

    SyntheticRun run{2, 128, 10'000};
    Shown<LossPlot> shown{run.series()};
    MarkerRow markers{shown.range};
};

} // namespace

/// What happened in a run, on the x axis of its charts.
class TestMarkerRow : public QObject
{
    Q_OBJECT

private slots:
    void init() { failOnOwnWarnings(); }

    void Groups_ofACrowd_neverTouchAndLoseNone()
    {
        std::vector<PlotMarker> crowd;
        for (int i = 0; i < 2'000; ++i) {
            crowd.push_back(marker(i % 97 == 0 ? Kind::LearningRate : Kind::Evaluation, 5 * i));
        }
        MarkerScene scene(crowd);
        for (const double width : {10'000.0, 1'000.0, 300.0}) {
            scene.shown.range.zoomTo(2'000, 2'000 + width);
            const PlotScale scale = scene.scale();
            std::set<std::size_t> members;
            double before = -1e9;
            for (const MarkerGroup& group : scene.markers.groups(scale)) {
                QVERIFY(group.x - before >= 12.9);
                before = group.x;
                members.insert(group.members.begin(), group.members.end());
            }
            std::set<std::size_t> visible;
            for (std::size_t i = 0; i < crowd.size(); ++i) {
                const double x = scale.pixelX(static_cast<double>(crowd[i].updates));
                if (x >= scale.area.left() - 0.5 && x <= scale.area.right() + 0.5) {
                    visible.insert(i);
                }
            }
            QVERIFY(members == visible);
        }
    }

    void Groups_ofACrowd_showTheImportantOnes()
    {
        std::vector<PlotMarker> crowd;
        for (int i = 0; i < 1'000; ++i) {
            crowd.push_back(marker(Kind::Evaluation, 10 * i));
        }
        crowd.push_back(marker(Kind::Branch, 5'003));
        crowd.push_back(marker(Kind::LearningRate, 5'002));
        crowd.push_back(marker(Kind::Fault, 5'004));
        MarkerScene scene(crowd);
        for (const MarkerGroup& group : scene.markers.groups(scene.scale())) {
            const Kind drawn = scene.markers.markers()[group.members.front()].kind;
            for (const std::size_t member : group.members) {
                QVERIFY(drawn <= scene.markers.markers()[member].kind);
            }
        }
        const auto group = scene.markers.groupAt(
            scene.scale(), {scene.scale().pixelX(5'004), scene.scale().area.bottom()});
        QVERIFY(group && scene.markers.markers()[group->members.front()].kind == Kind::Fault);
        const HoverCard card = scene.markers.card(*group);
        QVERIFY(card.title.contains("kind 0"));
        QVERIFY(card.rows.size() >= 2);
        QVERIFY(scene.markers.summary().contains("kind 1"));
        QVERIFY(!scene.markers.summary().contains("kind 3")); // a thousand of them
    }

    void Marker_standsWhereItHappened()
    {
        MarkerScene scene({marker(Kind::LearningRate, 7'000)});
        for (const XAxis axis : {XAxis::Step, XAxis::Epoch, XAxis::Examples, XAxis::WallTime}) {
            scene.shown.range.setAxis(axis);
            for (const bool isLogarithmic : {false, true}) {
                scene.shown.range.setLogarithmic(isLogarithmic);
                const PlotScale scale = scene.scale();
                const double x = scene.markers.groups(scale).at(0).x;
                // The state after 7,000 updates is that of the end of step 6,999.
                const double place = scene.run.series().steps().timeline().positionAt(axis, 6'999);
                QVERIFY(std::abs(x - scale.pixelX(place)) < 1.0);
                const QImage image = scene.shown.picture();
                const QColor accent = themeColors(lightPalette()).accent;
                QCOMPARE(
                    image.pixelColor(QPointF(std::floor(x), scale.area.bottom()).toPoint()).rgb(),
                    accent.rgb());
            }
        }
    }

    void Marker_underThePointer_tells()
    {
        MarkerScene scene({marker(Kind::Fault, 4'000)});
        const QImage before = scene.shown.picture();
        const PlotScale scale = scene.scale();
        const QPointF point(scale.pixelX(4'000) + 2, scale.area.bottom() - 3);
        scene.shown.moveTo(point);
        QVERIFY(scene.markers.marked());
        QVERIFY(!scene.shown.range.crossHair().row()); // one card is enough
        scene.shown.plot.setFocus();
        QVERIFY(scene.shown.picture() != before);
        scene.shown.moveTo(point - QPointF(200, 100));
        QVERIFY(!scene.markers.marked());
        QVERIFY(scene.shown.range.crossHair().row());
    }

    void Keys_goFromMarkerToMarker()
    {
        MarkerScene scene({marker(Kind::Evaluation, 2'000), marker(Kind::Fault, 5'000)});
        const auto keys = Qt::ControlModifier | Qt::ShiftModifier;
        scene.shown.press(Qt::Key_Left, keys);
        QCOMPARE(scene.markers.marked(), std::optional<std::size_t>(1));
        scene.shown.press(Qt::Key_Left, keys);
        QCOMPARE(scene.markers.marked(), std::optional<std::size_t>(0));
        scene.shown.press(Qt::Key_Escape);
        QVERIFY(!scene.markers.marked());
    }
};
LOCKSTEP_TEST(TestMarkerRow)
#include "test_marker_row.moc"
