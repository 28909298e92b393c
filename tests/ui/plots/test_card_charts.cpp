// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/cards/histogram_plot.h"
#include "plots/charts/line_plot.h"
#include "ui/shown_plot.h"

#include <cmath>

namespace lockstep::ui {
namespace {

/// So many values evenly between two, in buckets of 1.
std::shared_ptr<const ValueHistogram> evenly(std::int64_t step, int low, int high, double each)
{
    auto histogram = std::make_shared<ValueHistogram>();
    histogram->step = step;
    histogram->minimum = low;
    histogram->maximum = high;
    for (int limit = low + 1; limit <= high; ++limit) {
        histogram->limits.push_back(limit);
        histogram->counts.push_back(each);
        histogram->count += each;
    }
    histogram->sum = histogram->count * (low + high) / 2.0;
    return histogram;
}

QImage pictureOf(QWidget& plot)
{
    plot.setPalette(lightPalette());
    return plot.grab().toImage();
}

double darkness(const QColor& color)
{
    return 255.0 - (color.red() + color.green() + color.blue()) / 3.0;
}

LineCurve lineOf(const QString& name, int color, const std::vector<QPointF>& points)
{
    return {name, color, points};
}

} // namespace

/// The small charts: what they draw, and what their cross-hair says.
class TestCardCharts : public QObject
{
    Q_OBJECT

private slots:
    static void init() { failOnOwnWarnings(); }

    // 30 values in the lower half and 10 in the upper: densities of 1.5 and 0.5 of what it were
    // evenly, of which 3 is full. The shade is the root of that share.
    static void Density_isThatOfTheCounts()
    {
        auto histogram = std::make_shared<ValueHistogram>();
        histogram->minimum = 0.0;
        histogram->maximum = 2.0;
        histogram->count = 40.0;
        histogram->limits = {1.0, 2.0};
        histogram->counts = {30.0, 10.0};
        const QImage picture =
            densityPicture({histogram}, {0.0, 2.0}, {10, 40}, {Qt::white, Qt::black});
        for (int y = 0; y < 40; ++y) {
            const double density = y < 20 ? 0.5 : 1.5; // the lowest value is at the bottom
            const double expected = 255.0 * std::sqrt(density / 3.0);
            QVERIFY(std::abs(darkness(picture.pixelColor(5, y)) - expected) <= 1.0);
        }
    }

    static void Density_columns_reachToTheMiddleBetweenSteps()
    {
        const HistogramRow row{evenly(0, 0, 1, 5.0), evenly(20, 1, 2, 5.0), evenly(100, 0, 1, 5.0)};
        const QImage picture = densityPicture(row, {0.0, 2.0}, {100, 2}, {Qt::white, Qt::black});
        for (int x = 0; x < 100; ++x) {
            const bool isSecond = x >= 10 && x < 60;
            QCOMPARE(darkness(picture.pixelColor(x, 0)) > 100.0, isSecond);
            QCOMPARE(darkness(picture.pixelColor(x, 1)) > 100.0, !isSecond);
        }
    }

    static void Histogram_crossHair_tellsStepBinAndCount()
    {
        HistogramPlot plot("Weights", "meaning");
        plot.resize(400, 300);
        plot.setHistograms({evenly(0, 0, 10, 5.0), evenly(100, 0, 10, 1234.0)});
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        QSignalSpy moved(&plot, &CardChart::crossHairMoved);
        const PlotScale scale = plot.scale();
        const QPointF at(scale.pixelX(90.0), scale.pixelY(3.5));
        QTest::mouseMove(&plot, at.toPoint());
        QTRY_VERIFY(!moved.isEmpty());
        const HoverCard card = plot.card();
        QCOMPARE(card.title, "step 100");
        QCOMPARE(card.rows[0].name, "3.00 to 4.00");
        QCOMPARE(card.rows[0].value, "1,234 of 12,340");
        QCOMPARE(card.rows[1].value, "5.00"); // the median
        plot.setCrossHair(10.0);              // another chart's: no value
        QCOMPARE(plot.card().title, "step 0");
        QCOMPARE(plot.card().rows[0].name, "median");
        plot.setCrossHair(std::nullopt);
        QVERIFY(plot.card().rows.empty());
        QVERIFY(plot.accessibleDescription().contains("0.00 to 10.0"));
    }

    static void Histogram_keys_moveTheCrossHair()
    {
        HistogramPlot plot("Weights", {});
        plot.resize(400, 300);
        plot.setHistograms(
            {evenly(0, 0, 10, 1.0), evenly(100, 0, 10, 1.0), evenly(300, 0, 10, 1.0)});
        const auto step = [&] { return plot.crossHair() ? plot.crossHair()->position : -1.0; };
        QTest::keyClick(&plot, Qt::Key_Left);
        QCOMPARE(step(), 300.0); // from nowhere to the newest
        QTest::keyClick(&plot, Qt::Key_Left);
        QCOMPARE(step(), 100.0);
        QTest::keyClick(&plot, Qt::Key_Home);
        QCOMPARE(step(), 0.0);
        QTest::keyClick(&plot, Qt::Key_Left);
        QCOMPARE(step(), 0.0);
        QTest::keyClick(&plot, Qt::Key_End);
        QCOMPARE(step(), 300.0);
        QTest::keyClick(&plot, Qt::Key_Up);
        QVERIFY(*plot.crossHair()->value > 5.0);
        QTest::keyClick(&plot, Qt::Key_Escape);
        QVERIFY(!plot.crossHair());
    }

