// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/value_histogram.h"
#include "engine/storage.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace lockstep::ui {
namespace {

/// As the engine records it.
ValueHistogram recorded(const std::vector<float>& values)
{
    return {histogramOf(values)};
}

/// Half of them zero, the others of both signs and of many sizes.
std::vector<float> values(std::size_t count)
{
    std::mt19937 random(3);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    std::vector<float> made(count);
    for (float& value : made) {
        const float size = normal(random);
        value = std::max(0.0F, normal(random)) * std::exp(size) * (size > 1.0F ? -1.0F : 1.0F);
    }
    return made;
}

} // namespace

/// What is told of recorded histograms, against the values that they are of.
class TestValueHistogram : public QObject
{
    Q_OBJECT

private slots:
    static void Bucket_holdsTheValuesThatAreCounted()
    {
        const std::vector<float> all = values(5000);
        const ValueHistogram histogram = recorded(all);
        std::vector<double> counts(histogram.counts.size());
        for (const float value : all) {
            const auto bucket = bucketOf(histogram, value);
            if (!bucket) {
                QCOMPARE(double{value}, histogram.maximum); // a limit of its own
                continue;
            }
            const BucketSpan span = bucketSpan(histogram, *bucket);
            QVERIFY(value >= span.low && value <= span.high);
            ++counts[*bucket];
        }
        for (std::size_t i = 0; i < counts.size(); ++i) {
            QCOMPARE(counts[i], histogram.counts[i]);
        }
        QVERIFY(!bucketOf(histogram, histogram.maximum * 1.01));
        QVERIFY(!bucketOf(histogram, histogram.minimum - 0.01));
    }

    static void Quantile_liesInTheBucketOfTheSortedValue()
    {
        std::vector<float> all = values(5000);
        const ValueHistogram histogram = recorded(all);
        std::ranges::sort(all);
        QCOMPARE(quantile(histogram, 0.0), histogram.minimum);
        QCOMPARE(quantile(histogram, 1.0), histogram.maximum);
        double before = histogram.minimum;
        for (double share = 0.01; share < 1.0; share += 0.01) {
            const double found = quantile(histogram, share);
            QVERIFY(found >= before);
            before = found;
            // At most the values of one bucket lie between the two.
            const auto place = static_cast<std::size_t>(std::ceil(share * 5000.0)) - 1;
            const BucketSpan span = bucketSpan(histogram, *bucketOf(histogram, all[place]));
            QVERIFY2(
                found >= span.low - 1e-9 && found <= span.high + 1e-9,
                qPrintable(QString("%1: %2 %3").arg(share).arg(found).arg(all[place])));
        }
    }

    static void Quantile_ofNothing_isZero()
    {
        QCOMPARE(quantile({}, 0.5), 0.0);
        QVERIFY(!bucketOf({}, 0.0));
        const ValueHistogram one = recorded({0.25F});
        QCOMPARE(quantile(one, 0.05), 0.25);
        QCOMPARE(quantile(one, 0.95), 0.25);
    }

    // Rows that are far wider than buckets: what lies near an edge may count in the neighbour.
    static void Rows_holdTheCountsOfTheValues()
    {
        std::mt19937 random(5);
        std::normal_distribution<float> normal(0.0F, 1.0F);
        std::vector<float> all(20'000);
        std::ranges::generate(all, [&] { return normal(random); });
        const ValueHistogram histogram = recorded(all);
        constexpr std::size_t kRows = 8;
        const BucketSpan range{-4.0, 4.0};
        const std::vector<double> rows = countsInRows(histogram, range, kRows);
        for (std::size_t row = 0; row < kRows; ++row) {
            const double low = -4.0 + static_cast<double>(row);
            const auto expected = static_cast<double>(std::ranges::count_if(
                all, [&](float value) { return value >= low && value < low + 1.0; }));
            QVERIFY2(
                std::abs(rows[row] - expected) <= 0.03 * 20'000,
                qPrintable(QString("%1: %2 %3").arg(low).arg(rows[row]).arg(expected)));
        }
        const auto inside = static_cast<double>(
            std::ranges::count_if(all, [](float value) { return std::abs(value) < 4.0F; }));
        QVERIFY(std::abs(std::accumulate(rows.begin(), rows.end(), 0.0) - inside) <= 5.0);
    }

    static void Rows_beyondTheRange_areLeftOut()
    {
        const ValueHistogram histogram = recorded({-3.0F, 0.0F, 0.0F, 0.5F, 7.0F});
        const std::vector<double> rows = countsInRows(histogram, {-1.0, 1.0}, 2);
        QCOMPARE(rows[0], 0.0);
        QVERIFY(std::abs(rows[1] - 3.0) < 1e-9);
        const std::vector<double> one = countsInRows(recorded({0.25F}), {0.0, 1.0}, 4);
        QCOMPARE(one, (std::vector<double>{0.0, 1.0, 0.0, 0.0}));
    }
};
} // namespace lockstep::ui

LOCKSTEP_TEST(lockstep::ui::TestValueHistogram)
#include "test_value_histogram.moc"
