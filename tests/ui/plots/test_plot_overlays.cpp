// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/loss_plot.h"
#include "plots/charts/run_chart.h"
#include "plots/view/plot_painting.h"
#include "theme/tower_colors.h"
#include "ui/shown_plot.h"

#include <cmath>
#include <map>
#include <set>

using namespace lockstep::ui;

namespace {

/// Stretches of `steps` steps each, a tenth of an epoch and half a second a step; the mean falls
/// from 5 by a hundredth a stretch, the values lie up to 0.5 around it.
OverlaySeries made(int stretches, std::int64_t steps)
{
    OverlaySeries series;
    for (int i = 0; i < stretches; ++i) {
        const std::int64_t last = (i + 1) * steps - 1;
        const double mean = 5.0 - 0.01 * i;
        series.append(
            {{last, 0.1 * static_cast<double>(last + 1), 0.5 * static_cast<double>(last + 1)},
             steps,
             mean - 0.5,
             mean + 0.5,
             mean});
    }
    return series;
}

/// With figures of everything that a chart shows.
OverlaySeries withFigures()
{
    OverlaySeries series;
    for (std::int64_t step = 9; step < 500; step += 10) {
        const Moment last{step, 0.1 * static_cast<double>(step), 0.5 * static_cast<double>(step)};
        series.append(OverlayNode{last, 10, 1.0, 2.0, 1.5, 5'000.0});
        series.append(OverlayFigures{last, 0.25, 3.0});
    }
    lockstep::EvaluationRecord evaluation{.accuracy = 0.75, .loss = 1.5};
    evaluation.detection.emplace().averagePrecision = 0.875;
    series.append({400, 40.0, 200.0}, evaluation);
    series.setHasTowers(true);
    return series;
}

QColor colorNear(const QImage& picture, QPointF at, const QColor& wanted)
{
    QColor best = picture.pixelColor(at.toPoint());
    const auto distance = [&](const QColor& color) {
        return std::abs(color.red() - wanted.red()) + std::abs(color.green() - wanted.green())
               + std::abs(color.blue() - wanted.blue());
    };
    for (int i = 0; i < 49; ++i) {
        const QColor here = picture.pixelColor(at.toPoint() + QPoint(i % 7 - 3, i / 7 - 3));
        best = distance(here) < distance(best) ? here : best;
    }
    return best;
}

} // namespace

/// Other runs behind the one that a chart shows.
class TestPlotOverlays : public QObject
{
    Q_OBJECT

private slots:
    void Range_fitted_showsTheLongestRun()
    {
        SyntheticRun run(2, 128, 100);
        const OverlaySeries other = made(50, 10);
        XRange range;
        range.setTimeline(&run.series().steps().timeline());
        QVERIFY(range.last() < 150.0);
        range.setOthers({&other.losses().timeline()});
        QVERIFY(range.last() >= 499.0 && range.last() < 600.0);
        range.setAxis(XAxis::WallTime);
        QVERIFY(range.last() >= 250.0 && range.last() < 300.0);
        range.setOthers({});
        QVERIFY(range.last() < 5.0); // 100 steps of 21 ms
    }

    void Row_atTheCrossHair_isThatOfTheStretch()
    {
        const OverlaySeries other = made(50, 10);
        Curve curve{
            &other.losses(), OverlaySeries::kMeanLoss, {}, CurveKind::Overlay, Ink::Overlay};
        curve.band = std::pair(OverlaySeries::kLowestLoss, OverlaySeries::kHighestLoss);
        const auto rowOf = [&](std::int64_t step) {
            return rowAt(curve, {step, 0.0, 0.0}, XAxis::Step);
        };
        QCOMPARE(rowOf(0), 0);
        QCOMPARE(rowOf(9), 0);
        QCOMPARE(rowOf(10), 1);
        QCOMPARE(rowOf(499), 49);
        QVERIFY(!isBefore(curve, 49, {499, 0.0, 0.0}, XAxis::Step));
        QCOMPARE(rowOf(5000), 49); // it has ended long before
        QVERIFY(isBefore(curve, 49, {5000, 0.0, 0.0}, XAxis::Step));
        // Another pace: what it had done by then.
        QCOMPARE(rowAt(curve, {7, 0.0, 52.0}, XAxis::WallTime), 10);
        QCOMPARE(rowAt(curve, {7, 2.05, 0.0}, XAxis::Epoch), 2);
    }

    void Card_namesTheOtherRuns()
    {
        const OverlaySeries other = made(50, 10);
        Curve curve{
            &other.losses(), OverlaySeries::kMeanLoss, "other", CurveKind::Overlay, Ink::Overlay};
        curve.band = std::pair(OverlaySeries::kLowestLoss, OverlaySeries::kHighestLoss);
        const ThemeColors theme = themeColors(lightPalette());
        const HoverCard card = cursorCard({curve}, {15, 0.0, 0.0}, XAxis::Step, {}, theme);
        QCOMPARE(card.rows.size(), 1U);
        QCOMPARE(card.rows[0].name, "other");
        QCOMPARE(card.rows[0].value, "4.990");
        QCOMPARE(card.rows[0].color, overlayColor(0, theme));
        const HoverCard after = cursorCard({curve}, {900, 0.0, 0.0}, XAxis::Step, {}, theme);
        QCOMPARE(after.rows[0].name, "other (step 499)");
    }

    void Chart_drawsLineAndBand_behindTheRun()
    {
        failOnOwnWarnings();
        SyntheticRun run(2, 128, 100);
        Shown<LossPlot> shown(run.series());
        const OverlaySeries other = made(50, 10);
        shown.plot.setOverlays({{"other", 2, &other}});
        shown.range.setOthers({&other.losses().timeline()});
        const QImage picture = shown.picture();
        const PlotScale scale = shown.plot.scale();
        const ThemeColors theme = themeColors(lightPalette());
        const auto at = [&](double step, double loss) {
            return QPointF(scale.pixelX(step), scale.pixelY(loss));
        };
        // Far to the right of the run's end there is only the other one.
        const QColor line = overlayColor(2, theme);
        const QColor found = colorNear(picture, at(309, 4.70), line);
        QVERIFY2(contrast(found, line) < 1.35, qPrintable(found.name()));
        const QColor band = picture.pixelColor(at(309, 4.45).toPoint());
        QVERIFY(band != theme.card && contrast(band, theme.card) < 1.4); // faint
        QCOMPARE(
            picture.pixelColor(at(309, 5.37).toPoint()).rgb(),
            theme.card.rgb()); // between the lines of the grid
        // Without it, nothing is there.
        shown.plot.setOverlays({});
        QCOMPARE(shown.picture().pixelColor(at(309, 4.45).toPoint()).rgb(), theme.card.rgb());
    }

    void Charts_all_showThem()
    {
        SyntheticRun run(2, 128, 100);
        OverlaySeries other = withFigures();
        for (const bool hasTowers : {true, false}) {
            other.setHasTowers(hasTowers);
            for (const auto specification :
                 {throughputChart, biasChart, variationChart, accuracyChart, testLossChart,
                  averagePrecisionChart}) {
                Shown<PlotView> shown(lightPalette(), specification());
                shown.setRun(run.series());
                shown.plot.setOverlays({{"other", 2, &other}});
                const bool isOfLastTower =
                    specification == biasChart || specification == variationChart;
                const std::vector<Curve>& behind = shown.plot.curvesBehind();
                QCOMPARE(behind.size(), hasTowers || !isOfLastTower ? 1U : 0U);
                if (behind.empty()) {
                    continue; // nothing to compare, and nothing is said
                }
                const Series& series = behind.front().series();
                const float expected = specification == throughputChart  ? 5'000.0F
                                       : specification == biasChart      ? 0.25F
                                       : specification == variationChart ? 3.0F
                                       : specification == accuracyChart  ? 0.75F
                                       : specification == testLossChart  ? 1.5F
                                                                         : 0.875F;
                QCOMPARE(series.at(series.size() - 1), expected);
                QCOMPARE(behind.front().name, "other");
                shown.picture(); // must not fail
                // What was left behind has no such figures.
                shown.plot.setOverlays({{"left", 0, &other, true}});
                QVERIFY(shown.plot.curvesBehind().empty());
            }
        }
    }

    void Foreign_hasNoPartInTheYAxis()
    {
        SyntheticRun run(2, 128, 2'000);
        OverlaySeries other;
        for (std::int64_t step = 9; step < 2'000; step += 10) {
            other.append(OverlayNode{{step, 0.0, 0.0}, 10, 90.0, 110.0, 100.0});
        }
        Shown<LossPlot> shown(run.series());
        const double top = shown.plot.scale().top;
        shown.plot.setOverlays({{"other", 2, &other, false, true}});
        QCOMPARE(shown.plot.scale().top, top);
        shown.plot.setOverlays({{"other", 2, &other}});
        QVERIFY(shown.plot.scale().top > 100.0);
        // Alone it is there to be looked at.
        Shown<LossPlot> alone;
        alone.plot.setOverlays({{"other", 2, &other, false, true}});
        alone.range.setOthers({&other.losses().timeline()});
        QVERIFY(alone.plot.scale().top > 100.0);
    }

    /// Also where a chart has no line for them; there in short, with all of the name on hover.
    void Legend_ofAnyChart_namesThem()
    {
        SyntheticRun run(2, 128, 100);
        const OverlaySeries other = withFigures();
        const QString name = "CIFAR-10 · 4 × 32 · rate 0.1 · the second one of them";
        for (const auto specification : {throughputChart, accuracyChart, testLossChart}) {
            for (const int height : {110, 150, 300}) {
                Shown<PlotView> shown(lightPalette(), specification());
                shown.plot.resize(900, height);
                shown.setRun(run.series());
                shown.plot.setOverlays({{name, 2, &other}});
                shown.picture();
                int keys = 0;
                for (int x = 0; x < 900; x += 4) {
                    const double y = height < 125 ? shown.plot.room().titleLine().center().y()
                                                  : shown.plot.room().layout().notes.center().y();
                    const LegendKey* const key = shown.plot.legend().keyAt({double(x), y});
                    if (key == nullptr || key->text != name) {
                        continue;
                    }
                    ++keys;
                    QCOMPARE(key->colors.front(), overlayColor(2, themeColors(lightPalette())));
                    QVERIFY(key->owners == std::vector{(ColorOwner{ColorOwner::Kind::Overlay, 2})});
                }
                QVERIFY2(keys > 10, qPrintable(QString::number(height)));
            }
        }
    }

    /// Where there is no room for names, by their colours; the name is said on hover.
    void Legend_ofManyRuns_hasAtLeastTheirColours()
    {
        SyntheticRun run(2, 128, 100);
        const OverlaySeries other = withFigures();
        std::vector<PlotOverlay> overlays;
        for (int i = 0; i < 6; ++i) {
            overlays.push_back({QString("CIFAR-10 · 4 × 32 · rate 0.%1").arg(i), i, &other});
        }
        Shown<PlotView> shown(lightPalette(), accuracyChart());
        shown.plot.resize(900, 110);
        shown.setRun(run.series());
        shown.plot.setOverlays(overlays);
        shown.picture();
        std::set<int> seen;
        for (double x = 0.0; x < 900.0; x += 2.0) {
            const QPointF point(x, shown.plot.room().titleLine().center().y());
            if (const auto owner = shown.plot.legend().ownerAt(point)) {
                seen.insert(owner->number);
                QVERIFY(shown.plot.legend().keyAt(point)->text.startsWith("CIFAR"));
            }
        }
        QCOMPARE(seen, (std::set<int>{0, 1, 2, 3, 4, 5}));
    }

    void Legend_ofALowChart_namesAllOfThemInALine()
    {
        SyntheticRun run(2, 128, 100);
        const OverlaySeries other = withFigures();
        OverlaySeries older = withFigures();
        older.setDecayIncluded(true);
        std::vector<PlotOverlay> overlays;
        for (int i = 0; i < 8; ++i) {
            overlays.push_back({QString("%1 – rate 0.%1").arg(i + 1), i, &other});
        }
        Shown<LossPlot> shown;
        shown.plot.resize(440, 160);
        shown.setRun(run.series());
        shown.plot.setOverlays(overlays);
        shown.picture();
        const PlotLayout places = shown.plot.room().layout();
        QVERIFY(places.hasNotes() && !places.hasStatus());
        std::map<int, QString> names;
        for (double x = 0.0; x < 440.0; x += 2.0) {
            const QPointF point(x, places.notes.center().y());
            if (const auto owner = shown.plot.legend().ownerAt(point)) {
                names[owner->number] = shown.plot.legend().keyAt(point)->shownText;
            }
        }
        for (int i = 0; i < 8; ++i) {
            QCOMPARE(names[i], QString::number(i + 1));
        }
        // Two have room for what they are called.
        shown.plot.setOverlays({overlays[0], overlays[1]});
        shown.picture();
        const QPointF left(30.0, places.notes.center().y());
        QCOMPARE(shown.plot.legend().keyAt(left)->shownText, QString("1 – rate 0.1"));
        shown.plot.setOverlays({{"1 – rate 0.1", 0, &older}, overlays[1]});
        shown.picture();
        QCOMPARE(
            shown.plot.legend().keyAt(left)->text, QString("1 – rate 0.1 · weight decay included"));
        shown.plot.setOverlays({});
        QVERIFY(!shown.plot.room().layout().hasNotes());
    }

    void Smoothing_ofStretches_isThatOfTheirSteps()
    {
        OverlaySeries single = made(40, 1);
        single.setSmoothing(0.9);
        QVERIFY(std::abs(single.losses().smoothing() - 0.9) < 1e-12);
        OverlaySeries wide = made(40, 500);
        wide.setSmoothing(0.9);
        // 0.9^500: a stretch is smoother than the smoothing would make it.
        const Series& mean = wide.losses().series(OverlaySeries::kMeanLoss);
        QCOMPARE(mean.smoothedAt(20), mean.at(20));
    }

    void Tower_thatIsNamed_isRedInItsWindowOnly()
    {
        SyntheticRun run(4, 128, 1'000);
        Shown<LossPlot> named(run.series());
        Shown<LossPlot> other(run.series());
        const QImage usual = named.picture();
        setNamedTower(named.plot, 3);
        QCOMPARE(towerColor(3, themeColors(named.plot)), themeColors(named.plot).alert);
        QVERIFY(named.picture() != usual);
        QCOMPARE(other.picture(), usual);
        setNamedTower(named.plot, std::nullopt);
        QCOMPARE(named.picture(), usual);
    }

    void Colors_ofEight_differ()
    {
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            const ThemeColors theme = themeColors(palette);
            QSet<QRgb> colors;
            for (int i = 0; i < 8; ++i) {
                colors.insert(overlayColor(i, theme).rgb());
                QVERIFY(contrast(overlayColor(i, theme), theme.card) >= 2.0);
            }
            QCOMPARE(colors.size(), 8);
            // The first ones are not those of runs with two towers.
            for (int i = 0; i < 4; ++i) {
                QVERIFY(overlayColor(i, theme) != towerColor(0, theme));
                QVERIFY(overlayColor(i, theme) != towerColor(1, theme));
            }
        }
    }
};
LOCKSTEP_TEST(TestPlotOverlays)
#include "test_plot_overlays.moc"
