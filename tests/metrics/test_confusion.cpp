// SPDX-License-Identifier: Apache-2.0
#include "metrics/evaluation_record.h"
#include "metrics/scores/confusion.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace lockstep;

namespace {

/// Of logits in float64, by sorting: is the label's among the k largest? Equal ones count as
/// inside.
bool isAmongLargest(const std::vector<float>& logits, std::int32_t label, std::size_t k)
{
    std::vector<double> sorted(logits.begin(), logits.end());
    std::ranges::sort(sorted, std::greater<>());
    return static_cast<double>(logits[static_cast<std::size_t>(label)]) >= sorted[k - 1];
}

double probabilityOf(const std::vector<float>& logits, std::int32_t number)
{
    long double sum = 0.0L;
    for (const float logit : logits) {
        sum += std::exp(static_cast<long double>(logit));
    }
    return static_cast<double>(
        std::exp(static_cast<long double>(logits[static_cast<std::size_t>(number)])) / sum);
}

ClassifiedImage imageOf(std::int32_t label, std::int32_t predicted)
{
    ClassifiedImage image;
    image.label = label;
    image.predicted = predicted;
    return image;
}

} // namespace

/// What logits say of images, and what many images say of a network, held against counting by hand.
class TestConfusion : public QObject
{
    Q_OBJECT

private slots:
    static void Image_isClassified_asByBruteForce_data();
    static void Image_isClassified_asByBruteForce();
    static void Ties_atTheBorder_areInside();
    static void Logits_thatAreNotFinite_areNeverRight();
    static void Cells_areTheMatrix_rowsAddUpToTheImages();
    static void Figures_areThoseOfAMatrixByHand();
    static void MacroRecall_leavesEmptyClassesOut();
    static void Worst_andMostConfused_areInOrder();
    static void Mistakes_areInTheirOrder();
    static void TopFive_withoutAny_isNoNumber();
};

void TestConfusion::Image_isClassified_asByBruteForce_data()
{
    QTest::addColumn<int>("classes");
    QTest::addColumn<bool>("hasTies");
    QTest::newRow("10 classes") << 10 << false;
    QTest::newRow("10 classes, many ties") << 10 << true;
    QTest::newRow("1001 classes") << 1001 << false;
    QTest::newRow("2 classes") << 2 << false;
}

void TestConfusion::Image_isClassified_asByBruteForce()
{
    QFETCH(const int, classes);
    QFETCH(const bool, hasTies);
    std::mt19937 random(7);
    std::uniform_real_distribution<float> any(-8.0F, 8.0F);
    std::uniform_int_distribution<int> few(0, 2);
    std::uniform_int_distribution<std::int32_t> labels(0, classes - 1);
    for (int i = 0; i < 300; ++i) {
        std::vector<float> logits(static_cast<std::size_t>(classes));
        std::ranges::generate(
            logits, [&] { return hasTies ? static_cast<float>(few(random)) : any(random); });
        const std::int32_t label = labels(random);
        const ClassifiedImage image = classifiedImage(i, label, logits);
        QCOMPARE(image.example, std::int64_t{i});
        QCOMPARE(image.label, label);
        std::int32_t first = 0;
        for (std::int32_t number = 1; number < classes; ++number) {
            first =
                logits[static_cast<std::size_t>(number)] > logits[static_cast<std::size_t>(first)]
                    ? number
                    : first;
        }
        QCOMPARE(image.predicted, first);
        for (const int k : {1, 2, 5}) {
            if (k <= classes) {
                QCOMPARE(
                    image.isInTop(k), isAmongLargest(logits, label, static_cast<std::size_t>(k)));
            }
        }
        QVERIFY(!image.isCorrect() || image.isInTop(1));
        const double predicted = probabilityOf(logits, first);
        QVERIFY(std::abs(static_cast<double>(image.probability) - predicted) < 1e-6);
        QVERIFY(std::abs(image.labelProbability() - probabilityOf(logits, label)) < 1e-6);
        QVERIFY(
            std::abs(static_cast<double>(image.loss) + std::log(probabilityOf(logits, label)))
            < 1e-5);
    }
}

void TestConfusion::Ties_atTheBorder_areInside()
{
    const std::vector<float> logits{3, 1, 1, 1, 1, 1, 1, 0};
    const ClassifiedImage tied = classifiedImage(0, 6, logits); // the sixth of six equal ones
    QCOMPARE(tied.rank, 1);
    QVERIFY(tied.isInTop(5) && tied.isInTop(2) && !tied.isInTop(1));
    QVERIFY(!classifiedImage(0, 7, logits).isInTop(5));
    QVERIFY(classifiedImage(0, 7, logits).isInTop(8));
    // Of equal largest ones the first is predicted: all equal is no perfect network.
    const std::vector<float> equal(10, 0.5F);
    QCOMPARE(classifiedImage(0, 3, equal).predicted, 0);
    QVERIFY(!classifiedImage(0, 3, equal).isCorrect());
}

void TestConfusion::Logits_thatAreNotFinite_areNeverRight()
{
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), kInfinite}) {
        for (std::size_t place = 0; place < 6; ++place) {
            std::vector<float> logits{0, 1, 2, 3, 4, 5};
            logits[place] = wrong;
            for (std::int32_t label = 0; label < 6; ++label) {
                const ClassifiedImage image = classifiedImage(0, label, logits);
                QCOMPARE(image.predicted, ClassifiedImage::kNoClass);
                QVERIFY(!image.isCorrect() && !image.isInTop(1) && !image.isInTop(6));
                QVERIFY(std::isnan(image.loss));
            }
        }
    }
}

