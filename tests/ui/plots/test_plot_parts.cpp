// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/axes/number_text.h"
#include "plots/axes/ticks.h"
#include "plots/curves/curve_columns.h"
#include "plots/parts/plot_header.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"
#include "theme/icons.h"
#include "theme/tower_colors.h"

#include <QtWidgets>

#include <array>
#include <cmath>
#include <random>

using namespace lockstep::ui;

namespace {

/// What a pixel becomes when the colours are laid over each other one by one, in real numbers.
std::array<double, 4> overdrawn(const std::vector<ColumnLayer>& layers, int column, int y)
{
    std::array<double, 4> pixel{};
    for (const ColumnLayer& layer : layers) {
        const ColumnLayer::Stroke stroke = layer.strokes[static_cast<std::size_t>(column)];
        if (y < stroke.top || y >= stroke.end) {
            continue;
        }
        const double alpha = layer.color.alphaF();
        const std::array<double, 4> color{
            layer.color.redF() * alpha, layer.color.greenF() * alpha, layer.color.blueF() * alpha,
            alpha};
        for (std::size_t i = 0; i < 4; ++i) {
            pixel[i] = color[i] + pixel[i] * (1.0 - alpha);
        }
    }
    return pixel;
}

using Linear = std::array<double, 3>;

/// How people who lack the red or the green cones see a colour: Machado, Oliveira and Fernandes
/// (2009), severity 1, in linear RGB.
constexpr std::array<std::array<Linear, 3>, 3> kVisions{{
    {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}},
    {{{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
}};

Linear seen(const QColor& color, const std::array<Linear, 3>& vision)
{
    const auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const Linear in{linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
    Linear out{};
    for (std::size_t i = 0; i < 3; ++i) {
        out[i] = std::clamp(
            vision[i][0] * in[0] + vision[i][1] * in[1] + vision[i][2] * in[2], 0.0, 1.0);
    }
    return out;
}

/// CIE 1976 L*a*b* under D65.
Linear labOf(const Linear& rgb)
{
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116.0; };
    const double x = f((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505);
    const double y = f(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
    const double z = f((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089);
    return {116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)};
}

double difference(const QColor& a, const QColor& b, const std::array<Linear, 3>& vision)
{
    const Linear first = labOf(seen(a, vision));
    const Linear second = labOf(seen(b, vision));
    return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

QImage headerImage(PlotHeader header, int width)
{
    QImage image(width, 24, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintHeader(painter, QRectF(0, 0, width, 24), header, QFont(), themeColors(lightPalette()));
    return image;
}

} // namespace

class TestPlotParts : public QObject
{
    Q_OBJECT

private slots:
    void ColumnImage_randomLayers_equalsOverdrawing()
    {
        std::mt19937 random(4);
        std::uniform_int_distribution<int> row(-10, 70);
        std::uniform_int_distribution<int> channel(0, 255);
        std::vector<ColumnLayer> layers(7);
        for (ColumnLayer& layer : layers) {
            layer.color =
                QColor(channel(random), channel(random), channel(random), channel(random));
            for (int column = 0; column < 40; ++column) {
                layer.strokes.push_back({row(random), row(random)});
            }
        }
        QImage image(40, 60, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        paintColumns(image, layers);
        for (int y = 0; y < image.height(); ++y) {
            const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
            for (int x = 0; x < image.width(); ++x) {
                const std::array<double, 4> expected = overdrawn(layers, x, y);
                const std::array<int, 4> actual{
                    qRed(line[x]), qGreen(line[x]), qBlue(line[x]), qAlpha(line[x])};
                for (std::size_t i = 0; i < 4; ++i) {
                    QVERIFY(std::abs(actual[i] - 255.0 * expected[i]) <= 4.0);
                }
            }
        }
    }

    void Caption_tooLong_isCutBetweenFigures()
    {
        const QFontMetricsF metrics{QFont()};
        const QString text = "mean 0.777 · last tower 0.775 · all 12,340 steps";
        QCOMPARE(elidedAtParts(text, metrics, 1e4), text);
        const double width = metrics.horizontalAdvance(text);
        QCOMPARE(elidedAtParts(text, metrics, width - 1), "mean 0.777 · last tower 0.775");
        QCOMPARE(elidedAtParts(text, metrics, 0.4 * width), "mean 0.777");
        const QString names = "train batch 11 % · test, raw 12 %";
        QCOMPARE(
            elidedAtParts(names, metrics, metrics.horizontalAdvance(names) - 1),
            "train batch 11 %");
        for (const double share : {0.05, 0.1, 0.2}) {
            const QString cut = elidedAtParts(text, metrics, share * width);
            QVERIFY(metrics.horizontalAdvance(cut) <= share * width);
        }
    }

    void Header_longCaption_neverTouchesTheTitle_data()
    {
        lockstep::test::addNumberRows("width", {90, 140, 200, 300, 500, 900});
    }
    void Header_longCaption_neverTouchesTheTitle()
    {
        QFETCH(const int, width);
        PlotHeader header{"Reported or true", {}, {}};
        const QImage alone = headerImage(header, width);
        header.caption = "Var(last) ÷ Var(mean) = 4.03, expected 4 · last tower off by +0.2 %";
        header.keys = {{"last tower", KeyShape::Dashes, {Qt::red}}};
        const QImage full = headerImage(header, width);
        QFont bold;
        bold.setWeight(QFont::DemiBold);
        const int titleEnd = std::min(
            width, static_cast<int>(QFontMetricsF(bold).horizontalAdvance(header.title)) + 6);
        QCOMPARE(full.copy(0, 0, titleEnd, 24), alone.copy(0, 0, titleEnd, 24));
        if (width >= 200) {
            QVERIFY(full != alone);
        }
    }

    void Ticks_anyRange_areNiceAndWithin()
    {
        std::mt19937 random(21);
        std::uniform_real_distribution<double> exponent(-6, 9);
        for (int i = 0; i < 500; ++i) {
            const double first = (i % 3 - 1) * std::pow(10.0, exponent(random));
            // Below that share of their place, neighbouring ticks are hardly neighbouring doubles.
            const double width = std::max(std::pow(10.0, exponent(random)), 1e-9 * std::abs(first));
            const double last = first + width;
            const std::vector<Tick> ticks = linearTicks(first, last, 6, {});
            QVERIFY(ticks.size() <= 7);
            for (const Tick& tick : ticks) {
                QVERIFY(
                    tick.value >= first - 1e-6 * (last - first)
                    && tick.value <= last + 1e-6 * (last - first));
            }
            if (ticks.size() >= 2) {
                const double step = ticks[1].value - ticks[0].value;
                const double mantissa =
                    step / std::pow(10.0, std::floor(std::log10(step * 1.000001)));
                QVERIFY(
                    std::min(
                        {std::abs(mantissa - 1), std::abs(mantissa - 2), std::abs(mantissa - 5)})
                    < 1e-3);
            }
        }
    }

    void LogarithmicTicks_ofXAxes_areRoundAndWithin_data()
    {
        QTest::addColumn<int>("axis");
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("last");
        QTest::addColumn<int>("most");
        QTest::addColumn<QStringList>("labels");
        const auto row = [](const char* name, XAxis axis, std::pair<double, double> range, int most,
                            const QString& labels) {
            QTest::newRow(name) << static_cast<int>(axis) << range.first << range.second << most
                                << labels.split('|');
        };
        row("steps", XAxis::Step, {1, 1e6}, 8, "1|10|100|1,000|10,000|100,000|1,000,000");
        row("few steps", XAxis::Step, {3, 60}, 8, "5|10|20|50");
        row("every second decade", XAxis::Step, {1, 1e6}, 3, "1|100|10,000|1,000,000");
        row("examples", XAxis::Examples, {512, 5.2e7}, 6, "1,000|10,000|100 k|1 M|10 M");
        row("time", XAxis::WallTime, {0.02, 5e5}, 9, "0.1 s|1 s|10 s|1 min|10 min|1 h|10 h|24 h");
        row("minutes", XAxis::WallTime, {1, 200}, 9, "1 s|2 s|5 s|10 s|20 s|1 min|2 min");
        row("epochs", XAxis::Epoch, {0.01, 100}, 6, "0.01|0.1|1|10|100");
        row("no decade", XAxis::Step, {100, 200}, 5, "100|120|140|160|180|200");
    }
    void LogarithmicTicks_ofXAxes_areRoundAndWithin()
    {
        QFETCH(const int, axis);
        QFETCH(const double, first);
        QFETCH(const double, last);
        QFETCH(const int, most);
        QFETCH(const QStringList, labels);
        QStringList actual;
        for (const Tick& tick : xTicks(static_cast<XAxis>(axis), first, last, most, true)) {
            QVERIFY(tick.value >= 0.999 * first && tick.value <= 1.001 * last);
            actual << tick.label;
        }
        QCOMPARE(actual, labels);
    }

    void Labels_figures_readWell_data()
    {
        QTest::addColumn<QString>("actual");
        QTest::addColumn<QString>("expected");
        const auto row = [](const QString& actual, const QString& expected) {
            QTest::addRow("%s", qPrintable(expected)) << actual << expected;
        };
        row(numberText(24310.4, {1.0, 0, {}}), "24,310");
        row(numberText(0.842, {100.0, 1, " %"}), "84.2 %");
        row(numberText(0.00001, {}), "0.000010");
        row(numberText(-0.0000961, {1.0, 4, {}}), "−0.000096");
        row(numberText(0.00000001, {}), "1.00e−08");
        row(numberText(std::nan(""), {}), "not a number");
        row(countText(1'000'000), "1,000,000");
        row(durationText(20'820), "5 h 47 min");
        row(durationText(59.7), "1 min 0 s");
        row(axisText(0.75, 0.25, {}), "0.75");
        row(axisText(20'000, 10'000, {}), "20,000");
        row(axisText(2'500'000, 500'000, {}), "2.5 M");
        row(axisText(0.5, 0.5, {100.0, 1, " %"}), "50 %");
        row(axisText(-0.4, 0.1, {}), "−0.4");
        row(axisText(-2e-7, 1e-7, {}), "−2e−07");
        row(axisTimeText(90, 30), "90 s");
        row(axisTimeText(150, 30), "2:30 min");
        row(axisTimeText(5400, 1800), "90 min");
        row(axisTimeText(9000, 1800), "2:30 h");
        row(axisTimeText(7200, 3600), "2 h");
    }
    void Labels_figures_readWell()
    {
        QFETCH(const QString, actual);
        QFETCH(const QString, expected);
        QCOMPARE(actual, expected);
    }

    void Colors_chosen_areKeptAsText()
    {
        const ThemeColors theme = themeColors(lightPalette());
        const QColor usual = towerColor(2, theme);
        const ColorOwner tower{ColorOwner::Kind::Tower, 2};
        chooseColor(tower, QColor(10, 20, 30));
        chooseColor({ColorOwner::Kind::Overlay, 1}, QColor(200, 0, 0));
        const QString text = chosenColors();
        setChosenColors({});
        QCOMPARE(towerColor(2, theme), usual);
        setChosenColors(text + " t #123456 x3 #000000 t5 blau t6");
        QCOMPARE(chosenColors(), text);
        QCOMPARE(towerColor(2, theme), QColor(10, 20, 30));
        QCOMPARE(overlayColor(1, theme), QColor(200, 0, 0));
        QVERIFY(overlayColor(6, theme) != QColor(10, 20, 30));
        // White on white would be gone.
        chooseColor(tower, QColor(Qt::white));
        QVERIFY(contrast(towerColor(2, theme), theme.card) > 1.5);
        setChosenColors({});
    }

    void TowerColors_anyVision_areToldApart_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<int>("vision");
        for (const bool isDark : {false, true}) {
            for (int vision = 0; vision < 3; ++vision) {
                QTest::addRow("%s %d", isDark ? "dark" : "light", vision) << isDark << vision;
            }
        }
    }
    void TowerColors_anyVision_areToldApart()
    {
        QFETCH(const bool, isDark);
        QFETCH(const int, vision);
        const ThemeColors theme = themeColors(isDark ? darkPalette() : lightPalette());
        QCOMPARE(theme.isDark, isDark);
        std::vector<QColor> colors{theme.text, theme.card};
        for (int tower = 0; tower < 8; ++tower) {
            colors.push_back(towerColor(tower, theme));
        }
        for (std::size_t i = 0; i < colors.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const double apart =
                    difference(colors[i], colors[j], kVisions[static_cast<std::size_t>(vision)]);
                QVERIFY2(apart > 15.0, qPrintable(QString("%1 %2: %3").arg(i).arg(j).arg(apart)));
            }
        }
    }

    void Icons_allNames_followTheTextColor()
    {
        for (int name = 0; name <= static_cast<int>(IconName::Warning); ++name) {
            for (const QColor& color : {QColor(Qt::red), QColor(Qt::blue)}) {
                const QImage image =
                    iconPixmap(static_cast<IconName>(name), {20, 20}, 2.0, color).toImage();
                int inked = 0;
                for (int y = 0; y < image.height(); ++y) {
                    for (int x = 0; x < image.width(); ++x) {
                        inked += image.pixelColor(x, y) == color ? 1 : 0;
                    }
                }
                QVERIFY2(inked > 30, qPrintable(QString("icon %1").arg(name)));
            }
        }
    }
};

LOCKSTEP_TEST(TestPlotParts)
#include "test_plot_parts.moc"
