// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/loss_plot.h"
#include "plots/charts/run_chart.h"
#include "plots/curves/curve_style.h"
#include "plots/view/plot_painting.h"
#include "theme/tower_colors.h"
#include "ui/shown_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <random>

using namespace lockstep::ui;

namespace {

bool isClose(const QColor& a, const QColor& b, int tolerance = 60)
{
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green())
               + std::abs(a.blue() - b.blue())
           <= tolerance;
}

/// Columns of the area in which some pixel is that colour.
int columnsWith(
    const QImage& image, const QRectF& area, const std::function<bool(const QColor&)>& isWanted)
{
    int columns = 0;
    for (int x = static_cast<int>(area.left()); x < static_cast<int>(area.right()); ++x) {
        for (int y = static_cast<int>(area.top()); y < static_cast<int>(area.bottom()); ++y) {
            if (isWanted(image.pixelColor(x, y))) {
                ++columns;
                break;
            }
        }
    }
    return columns;
}

void addPalettes()
{
    QTest::addColumn<QPalette>("palette");
    QTest::addRow("light") << lightPalette();
    QTest::addRow("dark") << darkPalette();
}

/// Pixels of the strip above the curves, at about that x, that are neither card nor grid.
int inkedPixels(const QImage& image, const QRectF& strip, const ThemeColors& theme)
{
    int inked = 0;
    for (int y = static_cast<int>(strip.top()); y < static_cast<int>(strip.bottom()); ++y) {
        for (int x = static_cast<int>(strip.left()); x < static_cast<int>(strip.right()); ++x) {
            const QColor color = image.pixelColor(x, y);
            inked += color != theme.card && color != theme.grid ? 1 : 0;
        }
    }
    return inked;
}

} // namespace

class TestPlotView : public QObject
{
    Q_OBJECT

private slots:
    void init() { failOnOwnWarnings(); }