    static void Card_isTakenAway_whenItsChartIsScrolledOrCovered()
    {
        HistogramPlot plot("Weights", {});
        plot.resize(400, 300);
        plot.setHistograms({evenly(0, 0, 10, 1.0), evenly(100, 0, 10, 1.0)});
        plot.show();
        const auto isThere = [&] {
            const auto* const card = plot.findChild<CardBubble*>();
            return card != nullptr && card->isVisible();
        };
        const QPoint point(200, 150);
        QTest::mouseMove(&plot, point);
        QVERIFY(isThere());
        QWheelEvent wheel(
            point, point, {}, QPoint(0, -120), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
            false);
        QApplication::sendEvent(&plot, &wheel);
        QVERIFY(!isThere() && !plot.crossHair());
        QTest::mouseMove(&plot, point + QPoint(3, 3));
        QVERIFY(isThere());
        QEvent deactivation(QEvent::WindowDeactivate);
        QApplication::sendEvent(&plot, &deactivation);
        QVERIFY(!isThere());
    }

    static void Histogram_oneValue_isDrawn()
    {
        HistogramPlot plot("Biases", {});
        plot.resize(400, 300);
        auto zeros = std::make_shared<ValueHistogram>(); // as biases begin
        zeros->count = 64.0;
        zeros->limits = {0.0, 1e-12};
        zeros->counts = {0.0, 64.0};
        plot.setHistograms({zeros});
        const PlotScale scale = plot.scale();
        QVERIFY(scale.bottom < 0.0 && scale.top > 0.0 && scale.last > scale.first);
        const QImage picture = pictureOf(plot);
        const QPoint at(
            static_cast<int>(scale.area.center().x()), static_cast<int>(scale.pixelY(0.0)));
        QVERIFY(darkness(picture.pixelColor(at)) > 60.0);
    }

    static void Histogram_none_showsTheText()
    {
        HistogramPlot plot("Weights", {});
        plot.setEmptyText("pool1 has none");
        plot.resize(300, 200);
        pictureOf(plot);
        QCOMPARE(plot.accessibleDescription(), "pool1 has none");
        QTest::keyClick(&plot, Qt::Key_Left);
        QVERIFY(!plot.crossHair());
    }

    static void Lines_crossHair_tellsTheValues()
    {
        LinePlot plot({"Load", {}, {100.0, 0, " %"}, XAxis::WallTime, 1.0});
        plot.resize(400, 200);
        plot.setSpan(0.0, 120.0);
        plot.setCurves(
            {lineOf("cuda:0", 0, {{0, 0.25}, {60, 0.5}, {120, 0.75}}),
             lineOf("cuda:1", 1, {{0, 1.0}, {61, 0.9}})},
            "cuda:0 75 %");
        QCOMPARE(plot.scale().top, 1.0);
        plot.setCrossHair(60.0);
        const HoverCard card = plot.card();
        QCOMPARE(card.title, "1 min 0 s");
        QCOMPARE(card.rows.size(), std::size_t{2});
        QCOMPARE(card.rows[0].value, "50 %");
        QCOMPARE(card.rows[1].name, "cuda:1");
        QCOMPARE(card.rows[1].value, "90 %");
        QCOMPARE(plot.summary(), "cuda:0 75 %");
    }

    static void Lines_breaks_areNotDrawn()
    {
        LinePlot plot({"Power", {}, {1.0, 0, " W"}, XAxis::WallTime, {}});
        plot.resize(600, 200);
        plot.setSpan(0.0, 100.0);
        plot.setCurves(
            {lineOf(
                "cpu", 0,
                {{0, 50},
                 {10, 50},
                 {20, 50},
                 {30, 50},
                 {40, NAN},
                 {70, 50},
                 {80, 50},
                 {90, 50},
                 {100, 50}})},
            {});
        const QImage picture = pictureOf(plot);
        const PlotScale scale = plot.scale();
        const auto isInked = [&](double position) {
            const QRgb at = picture.pixel(
                static_cast<int>(scale.pixelX(position)), static_cast<int>(scale.pixelY(50.0)));
            return qBlue(at) > qRed(at) + 60;
        };
        QVERIFY(isInked(15.0) && isInked(85.0));
        QVERIFY(!isInked(50.0));
        plot.setCrossHair(69.0);
        QCOMPARE(plot.card().rows[0].value, "50 W");
    }

