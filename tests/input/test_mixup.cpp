// SPDX-License-Identifier: Apache-2.0
#include "input/batch_builder.h"
#include "input/input_pipeline.h"
#include "input/mixup.h"
#include "support/fake_dataset.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>
#include <span>

using namespace lockstep;
using namespace lockstep::test;

namespace {

PipelineSettings settingsWith(double mixup)
{
    PipelineSettings settings;
    settings.globalBatch = 12;
    settings.startPosition = 24;
    settings.distortion.mixup = mixup;
    return settings;
}

bool areSame(const Batch& a, const Batch& b)
{
    const auto areLike = [](const MixedLabel& one, const MixedLabel& other) {
        return one.other == other.other && one.share == other.share;
    };
    return a.images == b.images && a.labels == b.labels && a.ids == b.ids
           && std::ranges::equal(a.mixed, b.mixed, areLike);
}

} // namespace

class TestMixup : public QObject
{
    Q_OBJECT

private slots:
    void Draw_manyPairs_haveTheSpreadOfTheirDistribution();
    void Batch_isPairsOfThePlainOne();
    void Batch_isTheSameWhoeverMakesIt();
    void Evaluation_mixesNothing();
};

/// The larger one of a share and its rest is as far from a half: by the variance of
/// Beta(alpha, alpha), 1 / (8 alpha + 4).
void TestMixup::Draw_manyPairs_haveTheSpreadOfTheirDistribution()
{
    constexpr int kDraws = 20'000;
    for (const double alpha : {0.01, 0.2, 1.0, 8.0}) {
        double squares = 0.0;
        double least = 1.0;
        for (std::int64_t i = 0; i < kDraws; ++i) {
            const auto share = static_cast<double>(drawMixup(alpha, 5, 2 * i));
            QVERIFY(share >= 0.5 && share <= 1.0);
            squares += (share - 0.5) * (share - 0.5);
            least = std::min(least, share);
        }
        const double expected = 1.0 / (8.0 * alpha + 4.0);
        QVERIFY2(
            std::abs(squares / kDraws / expected - 1.0) < 0.03, qPrintable(QString::number(alpha)));
        QVERIFY(least < 0.51 || alpha < 0.1);
    }
    QCOMPARE(drawMixup(0.2, 5, 8), drawMixup(0.2, 5, 8));
    QVERIFY(drawMixup(0.2, 5, 8) != drawMixup(0.2, 5, 10));
    QVERIFY(drawMixup(0.2, 5, 8) != drawMixup(0.2, 6, 8));
    QVERIFY(drawMixup(0.2, 5, 8) != drawMixup(0.2, 5, 8 + (std::int64_t{1} << 32U)));
}

void TestMixup::Batch_isPairsOfThePlainOne()
{
    const FakeDataset dataset(40);
    const Batch plain = makeBatch(dataset, settingsWith(0.0), 1);
    const Batch mixed = makeBatch(dataset, settingsWith(0.4), 1);
    QVERIFY(plain.mixed.empty());
    QVERIFY(plain.ids == mixed.ids && plain.labels == mixed.labels);
    const auto values = static_cast<std::size_t>(plain.shape.elements());
    for (std::size_t row = 0; row < plain.labels.size(); ++row) {
        const std::size_t other = row ^ 1U;
        const float share = mixed.mixed[row].share;
        QCOMPARE(mixed.mixed[row].other, plain.labels[other]);
        QCOMPARE(share, drawMixup(0.4, 1, 36 + static_cast<std::int64_t>(row & ~std::size_t{1})));
        for (std::size_t i = 0; i < values; ++i) {
            const double expected =
                double{share} * double{plain.images[row * values + i]}
                + (1.0 - double{share}) * double{plain.images[other * values + i]};
            QVERIFY(std::abs(double{mixed.images[row * values + i]} - expected) < 1e-5);
        }
    }
}

/// Any number of loaders, each tower or rank for itself, or a run that was resumed.
void TestMixup::Batch_isTheSameWhoeverMakesIt()
{
    const FakeDataset dataset(40);
    PipelineSettings settings = settingsWith(0.4);
    const Batch whole = makeBatch(dataset, settings, 1);
    for (const int threads : {1, 5, 16}) {
        settings.threads = threads;
        InputPipeline pipeline(dataset, settings);
        pipeline.next();
        QVERIFY(areSame(*pipeline.next().batch, whole));
    }
    settings.startPosition += settings.globalBatch;
    QVERIFY(areSame(makeBatch(dataset, settings, 0), whole));
    settings.firstRow = 4;
    settings.rowCount = 4;
    const Batch part = makeBatch(dataset, settings, 0);
    const auto values = static_cast<std::size_t>(part.shape.elements());
    QVERIFY(
        std::ranges::equal(part.images, std::span(whole.images).subspan(4 * values, 4 * values)));
    QCOMPARE(part.mixed[3].share, whole.mixed[7].share);
}

void TestMixup::Evaluation_mixesNothing()
{
    const FakeDataset dataset(40);
    const Batch plain = makeBatch(dataset, settingsWith(0.0).forEvaluation(), 0);
    QVERIFY(areSame(makeBatch(dataset, settingsWith(1.0).forEvaluation(), 0), plain));
}

LOCKSTEP_TEST(TestMixup)
#include "test_mixup.moc"
