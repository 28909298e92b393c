// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/series_store.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"
#include "ui/awkward_values.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <random>
#include <vector>

using namespace lockstep::ui;

namespace {

/// Sums straight from their definition, over all values as seen from one of them.
struct LineFit
{
    long double mean = 0.0L; ///< weighted
    long double line = 0.0L; ///< the straight line's height
};
LineFit fitAt(const std::vector<float>& values, std::size_t place, double weight)
{
    long double s[3] = {};
    long double t[2] = {};
    const auto here = static_cast<std::ptrdiff_t>(place);
    for (const std::ptrdiff_t direction : {-1, 1}) {
        long double power = direction < 0 ? 1.0L : static_cast<long double>(weight);
        for (std::ptrdiff_t i = direction < 0 ? here : here + 1;
             i >= 0 && i < std::ssize(values) && power > 1e-30L; i += direction) {
            const auto distance = static_cast<long double>(i - here);
            const auto value = static_cast<long double>(values[static_cast<std::size_t>(i)]);
            s[0] += power;
            s[1] += power * distance;
            s[2] += power * distance * distance;
            t[0] += power * value;
            t[1] += power * distance * value;
            power *= static_cast<long double>(weight);
        }
    }
    const long double determinant = s[0] * s[2] - s[1] * s[1];
    return {
        t[0] / s[0], determinant > 0.0L ? (s[2] * t[0] - s[1] * t[1]) / determinant : t[0] / s[0]};
}

std::vector<float> finiteOf(const std::vector<float>& values)
{
    std::vector<float> finite;
    std::ranges::copy_if(
        values, std::back_inserter(finite), [](float value) { return std::isfinite(value); });
    return finite;
}

/// The smoothed line at a finite row, from its definition: the fit, what it lacks at both ends to
/// lie among the ten values there, and the range of all.
double definedLine(const std::vector<float>& values, std::size_t row, double weight)
{
    const std::vector<float> finite = finiteOf(values);
    const auto place = static_cast<std::size_t>(std::count_if(
        values.begin(), values.begin() + static_cast<std::ptrdiff_t>(row),
        [](float value) { return std::isfinite(value); }));
    const std::size_t last = finite.size() - 1;
    const auto lacking = [&](long double height, std::size_t first) {
        const auto begin = finite.begin() + static_cast<std::ptrdiff_t>(first);
        const auto [least, greatest] = std::minmax_element(
            begin, begin + static_cast<std::ptrdiff_t>(std::min<std::size_t>(10, finite.size())));
        return std::clamp<long double>(height, *least, *greatest) - height;
    };
    const auto power = [&](std::size_t distance) {
        return std::pow(static_cast<long double>(weight), static_cast<long double>(distance));
    };
    // What is added at each end, so that both have what they lack whatever the other adds there.
    const long double fade = power(last);
    const long double first = lacking(fitAt(finite, 0, weight).line, 0);
    const long double ended = fitAt(finite, last, weight).line + fade * first;
    const long double end = fade * first + lacking(ended, finite.size() < 10 ? 0 : last - 9);
    const long double atFirst = (first - fade * end) / (1.0L - fade * fade);
    const long double atLast = (end - fade * first) / (1.0L - fade * fade);
    const auto [least, greatest] = std::ranges::minmax_element(finite);
    return static_cast<double>(std::clamp<long double>(
        fitAt(finite, place, weight).line + power(place) * atFirst + power(last - place) * atLast,
        *least, *greatest));
}

/// That of so many finite values, of which a weight may not smooth over more than a fifth.
double allowedWeight(double weight, const std::vector<float>& values)
{
    return allowedSmoothing(weight, std::ssize(finiteOf(values))).weight;
}

double widthOf(double weight)
{
    return (1.0 + weight) / (1.0 - weight);
}

} // namespace

