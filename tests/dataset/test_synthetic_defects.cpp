// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/synthetic_defects.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <algorithm>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Mean grey level of the marked pixels less that of the others.
double contrastOf(const ExampleView& example)
{
    double sums[2] = {0.0, 0.0};
    double counts[2] = {0.0, 0.0};
    for (std::size_t i = 0; i < example.pixels.size(); ++i) {
        sums[example.mask[i]] += example.pixels[i];
        counts[example.mask[i]] += 1.0;
    }
    return sums[1] / counts[1] - sums[0] / counts[0];
}

} // namespace

class TestSyntheticDefects : public QObject
{
    Q_OBJECT

private slots:
    void Open_everySecond_hasADarkCrackThatIsMarked();
    void Open_sameSeed_isTheSame();
    void Open_otherSeedOrSplit_isAnother();
    void Open_dilation_widens();
    void Open_badNumbers_areRefused();
};

void TestSyntheticDefects::Open_everySecond_hasADarkCrackThatIsMarked()
{
    const auto dataset = openSyntheticDefects(Split::Train, {7, 40, 0});
    QCOMPARE(dataset->size(), 40);
    QVERIFY(dataset->info().hasMasks);
    QVERIFY((dataset->info().imageShape == Shape{kDefectHeight, kDefectWidth, 1}));
    for (std::int64_t i = 0; i < 40; ++i) {
        const ExampleView example = dataset->example(i);
        QCOMPARE(example.label, static_cast<std::int32_t>(i % 2));
        QCOMPARE(example.mask.empty(), i % 2 == 0);
        QCOMPARE(std::ssize(example.pixels), kDefectHeight * kDefectWidth);
        if (i % 2 == 1) {
            QCOMPARE(example.mask.size(), example.pixels.size());
            const auto marked = std::ranges::count(example.mask, 1);
            QVERIFY2(marked > 25 && marked < 600, qPrintable(QString::number(marked)));
            QVERIFY2(contrastOf(example) < -20.0, qPrintable(QString::number(contrastOf(example))));
        }
    }
}

void TestSyntheticDefects::Open_sameSeed_isTheSame()
{
    const auto a = openSyntheticDefects(Split::Test, {3, 6, 5});
    const auto b = openSyntheticDefects(Split::Test, {3, 8, 5});
    for (std::int64_t i = 0; i < 6; ++i) {
        QVERIFY(std::ranges::equal(a->example(i).pixels, b->example(i).pixels));
        QVERIFY(std::ranges::equal(a->example(i).mask, b->example(i).mask));
    }
}

void TestSyntheticDefects::Open_otherSeedOrSplit_isAnother()
{
    const auto a = openSyntheticDefects(Split::Train, {3, 2, 5});
    const auto seed = openSyntheticDefects(Split::Train, {4, 2, 5});
    const auto split = openSyntheticDefects(Split::Test, {3, 2, 5});
    QVERIFY(!std::ranges::equal(a->example(1).pixels, seed->example(1).pixels));
    QVERIFY(!std::ranges::equal(a->example(1).pixels, split->example(1).pixels));
}

void TestSyntheticDefects::Open_dilation_widens()
{
    const auto narrow = openSyntheticDefects(Split::Train, {3, 2, 0});
    const auto wide = openSyntheticDefects(Split::Train, {3, 2, 9});
    const auto few = narrow->example(1).mask;
    const auto many = wide->example(1).mask;
    QVERIFY(std::ranges::count(many, 1) > 2 * std::ranges::count(few, 1));
    for (std::size_t i = 0; i < few.size(); ++i) {
        QVERIFY(few[i] <= many[i]);
    }
}

void TestSyntheticDefects::Open_badNumbers_areRefused()
{
    for (const std::int64_t examples : {0, 1, 100'001}) {
        QVERIFY(tells(
            errorOf([&] {
                openSyntheticDefects(Split::Train, {1, examples, 5});
            }),
            ErrorCode::BadInput, "examples asked for"));
    }
    QVERIFY(tells(
        errorOf([] {
            openSyntheticDefects(Split::Train, {1, 2, 4});
        }),
        ErrorCode::BadInput, "dataset.dilation"));
}

LOCKSTEP_TEST(TestSyntheticDefects)
#include "test_synthetic_defects.moc"