    static void Lines_marks_areSaidWhereTheyAre()
    {
        LinePlot plot({"Power", {}, {1.0, 0, " W"}, XAxis::WallTime, {}});
        plot.resize(600, 200);
        plot.setSpan(0.0, 100.0);
        plot.setCurves({lineOf("cuda:0", 0, {{0, 9}, {50, 9}, {100, 9}})}, {});
        const QImage before = pictureOf(plot);
        plot.setMarks({{50.0, "slowed: heat"}});
        const QImage after = pictureOf(plot);
        const PlotScale scale = plot.scale();
        const QPoint at(
            static_cast<int>(scale.pixelX(50.0)), static_cast<int>(scale.area.top()) + 1);
        QVERIFY(before.pixel(at) != after.pixel(at));
        QVERIFY(qRed(after.pixel(at)) > qBlue(after.pixel(at)) + 60);
        plot.setCrossHair(50.0);
        QCOMPARE(plot.card().rows.back().name, "slowed: heat");
        plot.setCrossHair(100.0);
        QCOMPARE(plot.card().rows.size(), std::size_t{1});
    }

    static void Lines_palette_isFollowed()
    {
        LinePlot plot({"Load", {}, {}, XAxis::Step, 1.0});
        plot.resize(300, 150);
        plot.setCurves({lineOf("a", 0, {{0, 0.5}, {1, 0.5}})}, {});
        const QImage light = pictureOf(plot);
        plot.setPalette(darkPalette());
        const QImage dark = plot.grab().toImage();
        QVERIFY(qGray(light.pixel(150, 140)) > 200);
        QVERIFY(qGray(dark.pixel(150, 140)) < 80);
    }

    static void Lines_logarithmicAxis_hasDecadesEquallyFarApart()
    {
        LinePlot::Settings settings;
        settings.isLogarithmic = true;
        LinePlot plot(settings);
        plot.resize(400, 240);
        plot.setSpan(0.0, 2.0);
        plot.setCurves({lineOf({}, 0, {{0, 0.1}, {1, 0.01}, {2, 0.001}})}, {});
        const PlotScale scale = plot.scale();
        QVERIFY(scale.bottom > 0.0 && scale.bottom < 0.001 && scale.top > 0.1);
        const double first = scale.pixelY(0.01) - scale.pixelY(0.1);
        QVERIFY(first > 30.0);
        QVERIFY(std::abs(scale.pixelY(0.001) - scale.pixelY(0.01) - first) < 0.01);
        plot.setCurves({lineOf({}, 0, {{0, 0.1}, {2, 0.0}})}, {}); // nothing is there for 0
        QVERIFY(std::isfinite(plot.scale().bottom) && plot.scale().bottom > 0.0);
        QVERIFY(!plot.grab().isNull());
    }

    // What lies between two heights in the curve's colour, in the column of the dot.
    static void Lines_dots_reachAsFarAsTheirRanges()
    {
        LinePlot plot({"Speed-up", {}, {}, XAxis::Step});
        plot.resize(400, 240);
        plot.setSpan(0.0, 4.0);
        LineCurve dots{{}, 0, {{2, 2}, {3, 4}}, KeyShape::Dot, Ink::Accent};
        const QColor accent = themeColors(lightPalette()).accent;
        const auto inked = [&] {
            plot.setCurves({dots}, {});
            const QImage picture = pictureOf(plot);
            const int column = qFloor(plot.scale().pixelX(2.0));
            int count = 0;
            for (int y = 0; y < picture.height(); ++y) {
                const QColor pixel = picture.pixelColor(column, y);
                count +=
                    std::abs(pixel.red() - accent.red()) + std::abs(pixel.blue() - accent.blue())
                            < 120
                        ? 1
                        : 0;
            }
            return count;
        };
        const int plain = inked();
        QVERIFY2(plain >= 5 && plain < 14, qPrintable(QString::number(plain)));
        dots.ranges = {{1.0, 3.0}, {4.0, 4.0}};
        const int ranged = inked(); // which also makes room for the range
        const double expected = plot.scale().pixelY(1.0) - plot.scale().pixelY(3.0);
        QVERIFY2(std::abs(ranged - expected) < 6, qPrintable(QString::number(ranged)));
    }

    static void Lines_farOutside_areDrawn()
    {
        LinePlot plot({"a", {}, {}, XAxis::Step});
        plot.setSpan(0.0, 2.0);
        for (const KeyShape style : {KeyShape::Line, KeyShape::Dashes, KeyShape::Dot}) {
            LineCurve curve{{}, 0, {{-1e300, 1e9}, {1e300, -1e9}}};
            curve.style = style;
            plot.setCurves({curve}, {});
            plot.resize(plot.minimumSizeHint());
            QVERIFY(!plot.grab().isNull());
            plot.resize(1, 1);
            QVERIFY(!plot.grab().isNull());
        }
    }
};
} // namespace lockstep::ui

LOCKSTEP_TEST(lockstep::ui::TestCardCharts)
#include "test_card_charts.moc"
