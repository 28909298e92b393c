// SPDX-License-Identifier: Apache-2.0
#include "storage/sql.h"
#include "storage/steps.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::int64_t kClasses = 10;

/// Of so many images, of which as many are classified correctly.
EvaluationRecord exampleEvaluation(
    std::int64_t step, WeightsKind weights, std::int64_t correct, std::int64_t examples = 300)
{
    EvaluationRecord record;
    record.step = step;
    record.weights = weights;
    record.examples = examples;
    record.correct = correct;
    record.accuracy = static_cast<double>(correct) / static_cast<double>(examples);
    record.inTopFive = correct + 7;
    std::mt19937 random(static_cast<unsigned>(step));
    std::uniform_int_distribution<std::int32_t> number(0, kClasses - 1);
    std::uniform_real_distribution<float> share(0.0F, 1.0F);
    for (std::int64_t i = 0; i < examples; ++i) {
        ClassifiedImage image;
        image.example = i;
        image.label = number(random);
        if (i % 50 != 7) { // those have no class
            image.predicted = number(random);
            image.rank = number(random);
            image.probability = share(random);
            image.loss = share(random);
        }
        record.classified.push_back(image);
    }
    return record;
}

/// Numbers that are none are the same, too.
bool isSame(const ClassifiedImage& a, const ClassifiedImage& b)
{
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    return a.example == b.example && a.label == b.label && a.predicted == b.predicted
           && a.rank == b.rank && bits(a.probability) == bits(b.probability)
           && bits(a.loss) == bits(b.loss);
}

} // namespace

/// What a network that classifies says of each image, in the run store.
class TestRunStoreClasses : public QObject
{
    Q_OBJECT

private slots:
    static void Images_comeBack_bitForBit();
    static void Images_areSmall();
    static void Kept_areTheNewestAndTheMostAccurate();
    static void Branch_hasItsOwn();
    static void Names_comeBack();
    static void Damage_isNoticed();
};

void TestRunStoreClasses::Images_comeBack_bitForBit()
{
    const TemporaryFolder folder;
    const auto average = exampleEvaluation(5, WeightsKind::Average, 100);
    const auto raw = exampleEvaluation(5, WeightsKind::Raw, 90, 1);
    {
        RunStore store(folder / "run.db");
        store.startBranch(exampleBranch(1));
        store.append(average);
        store.append(raw);
    }
    const RunStoreReader reader(folder / "run.db");
    const auto images = reader.classifiedImages(5, WeightsKind::Average);
    QVERIFY(std::ranges::equal(images, average.classified, isSame));
    QVERIFY(
        std::ranges::equal(reader.classifiedImages(5, WeightsKind::Raw), raw.classified, isSame));
    QVERIFY(reader.classifiedImages(6, WeightsKind::Raw).empty());
    for (const EvaluationRecord& record : reader.evaluations()) {
        QCOMPARE(
            record.inTopFive,
            record.weights == WeightsKind::Raw ? raw.inTopFive : average.inTopFive);
        QVERIFY(record.classified.empty());
    }
}

void TestRunStoreClasses::Images_areSmall()
{
    constexpr std::int64_t kImages = 50'000;
    const TemporaryFolder folder;
    EvaluationRecord record = exampleEvaluation(1, WeightsKind::Raw, 100, kImages);
    for (ClassifiedImage& image : record.classified) { // a whole one of ImageNet
        image.label *= 100;
        image.predicted = image.predicted < 0 ? 0 : image.predicted * 100;
        image.rank = image.predicted;
    }
    {
        RunStore store(folder / "run.db");
        store.startBranch(exampleBranch(1));
        store.append(record);
    }
    const std::int64_t bytes =
        std::stoll(ask(folder / "run.db", "SELECT length(images) FROM classification"));
    QVERIFY2(bytes <= kImages * 14 + 100, qPrintable(QString::number(bytes)));
    QVERIFY(bytes >= kImages * 14);
}

void TestRunStoreClasses::Kept_areTheNewestAndTheMostAccurate()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(1));
    const std::vector<std::int64_t> correct{100, 130, 120, 130, 90};
    for (std::size_t i = 0; i < correct.size(); ++i) {
        const auto step = static_cast<std::int64_t>(i);
        store.append(exampleEvaluation(step, WeightsKind::Average, correct[i]));
        store.append(exampleEvaluation(step, WeightsKind::Raw, 100 + step)); // ever better
        store.flush();
        const RunStoreReader reader(folder / "run.db");
        for (std::int64_t past = 0; past <= step; ++past) {
            const bool isBest = past == (step == 0 ? 0 : 1);
            QCOMPARE(
                reader.classifiedImages(past, WeightsKind::Average).empty(),
                !(isBest || past == step));
            QCOMPARE(reader.classifiedImages(past, WeightsKind::Raw).empty(), past != step);
        }
        QCOMPARE(reader.evaluations().size(), 2 * (i + 1));
    }
    store.close();
}

void TestRunStoreClasses::Branch_hasItsOwn()
{
    const TemporaryFolder folder;
    const auto before = exampleEvaluation(0, WeightsKind::Average, 200);
    auto again = exampleEvaluation(0, WeightsKind::Average, 100);
    again.classified.front().label = 3;
    {
        RunStore store(folder / "run.db");
        store.startBranch(exampleBranch(1));
        store.append(before);
        store.startBranch(exampleBranch(1));
        store.append(again);
    }
    const RunStoreReader reader(folder / "run.db");
    QVERIFY(std::ranges::equal(
        reader.classifiedImages(0, WeightsKind::Average), again.classified, isSame));
    QCOMPARE(ask(folder / "run.db", "SELECT count(*) FROM classification"), std::string("2"));
}

void TestRunStoreClasses::Names_comeBack()
{
    const TemporaryFolder folder;
    const std::vector<std::string> names{"tench, Tinca tinca", "goldfish", "\xc3\xa4"};
    {
        RunStore store(folder / "run.db");
        store.startBranch(exampleBranch(1));
        store.append(RunClasses{{"old"}});
        store.append(RunClasses{names});
    }
    QCOMPARE(RunStoreReader(folder / "run.db").classNames(), names);
    QVERIFY(ask(folder / "run.db", "UPDATE class SET name = 'carp' WHERE id = 1").empty());
    const auto error = errorOf([&] { (void)RunStoreReader(folder / "run.db").classNames(); });
    QVERIFY(tells(error, ErrorCode::Data, "run.db", "class"));
}

void TestRunStoreClasses::Damage_isNoticed()
{
    const TemporaryFolder folder;
    {
        RunStore store(folder / "run.db");
        store.startBranch(exampleBranch(1));
        store.append(exampleEvaluation(5, WeightsKind::Raw, 100));
    }
    const auto refused = [&](const char* blob) {
        (void)ask(folder / "run.db", std::string("UPDATE classification SET images = ") + blob);
        const auto error = errorOf(
            [&] { (void)RunStoreReader(folder / "run.db").classifiedImages(5, WeightsKind::Raw); });
        return tells(error, ErrorCode::Data, "run.db", "classification");
    };
    QVERIFY(refused("CAST(substr(images, 1, length(images) - 1) AS BLOB)")); // cut short
    QVERIFY(refused("x''"));
    QVERIFY(refused("zeroblob(1000)"));
    QVERIFY(refused("randomblob(500)"));
}

LOCKSTEP_TEST(TestRunStoreClasses)
#include "test_run_store_classes.moc"