    void Spike_oneStepOf200000_isVisibleAtFullZoomOut_data() { addPalettes(); }
    void Spike_oneStepOf200000_isVisibleAtFullZoomOut()
    {
        QFETCH(const QPalette, palette);
        const ThemeColors theme = themeColors(palette);
        constexpr int kSpikeStep = 123'457;
        SyntheticRun run(5, 128, kSpikeStep);
        run.spikeNext(9.0);
        run.append(200'000 - kSpikeStep);
        run.series().setSmoothing(0.9);
        Shown<LossPlot> shown(palette);
        shown.range.setRobust(false);
        shown.setRun(run.series());
        const QImage image = shown.picture();
        const PlotScale scale = shown.plot.scale();
        const double top = scale.pixelY(6.8);
        const double bottom = scale.pixelY(3.0);
        QVERIFY(bottom - top > 100);
        const double x = std::floor(scale.pixelX(kSpikeStep));
        QVERIFY(
            inkedPixels(image, {QPointF(x - 1, top), QPointF(x + 2, bottom)}, theme)
            >= 0.95 * (bottom - top));
        QCOMPARE(inkedPixels(image, {QPointF(x + 60, top), QPointF(x + 63, bottom)}, theme), 0);
    }

    // The band is smoothed as the lines are: a mean that lies outside it would look wrong.
    void SmoothedMean_randomRuns_liesWithinTheBand()
    {
        std::mt19937 random(20);
        for (int number = 0; number < 20; ++number) {
            SyntheticRun run(std::uniform_int_distribution(2, 8)(random), 32);
            run.append(std::uniform_int_distribution(40, 9000)(random));
            run.spikeNext(7.0);
            run.append(std::uniform_int_distribution(1, 300)(random));
            run.series().setSmoothing(0.01 * std::uniform_int_distribution(1, 99)(random));
            Shown<LossPlot> shown(run.series());
            shown.plot.setLogarithmic(number % 2 == 1);
            const PlotScale scale = shown.plot.scale();
            const std::vector<Curve>& curves = shown.plot.curves();
            const auto mean = std::ranges::find(curves, CurveKind::Mean, &Curve::kind);
            QVERIFY(mean != curves.end());
            const double ratio = 1.0 + number % 3;
            const auto band = averageBand(*mean, curves, scale, ratio);
            const auto line = curvePoints(*mean, scale, lineRows(*mean, curves, scale));
            int columns = 0;
            for (qsizetype next = 1; next < line.size(); ++next) {
                const QPointF from = line[next - 1];
                const QPointF to = line[next];
                const auto columnOf = [&](double x) { return (x - scale.area.left()) * ratio; };
                for (auto column = static_cast<int>(std::max(0.0, columnOf(from.x())));
                     column < std::ssize(band) && column + 0.5 <= columnOf(to.x()); ++column) {
                    const double share = (column + 0.5 - columnOf(from.x()))
                                         / (columnOf(to.x()) - columnOf(from.x()));
                    const ColumnLayer::Stroke& stroke = band[static_cast<std::size_t>(column)];
                    const double y =
                        (from.y() + share * (to.y() - from.y()) - scale.area.top()) * ratio;
                    if (share >= 0.0) {
                        QVERIFY(stroke.top <= y + 1e-3 && y - 1e-3 <= stroke.end);
                        ++columns;
                    }
                }
            }
            QVERIFY(columns > 0.9 * scale.area.width() * ratio);
        }
    }

    void Spike_offScale_reachesTheEdgeAndIsCounted_data() { addPalettes(); }
    void Spike_offScale_reachesTheEdgeAndIsCounted()
    {
        QFETCH(const QPalette, palette);
        const ThemeColors theme = themeColors(palette);
        constexpr int kSpikeStep = 123'457;
        SyntheticRun run(5, 128, kSpikeStep);
        run.spikeNext(9.0);
        run.append(200'000 - kSpikeStep);
        Shown<LossPlot> shown(palette);
        shown.setRun(run.series());
        const QImage image = shown.picture();
        const PlotScale scale = shown.plot.scale();
        QVERIFY2(scale.top < 5.0, qPrintable(QString::number(scale.top)));
        const double x = std::floor(scale.pixelX(kSpikeStep));
        const double top = scale.area.top() + 8;
        const double bottom = scale.pixelY(1.5);
        QVERIFY(bottom - top > 100);
        QVERIFY(
            inkedPixels(image, {QPointF(x - 1, top), QPointF(x + 2, bottom)}, theme)
            >= 0.95 * (bottom - top));
        // An arrow of the text's colour at the edge, and nothing beside it.
        const auto isText = [&](const QColor& c) { return isClose(c, theme.text, 40); };
        const QRectF edge(x - 4, scale.area.top() - 1, 9, 7);
        QVERIFY(columnsWith(image, edge, isText) >= 5);
        QCOMPARE(columnsWith(image, edge.translated(40, 0), isText), 0);
        // Counted exactly: the spike and the first losses, of five towers and their mean.
        std::int64_t above = 0;
        for (const Curve& curve : shown.plot.curves()) {
            for (std::int64_t row = 0; row < curve.store->size(); ++row) {
                above += curve.series().at(row) > scale.top ? 1 : 0;
            }
        }
        QCOMPARE(shown.plot.status().above, above);
        QVERIFY(above > 6 && above < 20'000);
    }

    void LastTower_strongSmoothing_isVisibleBesideTheMean_data()
    {
        QTest::addColumn<QPalette>("palette");
        QTest::addColumn<double>("smoothing");
        QTest::addColumn<int>("towers");
        for (const double smoothing : {0.6, 0.95, 0.999}) {
            for (const int towers : {2, 4, 8}) {
                QTest::addRow("light %g, %d towers", smoothing, towers)
                    << lightPalette() << smoothing << towers;
                QTest::addRow("dark %g, %d towers", smoothing, towers)
                    << darkPalette() << smoothing << towers;
            }
        }
    }
    void LastTower_strongSmoothing_isVisibleBesideTheMean()
    {
        QFETCH(const QPalette, palette);
        QFETCH(const double, smoothing);
        QFETCH(const int, towers);
        const ThemeColors theme = themeColors(palette);
        SyntheticRun run(towers, 128, 20'000);
        run.series().setSmoothing(smoothing);
        Shown<LossPlot> shown(palette);
        shown.setRun(run.series());
        const QImage image = shown.picture();
        const QRectF area = shown.plot.scale().area;
        const QColor last = towerColor(towers - 1, theme);
        const int lastColumns =
            columnsWith(image, area, [&](const QColor& c) { return isClose(c, last); });
        const int meanColumns =
            columnsWith(image, area, [&](const QColor& c) { return isClose(c, theme.text); });
        QVERIFY2(lastColumns > 0.4 * area.width(), qPrintable(QString::number(lastColumns)));
        QVERIFY2(meanColumns > 0.25 * area.width(), qPrintable(QString::number(meanColumns)));
    }

    void LastTower_withoutSmoothing_isVisibleAroundTheMean()
    {
        SyntheticRun run(4, 128, 20'000);
        Shown<LossPlot> shown(run.series());
        const ThemeColors theme = themeColors(lightPalette());
        const QColor last = mixed(towerColor(3, theme), theme.card, 0.62);
        const int columns =
            columnsWith(shown.picture(), shown.plot.scale().area, [&](const QColor& c) {
                return isClose(c, last, 80);
            });
        QVERIFY2(
            columns > 0.5 * shown.plot.scale().area.width(), qPrintable(QString::number(columns)));
    }

    void LogScale_zeroAndNotANumber_hideNothingAndAreMarked()
    {
        const ThemeColors theme = themeColors(lightPalette());
        SyntheticRun run(2, 128, 5'000);
        run.spikeNext(0.0);
        run.append(2'500);
        run.spikeNext(std::nan(""));
        run.append(2'500);
        run.series().setSmoothing(0.9);
        Shown<LossPlot> shown;
        shown.plot.setLogarithmic(true);
        shown.setRun(run.series());
        const QImage image = shown.picture();
        const PlotScale scale = shown.plot.scale();
        QRectF curves = scale.area;
        curves.setRight(scale.pixelX(9'990));
        const auto isInk = [&](const QColor& c) {
            return isClose(c, theme.text) || isClose(c, towerColor(1, theme));
        };
        QVERIFY(columnsWith(image, curves, isInk) > 0.97 * curves.width());
        const auto isAlert = [&](const QColor& c) { return isClose(c, theme.alert, 20); };
        const double zero = scale.pixelX(5'000);
        const double fault = scale.pixelX(7'500);
        QVERIFY(columnsWith(image, {zero - 4, scale.area.bottom() - 8, 9, 8}, isAlert) >= 4);
        QVERIFY(columnsWith(image, {fault - 5, scale.area.top(), 11, 12}, isAlert) >= 4);
        QCOMPARE(columnsWith(image, {fault + 20, scale.area.top(), 100, 12}, isAlert), 0);
        QVERIFY(shown.plot.summary().contains("1 NaN at 7,500"));
    }

    void Tower_thatDidNotExistYet_isNoFault()
    {
        const ThemeColors theme = themeColors(lightPalette());
        RunSeries run(2, 8);
        for (std::int64_t step = 0; step < 100; ++step) { // the first half by one tower
            const std::array losses{2.0, step < 50 ? std::nan("") : 2.0};
            run.append(StepPoint{{step, 0.0, 0.1 * static_cast<double>(step)}, losses, 2.0});
        }
        Shown<LossPlot> shown(run);
        const QRectF area = shown.plot.scale().area;
        const auto isAlert = [&](const QColor& c) { return isClose(c, theme.alert, 20); };
        QCOMPARE(
            columnsWith(shown.picture(), {area.left(), area.top(), area.width(), 12}, isAlert), 0);
    }

    void Cursor_hovering_paintsCrossHairAndCardWithoutRedrawing()
    {
        SyntheticRun run(4, 128, 5'000);
        Shown<PlotView> shown(lightPalette(), accuracyChart());
        shown.setRun(run.series());
        const QImage before = shown.picture();
        shown.range.crossHair().setRow(2'500);
        const QImage with = shown.picture();
        const PlotScale scale = shown.plot.scale();
        const auto x = static_cast<int>(scale.pixelX(2'500));
        const ThemeColors theme = themeColors(lightPalette());
        QCOMPARE(with.pixelColor(x, static_cast<int>(scale.area.bottom()) - 20), theme.mutedText);
        QVERIFY(with != before);
        shown.range.crossHair().setRow(std::nullopt);
        QCOMPARE(shown.picture(), before);
    }

    // The others say their values in the line of their titles, so that nothing covers them.
    void Cursor_overTwoCharts_onlyTheOneThatIsReadHasACard()
    {
        SyntheticRun run(4, 128, 5'000);
        Shown<LossPlot> shown(run.series());
        PlotView below(shown.range, throughputChart());
        below.setPalette(lightPalette());
        below.resize(1600, 300);
        below.setRun(&run.series());
        below.room().setNeighbours(true, false);
        const ThemeColors theme = themeColors(lightPalette());
        constexpr int kCard = 80; // columns
        const auto cardColumns = [&](PlotView& plot) {
            const QImage image = plot.grab().toImage();
            return columnsWith(
                image, image.rect(), [&](const QColor& c) { return c == theme.raised; });
        };
        const QImage belowBefore = below.grab().toImage();
        shown.range.crossHair().setReader(&shown.plot);
        shown.range.crossHair().setRow(2'500);
        QVERIFY(cardColumns(shown.plot) > kCard);
        QVERIFY(cardColumns(below) < kCard); // the edge of a letter may have that colour
        const QRect title(0, 0, 1600, 24);
        QVERIFY(below.grab().toImage().copy(title) != belowBefore.copy(title));
        shown.range.crossHair().setReader(&below);
        QVERIFY(cardColumns(shown.plot) < kCard);
        QVERIFY(cardColumns(below) > kCard);
    }

    void Cursor_smallestUsefulChart_cardStaysWithinIt()
    {
        SyntheticRun run(8, 128, 5'000);
        run.series().setSmoothing(0.9);
        Shown<LossPlot> shown;
        shown.plot.resize(320, 110);
        shown.setRun(run.series());
        const ThemeColors theme = themeColors(lightPalette());
        for (const int step : {100, 2'500, 4'900}) {
            shown.range.crossHair().setRow(step);
            const QImage image = shown.picture();
            const auto isCard = [&](const QColor& c) { return c == theme.raised; };
            QVERIFY(columnsWith(image, image.rect(), isCard) > 80);
            QCOMPARE(columnsWith(image, {0, 0, 4, 110}, isCard), 0);
            QCOMPARE(columnsWith(image, {316, 0, 4, 110}, isCard), 0);
        }
    }

    // Both losses, in grey that of which no line is drawn.
    void Card_ofTheLoss_tellsWeightDecayWithoutItsLine()
    {
        const ThemeColors theme = themeColors(lightPalette());
        std::array<int, 2> inked{};
        for (const bool isKnown : {false, true}) {
            RunSeries run(2, 8);
            const std::array losses{2.0, 2.5};
            for (int step = 0; step < 50; ++step) {
                run.append(StepPoint{
                    {step, 0.0, 0.1 * step},
                    losses,
                    2.25,
                    10.0,
                    0.5,
                    {},
                    isKnown ? 2.75 : std::nan("")});
            }
            Shown<LossPlot> shown(run);
            const HoverCard card = cursorCard(
                shown.plot.legend().told(shown.plot.curves()), {20, 0.0, 2.0}, XAxis::Step, {},
                theme);
            QCOMPARE(card.rows.size(), isKnown ? std::size_t{1} : std::size_t{0});
            if (isKnown) {
                QCOMPARE(card.rows[0].name, "with weight decay");
                QCOMPARE(card.rows[0].value, "2.750");
                QCOMPARE(card.rows[0].color, theme.mutedText);
            }
            shown.range.crossHair().setReader(&shown.plot);
            shown.range.crossHair().setRow(20);
            const QImage image = shown.picture();
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    inked[isKnown] += image.pixelColor(x, y) == theme.raised ? 1 : 0;
                }
            }
            shown.plot.setTotalShown(true);
            QVERIFY(shown.plot.legend().told(shown.plot.curves()).empty());
        }
        QVERIFY(inked[1] > inked[0] + 500); // a line more on the card
    }

    void Card_ofTheThroughput_hasTheDecimalsOfItsTitle()
    {
        RunSeries run(1, 8);
        const std::array losses{2.0};
        run.append(StepPoint{{0, 0.0, 0.1}, losses, 2.0, 1.42});
        run.append(StepPoint{{1, 0.0, 0.2}, losses, 2.0, 1234.5});
        Shown<PlotView> shown(lightPalette(), throughputChart());
        shown.setRun(run);
        const auto valueAt = [&](std::int64_t step) {
            return cursorCard(
                       shown.plot.curves(), {step, 0.0, 0.0}, XAxis::Step, throughputChart().format,
                       themeColors(lightPalette()))
                .rows.front()
                .value;
        };
        QCOMPARE(valueAt(0), "1.4");
        QCOMPARE(valueAt(1), numberText(1234.5, {1.0, 0, {}}));
    }

    void Legend_clicked_hidesShowsAndIsolates()
    {
        SyntheticRun run(4, 128, 3'000);
        run.series().setSmoothing(0.9);
        Shown<LossPlot> shown(run.series());
        const QImage all = shown.picture();
        const QRectF title = shown.plot.room().titleLine();
        // From the right: min–max, towers, last tower, mean, with weight decay.
        std::vector<QPointF> keys;
        bool isOnKey = false;
        for (double x = title.right(); x > title.center().x(); x -= 1.0) {
            const QPointF point(x, title.center().y());
            const bool isKey = shown.plot.legend().toggle(point, false);
            if (isKey) {
                shown.plot.legend().toggle(point, false); // back
                if (!isOnKey) {
                    keys.push_back(point - QPointF(2, 0));
                }
            }
            isOnKey = isKey;
        }
        QCOMPARE(keys.size(), std::size_t{5});
        QCOMPARE(shown.picture(), all);
        const ThemeColors theme = themeColors(lightPalette());
        const auto lastTowerColumns = [&] {
            const QColor color = towerColor(3, theme);
            return columnsWith(shown.picture(), shown.plot.scale().area, [&](const QColor& c) {
                return isClose(c, color, 40);
            });
        };
        QVERIFY(lastTowerColumns() > 400);
        const QPoint lastTower = keys[2].toPoint();
        QTest::mouseClick(&shown.plot, Qt::LeftButton, Qt::NoModifier, lastTower);
        QVERIFY2(lastTowerColumns() < 100, qPrintable(QString::number(lastTowerColumns())));
        QTest::mouseClick(&shown.plot, Qt::LeftButton, Qt::NoModifier, lastTower);
        QVERIFY(lastTowerColumns() > 400);
        QTest::mouseClick(&shown.plot, Qt::LeftButton, Qt::ShiftModifier, keys[3].toPoint());
        QVERIFY2(
            lastTowerColumns() < 100,
            qPrintable(QString::number(lastTowerColumns()))); // the mean alone
        QTest::mouseClick(&shown.plot, Qt::LeftButton, Qt::ShiftModifier, keys[3].toPoint());
        shown.plot.setTotalShown(false); // it has come back with the others
        QCOMPARE(shown.picture(), all);
        for (const QPointF& key : keys) { // nothing is left: an empty chart, not a crash
            shown.plot.legend().toggle(key, false);
        }
        QVERIFY(shown.picture() != all);
    }

    void Highlight_ofATower_drawsItsCurveOverTheOthers()
    {
        SyntheticRun run(4, 128, 3'000);
        run.series().setSmoothing(0.9);
        Shown<LossPlot> shown;
        TowerHighlight highlight;
        shown.plot.setShared({.highlight = &highlight});
        shown.setRun(run.series());
        const QImage before = shown.picture();
        const ThemeColors theme = themeColors(lightPalette());
        const auto columnsOf = [&](int tower) {
            const QColor color = towerColor(tower, theme);
            return columnsWith(shown.picture(), shown.plot.scale().area, [&](const QColor& c) {
                return isClose(c, color, 20);
            });
        };
        QVERIFY(columnsOf(1) < 300 && columnsOf(3) > 400);
        highlight.select(1);
        QVERIFY(columnsOf(1) > 1'000 && columnsOf(3) < 100);
        highlight.point(3); // what is pointed at comes first
        QVERIFY(columnsOf(1) < 100 && columnsOf(3) > 1'000);
        highlight.point(std::nullopt);
        highlight.select(7); // of a run with more towers
        QCOMPARE(shown.picture(), before);
    }

    void Labels_ofFewPixels_haveTheZero()
    {
        for (const double height : {14.0, 25.0, 40.0, 60.0, 90.0, 300.0}) {
            for (const auto& [bottom, top] :
                 {std::pair(-0.45, 0.25), std::pair(-0.13, 0.62), std::pair(-7.0, 2.0),
                  std::pair(-0.02, 0.03)}) {
                PlotScale scale;
                scale.area = QRectF(60, 20, 500, height);
                scale.bottom = bottom;
                scale.top = top;
                const PlotGrid grid = plotGrid(scale, {}, QFont());
                const bool hasZero =
                    std::ranges::any_of(grid.y, [](const Tick& tick) { return tick.label == "0"; });
                QVERIFY2(hasZero, qPrintable(QString::number(height)));
                for (const Tick& tick : grid.y) {
                    QVERIFY(!tick.label.contains('-')); // one kind of minus
                }
            }
        }
    }

    void Marks_ofAStretch_areOne()
    {
        SyntheticRun run(2, 128, 3'000);
        OverlaySeries left;
        for (std::int64_t step = 1'000; step < 2'000; ++step) {
            left.append(OverlayNode{{step, 0.0, 0.0}, 1, 50.0, 50.0, 50.0});
        }
        Shown<LossPlot> shown(run.series());
        shown.plot.setOverlays({{"left behind", 0, &left, true}});
        shown.picture();
        QCOMPARE(shown.plot.marks().size(), 1U);
        const PlotMark& mark = shown.plot.marks().front();
        const PlotScale scale = shown.plot.scale();
        QVERIFY(std::abs(mark.left - scale.pixelX(1'000) + scale.area.left()) < 3.0);
        QVERIFY(std::abs(mark.right - scale.pixelX(2'000) + scale.area.left()) < 3.0);
        QVERIFY(std::abs(mark.x - 0.5 * (mark.left + mark.right)) < 1.0);
    }

    void Palette_changed_isFollowed()
    {
        SyntheticRun run(2, 128, 100);
        Shown<LossPlot> shown(run.series());
        const QPoint corner(800, 4);
        QCOMPARE(shown.picture().pixelColor(corner), themeColors(lightPalette()).card);
        shown.plot.setPalette(darkPalette());
        QCOMPARE(shown.picture().pixelColor(corner), themeColors(darkPalette()).card);
    }

    void EmptyState_text_isShownAndSpoken()
    {
        Shown<LossPlot> shown;
        const QImage blank = shown.picture();
        const QString text = "Press Start: 2 towers on this CPU";
        shown.plot.setEmptyState({text});
        const QImage image = shown.picture();
        QVERIFY(image != blank);
        QCOMPARE(shown.plot.accessibleName(), "Loss");
        QCOMPARE(shown.plot.accessibleDescription(), text);
        SyntheticRun run(2, 128);
        shown.setRun(run.series());
        QCOMPARE(shown.picture(), image);
        run.append(30);
        shown.range.dataChanged();
        shown.plot.dataChanged();
        QVERIFY(shown.picture() != image);
        QVERIFY(shown.plot.accessibleDescription().contains("last tower"));
    }

    void Captions_figures_followTheirDefinitions()
    {
        RunSeries run(4, 128);
        const std::vector<double> losses{1.0, 1.0, 1.0, 2.0};
        run.append(StepPoint{{0, 0.0, 0.02}, losses, 1.25, 25'600.0, 0.5});
        XRange range;
        range.setTimeline(&run.steps().timeline());
        PlotView throughput(range, throughputChart());
        throughput.setRun(&run);
        // 512 examples a step at 25,600 a second: 20 ms, a quarter of it for each tower.
        QVERIFY(throughput.summary().startsWith(
            "25,600 examples/s · 20.0 ms/step · 0.0050 s/batch (step ÷ 4 towers)"));
        LossPlot loss(range);
        loss.setRun(&run);
        QVERIFY(loss.summary().startsWith("mean 1.250 · last tower 2.000"));
        PlotView bias(range, biasChart());
        bias.setRun(&run);
        QVERIFY(bias.summary().contains("+60.0 % at worst (step 0)"));
        PlotView lastVsMean(range, variationChart());
        lastVsMean.setRun(&run);
        QVERIFY(lastVsMean.summary().contains("expected 4.00"));
        PlotView accuracy(range, accuracyChart());
        accuracy.setRun(&run);
        QCOMPARE(accuracy.summary(), "train batch 50.0 % · 1 of 1 steps · not smoothed");
    }

    void Run_takenAwayAndReplaced_survives()
    {
        auto run = std::make_unique<SyntheticRun>(3, 128);
        run->append(500);
        Shown<LossPlot> shown(run->series());
        shown.range.crossHair().setRow(100);
        shown.picture();
        shown.plot.setRun(nullptr);
        shown.range.setTimeline(nullptr);
        run.reset();
        QVERIFY(shown.plot.isEmpty());
        shown.picture();
        SyntheticRun single(1, 128, 50);
        shown.setRun(single.series());
        QVERIFY(!shown.plot.summary().contains("last tower"));
        shown.picture();
    }
};

LOCKSTEP_TEST(TestPlotView)
#include "test_plot_view.moc"
