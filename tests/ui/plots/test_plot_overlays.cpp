// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/loss_plot.h"
#include "plots/curves/cursor_row.h"
#include "plots/view/cursor_card.h"
#include "support/lockstep_test.h"
#include "theme/tower_colors.h"
#include "ui/shown_plot.h"
#include "ui/synthetic_run.h"

#include <QSet>
#include <QtTest>

#include <cmath>

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
    void initTestCase() { QLocale::setDefault({QLocale::English, QLocale::UnitedStates}); }
    void Range_fitted_showsTheLongestRun();
    void Row_atTheCrossHair_isThatOfTheStretch();
    void Card_namesTheOtherRuns();
    void Chart_drawsLineAndBand_behindTheRun();
    void Smoothing_ofStretches_isThatOfTheirSteps();
    void Colors_ofEight_differ();
};

void TestPlotOverlays::Range_fitted_showsTheLongestRun()
{
    SyntheticRun run(2, 128);
    run.append(100);
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

void TestPlotOverlays::Row_atTheCrossHair_isThatOfTheStretch()
{
    const OverlaySeries other = made(50, 10);
    Curve curve{&other.losses(), OverlaySeries::kMeanLoss, {}, CurveKind::Overlay, Ink::Overlay};
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

void TestPlotOverlays::Card_namesTheOtherRuns()
{
    const OverlaySeries other = made(50, 10);
    Curve curve{
        &other.losses(), OverlaySeries::kMeanLoss, QStringLiteral("other"), CurveKind::Overlay,
        Ink::Overlay};
    curve.band = std::pair(OverlaySeries::kLowestLoss, OverlaySeries::kHighestLoss);
    const ThemeColors theme = themeColors(lightPalette());
    const HoverCard card = cursorCard({curve}, {{15, 0.0, 0.0}, XAxis::Step}, {}, theme);
    QCOMPARE(card.rows.size(), 1U);
    QCOMPARE(card.rows[0].name, QStringLiteral("other"));
    QCOMPARE(card.rows[0].value, QStringLiteral("4.990"));
    QCOMPARE(card.rows[0].color, overlayColor(0, theme));
    const HoverCard after = cursorCard({curve}, {{900, 0.0, 0.0}, XAxis::Step}, {}, theme);
    QCOMPARE(after.rows[0].name, QStringLiteral("other (step 499)"));
}

void TestPlotOverlays::Chart_drawsLineAndBand_behindTheRun()
{
    failOnOwnWarnings();
    SyntheticRun run(2, 128);
    run.append(100);
    Shown<LossPlot> shown;
    shown.setRun(run.series());
    const OverlaySeries other = made(50, 10);
    shown.plot.setOverlays({{QStringLiteral("other"), 2, &other}});
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

void TestPlotOverlays::Smoothing_ofStretches_isThatOfTheirSteps()
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

void TestPlotOverlays::Colors_ofEight_differ()
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

LOCKSTEP_TEST(TestPlotOverlays)
#include "test_plot_overlays.moc"