void TestConfusion::Cells_areTheMatrix_rowsAddUpToTheImages()
{
    constexpr int kClasses = 7;
    std::mt19937 random(3);
    std::uniform_int_distribution<std::int32_t> number(0, kClasses - 1);
    std::vector<ClassifiedImage> images;
    std::int64_t matrix[kClasses][kClasses] = {};
    std::int64_t perLabel[kClasses] = {};
    std::int64_t perPrediction[kClasses] = {};
    for (int i = 0; i < 500; ++i) {
        const std::int32_t label = number(random) / 2; // classes 4 to 6 have no images
        const std::int32_t predicted = number(random);
        images.push_back(imageOf(label, predicted));
        ++matrix[label][predicted];
        ++perLabel[label];
        ++perPrediction[predicted];
    }
    images.push_back(imageOf(1, ClassifiedImage::kNoClass));
    ++perLabel[1];
    const auto cells = confusionCells(images);
    std::int64_t sum = 0;
    for (const ConfusionCell& cell : cells) {
        const bool isNone = cell.predicted == ClassifiedImage::kNoClass;
        QCOMPARE(cell.images, isNone ? 1 : matrix[cell.label][cell.predicted]);
        QVERIFY(cell.images > 0);
        sum += cell.images;
    }
    QCOMPARE(sum, std::int64_t{501});
    const auto counts = classCounts(cells, kClasses);
    QCOMPARE(counts.size(), std::size_t{kClasses});
    for (int label = 0; label < kClasses; ++label) {
        const ClassCount& count = counts[static_cast<std::size_t>(label)];
        QCOMPARE(
            count,
            (ClassCount{label, perLabel[label], matrix[label][label], perPrediction[label]}));
    }
}

/// cat: 5 right, 2 as dog, 1 as no class. dog: 1 as cat, 3 right. fish: no image, 2 cats more as
/// fish. bird: nothing at all.
void TestConfusion::Figures_areThoseOfAMatrixByHand()
{
    const std::vector<ConfusionCell> cells{
        {0, ClassifiedImage::kNoClass, 1}, {0, 0, 5}, {0, 1, 2}, {0, 2, 2}, {1, 0, 1}, {1, 1, 3}};
    const auto counts = classCounts(cells, 4);
    QCOMPARE(counts[0].recall(), 0.5);          // 5 of 10 cats
    QCOMPARE(counts[0].precision(), 5.0 / 6.0); // 5 of the 6 that were taken for cats
    QCOMPARE(counts[0].f1(), 2.0 * 0.5 * (5.0 / 6.0) / (0.5 + 5.0 / 6.0));
    QCOMPARE(counts[1].recall(), 0.75);
    QCOMPARE(counts[1].precision(), 0.6);
    QVERIFY(std::isnan(counts[2].recall()));
    QCOMPARE(counts[2].precision(), 0.0);
    QCOMPARE(counts[2].f1(), 0.0);
    QVERIFY(std::isnan(counts[3].precision()) && std::isnan(counts[3].f1()));
}

void TestConfusion::MacroRecall_leavesEmptyClassesOut()
{
    // 1 of 1 and 1 of 4: whatever there is more of.
    const std::vector<ClassifiedImage> images{
        imageOf(0, 0), imageOf(2, 2), imageOf(2, 0), imageOf(2, 1), imageOf(2, 0)};
    const auto counts = classCounts(confusionCells(images), 4);
    QCOMPARE(macroRecall(counts), 0.625);
    QVERIFY(std::isnan(macroRecall(classCounts({}, 4))));
}

void TestConfusion::Worst_andMostConfused_areInOrder()
{
    const std::vector<ConfusionCell> cells{{0, 0, 9}, {0, 1, 1}, {1, 0, 5}, {1, 1, 5},
                                           {2, 0, 3}, {2, 1, 5}, {2, 2, 2}};
    const auto counts = classCounts(cells, 5);
    const auto worst = worstClasses(counts, 2);
    QCOMPARE(worst.size(), std::size_t{2});
    QCOMPARE(worst[0].label, 2);
    QCOMPARE(worst[1].label, 1);
    QCOMPARE(worstClasses(counts, 9).size(), std::size_t{3}); // two have no images
    const auto confused = mostConfused(cells, 3);
    QCOMPARE(confused, (std::vector<ConfusionCell>{{1, 0, 5}, {2, 1, 5}, {2, 0, 3}}));
}

void TestConfusion::Mistakes_areInTheirOrder()
{
    std::vector<ClassifiedImage> images;
    const auto add = [&](std::int32_t predicted, float probability, float loss) {
        ClassifiedImage image = imageOf(1, predicted);
        image.example = std::ssize(images);
        image.probability = probability;
        image.loss = loss;
        images.push_back(image);
    };
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    add(0, 0.5F, 0.75F);
    add(1, 0.99F, 0.01F); // right
    add(2, 0.9F, 3.0F);
    add(ClassifiedImage::kNoClass, kNone, kNone);
    add(0, 0.6F, 5.0F);
    const auto examples = [&](MistakeOrder order, std::size_t most) {
        std::vector<std::int64_t> numbers;
        for (const ClassifiedImage& image : worstMistakes(images, order, most)) {
            numbers.push_back(image.example);
        }
        return numbers;
    };
    QCOMPARE(examples(MistakeOrder::Confident, 9), (std::vector<std::int64_t>{2, 4, 0, 3}));
    QCOMPARE(examples(MistakeOrder::Loss, 3), (std::vector<std::int64_t>{3, 4, 2}));
}

void TestConfusion::TopFive_withoutAny_isNoNumber()
{
    EvaluationRecord record;
    record.examples = 8;
    QVERIFY(std::isnan(record.topFive()));
    record.inTopFive = 6;
    QCOMPARE(record.topFive(), 0.75);
}

LOCKSTEP_TEST(TestConfusion)
#include "test_confusion.moc"
