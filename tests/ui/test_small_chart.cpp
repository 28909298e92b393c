// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/small_chart.h"
#include "theme/palette.h"

#include <QApplication>
#include <QImage>
#include <QTest>

using namespace lockstep::ui;

namespace {

bool isLike(const QColor& color, const QColor& ink)
{
    const int distance = std::abs(color.red() - ink.red()) + std::abs(color.green() - ink.green())
                         + std::abs(color.blue() - ink.blue());
    return distance < 160; // also at the edge of a line
}

/// Where pixels of a colour lie.
QRect areaOf(const QImage& image, const QColor& color)
{
    QRect area;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (isLike(image.pixelColor(x, y), color)) {
                area |= QRect(x, y, 1, 1);
            }
        }
    }
    return area;
}

QImage pictureOf(SmallChart& chart)
{
    chart.resize(400, 200);
    return chart.grab().toImage();
}

} // namespace

class TestSmallChart : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QLocale::setDefault({QLocale::English, QLocale::UnitedStates});
        QApplication::setPalette(lightPalette());
    }
    void Curve_drawn_liesWhereItsValuesAre();
    void LogAxis_decades_areEquallyFarApart();
    void Ranges_drawn_reachBeyondTheirDots();
    void Picture_ofOddData_isDrawn_data();
    void Picture_ofOddData_isDrawn();
};

void TestSmallChart::Curve_drawn_liesWhereItsValuesAre()
{
    const QColor accent = themeColors(lightPalette()).accent;
    SmallChart chart;
    chart.setAxes({0.0, 10.0}, {0.0, 10.0});
    chart.setCurves({{{}, {{0, 5}, {10, 5}}}});
    const QRect level = areaOf(pictureOf(chart), accent);
    QVERIFY(level.height() <= 3 && level.width() > 300);
    chart.setCurves({{{}, {{0, 10}, {10, 10}}}});
    const QRect top = areaOf(pictureOf(chart), accent);
    chart.setCurves({{{}, {{0, 0}, {10, 0}}}});
    const QRect bottom = areaOf(pictureOf(chart), accent);
    QVERIFY(std::abs(top.center().y() + bottom.center().y() - 2 * level.center().y()) <= 2);
    QVERIFY(bottom.top() - top.top() > 100);
}

void TestSmallChart::LogAxis_decades_areEquallyFarApart()
{
    const QColor accent = themeColors(lightPalette()).accent;
    SmallChart chart;
    chart.setAxes({0.0, 1.0}, {0.001, 0.1, true});
    std::vector<int> heights;
    for (const double value : {0.1, 0.01, 0.001}) {
        chart.setCurves({{{}, {{0, value}, {1, value}}}});
        heights.push_back(areaOf(pictureOf(chart), accent).center().y());
    }
    QVERIFY(heights[1] - heights[0] > 50);
    QVERIFY(std::abs(heights[2] - heights[1] - (heights[1] - heights[0])) <= 2);
}

void TestSmallChart::Ranges_drawn_reachBeyondTheirDots()
{
    const QColor accent = themeColors(lightPalette()).accent;
    SmallChart chart;
    chart.setAxes({0.0, 4.0, false, true}, {0.0, 4.0, false, true});
    SmallCurve dots{{}, {{2, 2}}, SmallCurve::Style::Dots};
    chart.setCurves({dots});
    const int plain = areaOf(pictureOf(chart), accent).height();
    dots.ranges = {{1.0, 3.0}};
    chart.setCurves({dots});
    const QImage ranged = pictureOf(chart);
    QVERIFY2(plain >= 5 && plain < 12, QByteArray::number(plain).constData());
    QVERIFY2(
        areaOf(ranged, accent).height() > 60,
        QByteArray::number(areaOf(ranged, accent).height()).constData());
}

void TestSmallChart::Picture_ofOddData_isDrawn_data()
{
    QTest::addColumn<std::vector<QPointF>>("points");
    QTest::newRow("none") << std::vector<QPointF>{};
    QTest::newRow("one") << std::vector<QPointF>{{1, 1}};
    QTest::newRow("outside") << std::vector<QPointF>{{-1e9, 1e9}, {1e9, -1e9}};
}

void TestSmallChart::Picture_ofOddData_isDrawn()
{
    QFETCH(const std::vector<QPointF>, points);
    SmallChart chart;
    chart.setAxes({0.0, 2.0}, {1.0, 2.0, true});
    chart.setCurves({{QStringLiteral("a"), points}, {{}, points, SmallCurve::Style::Dots}});
    chart.resize(chart.minimumSizeHint());
    QVERIFY(!chart.grab().isNull());
    chart.resize(1, 1);
    QVERIFY(!chart.grab().isNull());
}

QTEST_MAIN(TestSmallChart)
#include "test_small_chart.moc"