/// Smoothed lines are what their definition says.
class TestCurveSmoothing : public QObject
{
    Q_OBJECT

private slots:
    void Smoothing_anyWeight_equalsDefinition_data()
    {
        lockstep::test::addNumberRows("weight", {0.0, 0.3, 0.9, 0.999});
    }
    void Smoothing_anyWeight_equalsDefinition()
    {
        QFETCH(const double, weight);
        std::mt19937 random(9);
        std::vector<float> values = awkwardValues(3000, random);
        values[0] = kNan;
        Series series = seriesOf(values);
        series.setSmoothing(weight);
        const double allowed = allowedWeight(weight, values);
        QCOMPARE(series.smoothing(), allowed);
        for (std::size_t row = 1; row < values.size(); row += row < 40 || row > 2960 ? 1 : 37) {
            if (std::isfinite(values[row])) {
                const double expected = definedLine(values, row, allowed);
                const double actual = series.smoothedAt(static_cast<std::int64_t>(row));
                QVERIFY2(
                    std::abs(actual - expected) <= 1e-4 * (1.0 + std::abs(expected)),
                    qPrintable(QString::number(row)));
            }
        }
    }

    void Smoothing_appendAfterChange_equalsRecomputing()
    {
        std::mt19937 random(3);
        const std::vector<float> values = awkwardValues(2000, random);
        Series grown(Smoothing::Line);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i == 700) {
                grown.setSmoothing(0.97);
            }
            grown.append(values[i]);
        }
        Series whole = seriesOf(values);
        whole.setSmoothing(0.97);
        for (std::int64_t row = 0; row < whole.size(); ++row) {
            const float a = grown.smoothedAt(row);
            const float b = whole.smoothedAt(row);
            const bool isClose = std::abs(a - b) <= 1e-4F * (1.0F + std::abs(b));
            QVERIFY(isClose || a == b || (std::isnan(a) && std::isnan(b)));
        }
    }

    // What is asked for while a run grows is the line of all that is there, at every row.
    void Smoothing_askedWhileGrowing_equalsDefinition()
    {
        std::mt19937 random(11);
        std::vector<float> values = awkwardValues(9000, random);
        Series series(Smoothing::Line);
        series.setSmoothing(0.98);
        for (std::size_t i = 0; i < values.size(); ++i) {
            series.append(values[i]);
            if (i % 997 != 0 || i == 0) {
                continue;
            }
            const std::vector<float> seen(
                values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            const double weight = allowedWeight(0.98, seen); // 0.98 from 495 values on
            for (std::size_t row = 0; row <= i; row += 1 + i / 40) {
                if (std::isfinite(values[row])) {
                    const double expected = definedLine(seen, row, weight);
                    const double actual = series.smoothedAt(static_cast<std::int64_t>(row));
                    QVERIFY(std::abs(actual - expected) <= 1e-3 * (1.0 + std::abs(expected)));
                }
            }
        }
    }

    // Nothing lags, and nothing is cut at the ends.
    void Smoothing_aStraightLine_staysWhereItIs()
    {
        for (const int count : {2, 9, 40, 2000}) {
            Series series(Smoothing::Line);
            series.setSmoothing(0.95);
            for (int i = 0; i < count; ++i) {
                series.append(static_cast<float>(2000 - i));
                QVERIFY(std::abs(series.smoothedAt(i) - series.at(i)) < 0.01F);
            }
            for (std::int64_t row = 0; row < count; ++row) {
                QVERIFY(std::abs(series.smoothedAt(row) - series.at(row)) < 0.01F);
            }
        }
    }

    void Smoothing_ofDistances_isAnAverageAndNeverBelow0()
    {
        std::mt19937 random(4);
        std::exponential_distribution<float> any;
        std::vector<float> values;
        Series series(Smoothing::Distance);
        series.setSmoothing(0.9);
        for (int i = 0; i < 600; ++i) {
            // Ends in a fall, where the line through it would go below 0.
            values.push_back(i == 300 ? kNan : i < 585 ? 3.0F * any(random) : 0.0F);
            series.append(values.back());
        }
        const std::vector<float> finite = finiteOf(values);
        for (std::size_t place = 0; place < finite.size(); ++place) {
            const auto row = static_cast<std::int64_t>(place < 300 ? place : place + 1);
            const float expected = static_cast<float>(fitAt(finite, place, 0.9).mean);
            QVERIFY(series.smoothedAt(row) >= 0.0F);
            QVERIFY(std::abs(series.smoothedAt(row) - expected) < 1e-5F);
        }
        QVERIFY(fitAt(finite, finite.size() - 1, 0.9).line < 0.0L);
    }

    // Slow steps count by the time that they took: of 100 examples each, 1 s or 0.1 s.
    void Smoothing_ofRates_isExamplesOverSeconds()
    {
        Series rate(Smoothing::Rate);
        rate.setSmoothing(0.9);
        for (int i = 0; i < 2000; ++i) {
            rate.append(i % 4 == 0 ? 100.0F : 1000.0F);
        }
        rate.append(0.0F); // of no known time
        rate.append(kNan);
        constexpr double kExpected = 400.0 / 1.3; // a mean of the rates would be 775
        for (std::int64_t row = 200; row < 1800; ++row) {
            QVERIFY(std::abs(rate.smoothedAt(row) / kExpected - 1.0) < 0.03);
        }
        for (std::int64_t row = 0; row < 2000; ++row) {
            QVERIFY(rate.smoothedAt(row) >= 99.9F && rate.smoothedAt(row) <= 1000.1F);
        }
        QCOMPARE(rate.smoothedAt(2000), 0.0F);
        QVERIFY(std::isnan(rate.smoothedAt(2001)));
        rate.beginAt(200.0, 0);
        QVERIFY(std::abs(rate.smoothedAt(0) - 200.0F) < 1e-2F);
        rate.setSmoothing(0.0);
        QCOMPARE(rate.smoothedAt(4), 100.0F);
    }

    // Behind a jump a straight line through both levels would end beyond the values.
    void Smoothing_behindAJump_endsAmongTheValues()
    {
        std::mt19937 random(8);
        std::normal_distribution<float> noise(0.0F, 0.05F);
        for (const int behind : {1, 5, 12, 18, 30}) {
            for (const double weight : {0.5, 0.9, 0.99}) {
                std::vector<float> values;
                for (int i = 0; i < 1500; ++i) {
                    values.push_back((i < 1500 - behind ? 2.0F : 0.3F) + noise(random));
                }
                Series series = seriesOf(values);
                series.setSmoothing(weight);
                const auto [least, greatest] = std::minmax_element(values.end() - 10, values.end());
                QVERIFY(series.smoothedAt(1499) >= *least - 1e-6F);
                QVERIFY(series.smoothedAt(1499) <= *greatest + 1e-6F);
                const auto [low, high] = std::ranges::minmax_element(values);
                for (std::int64_t row = 0; row < series.size(); ++row) {
                    QVERIFY(series.smoothedAt(row) >= *low && series.smoothedAt(row) <= *high);
                }
            }
        }
    }

    void Smoothing_ofAMillionValues_equalsDefinition()
    {
        std::mt19937 random(12);
        std::normal_distribution<float> noise(10'000.0F, 1.0F);
        std::vector<float> values(1'000'000);
        std::ranges::generate(values, [&] { return noise(random); });
        Series series(Smoothing::Line);
        series.setSmoothing(0.99);
        for (std::size_t i = 0; i < values.size(); ++i) {
            series.append(values[i]);
        }
        for (const std::size_t row : {0, 7, 1'500, 500'000, 999'300, 999'995, 999'999}) {
            const float actual = series.smoothedAt(static_cast<std::int64_t>(row));
            QVERIFY(std::abs(actual - definedLine(values, row, 0.99)) < 2e-3); // of a float there
        }
    }

    void Smoothing_ofFewValues_isOverAFifthOfThemAtMost()
    {
        for (const double weight : {0.3, 0.9, 0.99, 0.9999}) {
            double before = 0.0;
            int stages = 0;
            for (std::int64_t values = 0; values < 130'000; ++values) {
                const double allowed = allowedSmoothing(weight, values).weight;
                QVERIFY(allowed >= before && allowed <= weight);
                const double fifth = std::max(1.0, static_cast<double>(values) / 5.0);
                QVERIFY(widthOf(allowed) <= fifth * (1.0 + 1e-9)); // rounded
                // A fourth behind what there may be, at most.
                const double most = std::min(widthOf(weight), static_cast<double>(values) / 6.4);
                QVERIFY(widthOf(allowed) >= most * 0.999);
                stages += allowed > before ? 1 : 0;
                before = allowed;
            }
            QCOMPARE(before, weight);
            QVERIFY(stages < 50); // each smooths all anew
        }
        Series series(Smoothing::Line);
        series.setSmoothing(0.9);
        for (int step = 0; step < 9; ++step) { // no flat line
            series.append(static_cast<float>(std::exp(-0.3 * step)));
        }
        QVERIFY(series.smoothing() > 0.0);
        for (std::int64_t row = 0; row < 9; ++row) {
            QVERIFY(std::abs(series.smoothedAt(row) - series.at(row)) < 0.03F);
        }
    }

    void Smoothing_thatBeginsAtAHeight_comesBackToItsValues()
    {
        std::vector<float> values(200, 1.0F);
        Series series = seriesOf(values);
        series.beginAt(1.5, 0);
        QCOMPARE(series.smoothedAt(0), 1.0F); // what is not smoothed is what it is
        series.setSmoothing(0.9);
        QCOMPARE(series.smoothedAt(0), 1.5F);
        for (std::int64_t row = 1; row < 200; ++row) {
            const double expected = 1.0 + 0.5 * std::pow(0.9, static_cast<double>(row));
            QVERIFY(std::abs(series.smoothedAt(row) - expected) < 1e-5);
        }
        Series few = seriesOf({1.0F, 1.0F, 1.0F}); // behind as many as allow that weight
        few.setSmoothing(0.9);
        few.beginAt(1.5, 100);
        QCOMPARE(few.smoothing(), 0.9);
        QCOMPARE(few.smoothedAt(0), 1.5F);
        QVERIFY(few.smoothedAt(1) > 1.0F && few.smoothedAt(1) < 1.5F);
        series.beginAt(0.25, 0);
        QCOMPARE(series.smoothedAt(0), 0.25F);
        QCOMPARE(series.at(0), 1.0F);
    }

    void Smoothing_constantSeries_isThatConstantFromTheFirstValue()
    {
        Series series(Smoothing::Line);
        series.setSmoothing(0.99);
        for (int i = 0; i < 1000; ++i) {
            series.append(2.5F);
            QVERIFY(std::abs(series.smoothedAt(i) - 2.5F) < 1e-5F);
        }
    }

    // What a run was up to where it went another way stays, and the other way begins there.
    void Joints_keepTheLineUpToThem_andBeginAtItsHeight()
    {
        std::mt19937 random(6);
        std::normal_distribution<double> noise(0.0, 0.1);
        SeriesStore before({Smoothing::Line});
        SeriesStore grown({Smoothing::Line});
        SeriesStore opened({Smoothing::Line});
        for (SeriesStore* const store : {&before, &grown, &opened}) {
            store->setSmoothing(0.9);
        }
        QVERIFY(grown.setJoints({200, 300})); // one of them is yet to come
        QVERIFY(!grown.setJoints({200, 300}));
        for (std::int64_t step = 0; step < 290; ++step) {
            const std::vector<double> value{(step < 200 ? 2.0 : 1.0) + noise(random)};
            const Moment moment{step, 0.0, 0.0};
            grown.append(moment, value);
            opened.append(moment, value);
            if (step < 200) {
                before.append(moment, value);
            }
        }
        QVERIFY(opened.setJoints({200, 300}));
        const Series& line = grown.series(0);
        for (std::int64_t row = 0; row < 290; ++row) {
            QCOMPARE(line.smoothedAt(row), opened.series(0).smoothedAt(row));
            if (row < 200) {
                QCOMPARE(line.smoothedAt(row), before.series(0).smoothedAt(row));
            }
        }
        QCOMPARE(line.smoothedAt(200), line.smoothedAt(199));
        QVERIFY(std::abs(line.smoothedAt(200) - 2.0F) < 0.15F);
        QVERIFY(std::abs(line.smoothedAt(289) - 1.0F) < 0.15F);
        for (std::int64_t row = 202; row < 225; ++row) { // straight from one level to the other
            QVERIFY(line.smoothedAt(row) < line.smoothedAt(row - 1) + 0.01F);
        }
        QVERIFY(opened.setJoints({}));
        QVERIFY(std::abs(opened.series(0).smoothedAt(200) - 1.5F) < 0.15F);
    }
};

LOCKSTEP_TEST(TestCurveSmoothing)
#include "test_curve_smoothing.moc"
