// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/loss_plot.h"
#include "plots/rows/phase_row.h"
#include "ui/shown_plot.h"

#include <algorithm>
#include <map>

using namespace lockstep::ui;

namespace {

constexpr std::int64_t kPhasedSteps = 3'000;
constexpr std::int64_t kSecond = 1'000; ///< begins the second phase

std::vector<PhaseBand> twoPhases()
{
    return {
        {0, kSecond, "segmentation", "first text"},
        {kSecond, kPhasedSteps, "decision", "second text"}};
}

} // namespace

/// A chart of a run, with phases.
struct PhaseScene
{
    explicit PhaseScene(const QPalette& palette = lightPalette()) : shown(palette)
    {
        run.append(kPhasedSteps);
        shown.setRun(run.series());
        shown.plot.setShared({.phases = &phases});
        shown.plot.show();
    }
    [[nodiscard]] PlotScale scale() const { return shown.plot.xScale(); }
    [[nodiscard]] QRectF place(std::size_t band) const
    {
        return phases.placeOf(phases.bands().at(band), scale());
    }
    /// The colour that most of the plot has left and right of the boundary.
    [[nodiscard]] QColor groundAt(double x)
    {
        const QImage picture = shown.picture();
        std::map<QRgb, int> counts;
        const QRectF area = scale().area;
        for (int y = qRound(area.top()) + 30; y < area.bottom() - 2; ++y) {
            ++counts[picture.pixel(qRound(x), y)];
        }
        return std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; })
            ->first;
    }

    SyntheticRun run{2, 128};
    Shown<LossPlot> shown;
    PhaseRow phases{shown.range};
};

/// The phases of a run, behind its charts.
class TestPhaseRow : public QObject
{
    Q_OBJECT

private slots:
    void init() { failOnOwnWarnings(); }

    void Bands_onEveryAxis_meetWhereTheSecondBegins()
    {
        PhaseScene scene;
        scene.phases.setBands(twoPhases());
        const Timeline& timeline = scene.run.series().steps().timeline();
        for (const XAxis axis : {XAxis::Step, XAxis::Epoch, XAxis::Examples, XAxis::WallTime}) {
            for (const bool isLogarithmic : {false, true}) {
                scene.shown.range.setAxis(axis);
                scene.shown.range.setLogarithmic(isLogarithmic);
                const QRectF first = scene.place(0);
                const QRectF second = scene.place(1);
                QCOMPARE(first.left(), scene.scale().area.left());
                QCOMPARE(first.right(), second.left());
                // Between the last step of the one and the first of the other.
                const double before = scene.scale().pixelX(timeline.positionAt(axis, kSecond - 1));
                const double after = scene.scale().pixelX(timeline.positionAt(axis, kSecond));
                QVERIFY(second.left() >= before - 1.0 && second.left() <= after + 1.0);
                QVERIFY(
                    second.right()
                    >= scene.scale().pixelX(timeline.positionAt(axis, kPhasedSteps - 1)) - 1.0);
            }
        }
        scene.shown.range.setLogarithmic(false);
        scene.shown.range.setAxis(XAxis::Step);
        scene.shown.range.zoomTo(kSecond + 100.0, kSecond + 200.0);
        QVERIFY(scene.place(0).isEmpty());
        QCOMPARE(scene.place(1), scene.scale().area);
    }

    void Bands_ofStepsToCome_areNotShownYet()
    {
        PhaseScene scene;
        scene.phases.setBands(
            {{0, 2 * kPhasedSteps, "a", {}}, {2 * kPhasedSteps, 3 * kPhasedSteps, "b", {}}});
        for (const XAxis axis : {XAxis::Step, XAxis::WallTime}) {
            scene.shown.range.setAxis(axis);
            QVERIFY(scene.place(0).width() > 0.9 * scene.scale().area.width());
            QVERIFY(scene.place(1).isEmpty());
        }
    }

    void Bands_everySecond_isShaded_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void Bands_everySecond_isShaded()
    {
        QFETCH(const bool, isDark);
        const QPalette palette = isDark ? darkPalette() : lightPalette();
        PhaseScene scene(palette);
        const double left = scene.scale().area.left() + scene.scale().area.width() * 0.21;
        const double right = scene.scale().area.left() + scene.scale().area.width() * 0.83;
        const QColor card = scene.groundAt(left);
        QCOMPARE(scene.groundAt(right), card);
        scene.phases.setBands(twoPhases());
        QCOMPARE(scene.groundAt(left), card);
        const QColor shaded = scene.groundAt(right);
        QVERIFY(shaded != card);
        QVERIFY(contrast(shaded, card) < 1.25); // faint: nothing on it gets harder to read
    }

    void Band_alone_changesNothing()
    {
        PhaseScene scene;
        const QImage before = scene.shown.picture();
        scene.phases.setBands({{0, kPhasedSteps, "all", {}}});
        QVERIFY(scene.phases.bands().empty());
        QCOMPARE(scene.shown.picture(), before);
        QVERIFY(scene.phases.summary().isEmpty());
    }

    void Name_underThePointer_tellsAll()
    {
        PhaseScene scene;
        scene.phases.setBands(twoPhases());
        scene.shown.picture();
        const QPoint point = scene.place(1).topLeft().toPoint() + QPoint(20, 6);
        QHelpEvent help(QEvent::ToolTip, point, scene.shown.plot.mapToGlobal(point));
        QCoreApplication::sendEvent(&scene.shown.plot, &help);
        QCOMPARE(QToolTip::text(), "second text");
        QToolTip::hideText();
        QVERIFY(scene.shown.plot.accessibleDescription().contains("decision from step 1,000"));
    }

    void Names_areOnTheUppermostChartOnly()
    {
        PhaseScene scene;
        const auto nameOf = [&scene] {
            const QImage picture = scene.shown.picture();
            const QRectF place = scene.phases.namePlaceOf(
                scene.phases.bands()[0], scene.scale(), scene.shown.plot.font());
            return picture.copy(place.toRect().adjusted(2, 0, -2, -2));
        };
        scene.phases.setBands(twoPhases());
        const QImage named = nameOf();
        const std::vector<PhaseBand> nameless{
            {0, kSecond, {}, {}}, {kSecond, kPhasedSteps, "decision", {}}};
        scene.phases.setBands(nameless);
        QVERIFY(nameOf() != named);
        scene.shown.plot.room().setNeighbours(true, false);
        const QImage lower = nameOf();
        scene.phases.setBands(twoPhases());
        QCOMPARE(nameOf(), lower);
    }

    void Names_haveNoCurveBehindThem()
    {
        for (const bool isLogarithmic : {false, true}) {
            PhaseScene scene;
            scene.shown.range.setRobust(false);
            scene.shown.plot.setLogarithmic(isLogarithmic);
            scene.phases.setBands(twoPhases());
            const PlotScale scale = scene.shown.plot.scale();
            const QRectF place = scene.phases.namePlaceOf(
                scene.phases.bands()[0], scale, scene.shown.plot.room().axisFont());
            for (const Curve& curve : scene.shown.plot.curves()) {
                const Extent extent = curve.series().extent(0, curve.series().size());
                QVERIFY(scale.pixelY(extent.maximum) >= place.bottom());
            }
        }
    }
};
LOCKSTEP_TEST(TestPhaseRow)
#include "test_phase_row.moc"
