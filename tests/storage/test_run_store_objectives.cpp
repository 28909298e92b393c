// SPDX-License-Identifier: Apache-2.0
#include "storage/events/event_scalars.h"
#include "storage/sql.h"
#include "storage/steps.h"
#include "storage/store/csv_export.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <cmath>
#include <limits>
#include <sstream>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int kTowers = 2;
constexpr std::size_t kObjectives = 2;
const std::vector<std::string> kNames{"segmentation", "decision"};

StepRecord stepOf(std::int64_t step)
{
    return exampleStep(step, kTowers, 1, kObjectives);
}

void begin(RunStore& store, std::int64_t fromStep = 0)
{
    store.startBranch(exampleBranch(kTowers, fromStep));
    store.append(RunObjectives{kNames});
}

void write(const std::filesystem::path& file, std::int64_t steps)
{
    RunStore store(file);
    begin(store);
    for (std::int64_t step = 0; step < steps; ++step) {
        store.append(stepOf(step));
    }
    store.close();
}

EvaluationRecord exampleEvaluation(std::int64_t step, WeightsKind weights)
{
    EvaluationRecord record;
    record.step = step;
    record.weights = weights;
    record.examples = 3;
    record.correct = 2;
    record.accuracy = 2.0 / 3.0;
    record.loss = 0.7;
    record.seconds = 1.5;
    record.objectives = {0.5, 0.2};
    record.images = {
        {0, "kos01/Part5.jpg", true, 0.9, 0.25, 0.8, 12, 7, true},
        {1, "kos02/Part1.jpg", false, 0.4, 0.5, 0.6, 3, 4, false},
        {2, "kos03/Part2.jpg", true, 0.3, 1.25, 0.7, 5, 6, false}};
    record.detection = detectionScores(record.images);
    return record;
}

bool isSame(const ImageScore& a, const ImageScore& b)
{
    return a.example == b.example && a.name == b.name && a.isPositive == b.isPositive
           && a.score == b.score && a.loss == b.loss && a.peak == b.peak && a.peakRow == b.peakRow
           && a.peakColumn == b.peakColumn && a.isPeakInside == b.isPeakInside;
}

bool isSame(const PrecisionRecallPoint& a, const PrecisionRecallPoint& b)
{
    return a.threshold == b.threshold && a.truePositives == b.truePositives
           && a.falsePositives == b.falsePositives && a.falseNegatives == b.falseNegatives;
}

} // namespace

/// What a store keeps of networks with several objectives: their losses, the phases that train
/// them, and what they detect.
class TestRunStoreObjectives : public QObject
{
    Q_OBJECT
private slots:
    static void Steps_lossesOfObjectives_comeBack();
    static void Steps_lossNotANumber_comesBackAsSuch();
    static void Steps_changedLoss_isNoticed();
    static void Curves_lossesOfObjectives_comeFromBlocks();
    static void Steps_oneObjective_hasNoLossesOfItsOwn();
    static void Csv_objectives_haveColumns();
    static void Events_objectives_haveTags();
    static void Phases_comeBack_inPlaceOfThoseBefore();
    static void Phases_ofTheLine_areThoseOfItsBranches();
    static void Evaluation_detection_comesBack();
    static void Evaluation_newerBranch_hasTheLastWord();
    static void Evaluation_withoutPositive_hasNoDetection();
};

void TestRunStoreObjectives::Steps_lossesOfObjectives_comeBack()
{
    const TemporaryFolder folder;
    write(folder / "run.db", 20);
    const RunStoreReader reader(folder / "run.db");
    QCOMPARE(reader.objectives(), kNames);
    std::int64_t next = 0;
    reader.forEachStep([&](const StepRecord& record) {
        QVERIFY(sameStep(record, stepOf(next)));
        QCOMPARE(record.towers[1].objectives.size(), kObjectives);
        ++next;
    });
    QCOMPARE(next, 20);
}

void TestRunStoreObjectives::Steps_lossNotANumber_comesBackAsSuch()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    begin(store);
    StepRecord step = stepOf(0);
    step.towers[1].objectives[1] = std::numeric_limits<double>::quiet_NaN();
    store.append(step);
    store.close();
    bool isThere = false;
    RunStoreReader(folder / "run.db").forEachStep([&](const StepRecord& record) {
        isThere = record.towers[1].objectives.size() == kObjectives
                  && std::isnan(record.towers[1].objectives[1])
                  && record.towers[1].objectives[0] == step.towers[1].objectives[0];
    });
    QVERIFY(isThere);
}

void TestRunStoreObjectives::Steps_changedLoss_isNoticed()
{
    const TemporaryFolder folder;
    write(folder / "run.db", 5);
    ask(folder / "run.db", "UPDATE tower_step SET objective_loss_1 = objective_loss_1 + 1e-9"
                           " WHERE step = 3 AND tower = 1");
    const RunStoreReader reader(folder / "run.db");
    const QString failure = failureOf([&] { reader.forEachStep([](const StepRecord&) {}); });
    QVERIFY2(failure.contains(QStringLiteral("step 3")), qPrintable(failure));
}

void TestRunStoreObjectives::Curves_lossesOfObjectives_comeFromBlocks()
{
    const TemporaryFolder folder;
    constexpr std::int64_t kSteps = 4096 + 600;
    write(folder / "run.db", kSteps);
    // What is left of the first block's steps is the block.
    ask(folder / "run.db", "DELETE FROM step WHERE step < 4096;"
                           "DELETE FROM tower_step WHERE step < 4096");
    std::int64_t next = 0;
    RunStoreReader(folder / "run.db").forEachCurveStep([&](const StepRecord& record) {
        const StepRecord expected = stepOf(next);
        for (std::size_t tower = 0; tower < kTowers; ++tower) {
            QCOMPARE(record.towers[tower].objectives.size(), kObjectives);
            for (std::size_t i = 0; i < kObjectives; ++i) {
                const double loss = expected.towers[tower].objectives[i];
                const bool isRounded = next < 4096;
                QCOMPARE(
                    record.towers[tower].objectives[i],
                    isRounded ? static_cast<double>(static_cast<float>(loss)) : loss);
            }
        }
        ++next;
    });
    QCOMPARE(next, kSteps);
}

void TestRunStoreObjectives::Steps_oneObjective_hasNoLossesOfItsOwn()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(kTowers));
    store.append(RunObjectives{{"cross_entropy"}});
    store.append(exampleStep(0, kTowers));
    store.close();
    bool isSame = false;
    RunStoreReader(folder / "run.db").forEachStep([&](const StepRecord& record) {
        isSame = sameStep(record, exampleStep(0, kTowers));
    });
    QVERIFY(isSame);
}

void TestRunStoreObjectives::Csv_objectives_haveColumns()
{
    const TemporaryFolder folder;
    write(folder / "run.db", 3);
    std::ostringstream csv;
    writeCsv(stepsAsCsv(RunStoreReader(folder / "run.db")), csv);
    const QStringList lines = QString::fromStdString(csv.str()).split('\n');
    const QStringList names = lines[0].split(',');
    const QStringList values = lines[3].split(',');
    QCOMPARE(values.size(), names.size());
    const StepRecord step = stepOf(2);
    const auto valueOf = [&](const char* name) {
        return values[names.indexOf(QString::fromLatin1(name))].toDouble();
    };
    QCOMPARE(valueOf("segmentation_loss_tower_1"), step.towers[1].objectives[0]);
    QCOMPARE(valueOf("decision_loss_tower_0"), step.towers[0].objectives[1]);
    QCOMPARE(valueOf("decision_loss_mean"), meanObjectives(step)[1]);
}

void TestRunStoreObjectives::Events_objectives_haveTags()
{
    StepRecord step = stepOf(4);
    auto values = eventScalars(step, kNames);
    const auto valueOf = [&](const std::string& tag) {
        const auto found = std::ranges::find(values, tag, &EventValue::tag);
        return found == values.end() ? -1.0 : std::get<double>(found->value);
    };
    QCOMPARE(valueOf("loss_decision/tower_1"), step.towers[1].objectives[1]);
    QCOMPARE(
        valueOf("loss_segmentation/mean"),
        (step.towers[0].objectives[0] + step.towers[1].objectives[0]) / 2.0);
    QVERIFY(valueOf("loss_decision/mean") > 0.0);
    QCOMPARE(valueOf("loss/cross_entropy"), crossEntropy(step));
    step.weightDecayLoss = std::numeric_limits<double>::quiet_NaN(); // of an older program
    values = eventScalars(step, kNames);
    QCOMPARE(valueOf("loss/cross_entropy"), -1.0);
}

void TestRunStoreObjectives::Phases_comeBack_inPlaceOfThoseBefore()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    begin(store);
    store.append(RunPhases{{{0, 50, "joint", 0.5, {}}}});
    const std::vector<RunPhase> phases{
        {0, 10, "segmentation", 0.1, {}},
        {10, 20, "decision", std::nullopt, {"segmentation", "other"}}};
    store.append(RunPhases{phases});
    store.close();
    QVERIFY(RunStoreReader(folder / "run.db").phases() == phases);
    ask(folder / "run.db", "UPDATE phase SET end_step = 21 WHERE end_step = 20");
    const QString failure =
        failureOf([&] { static_cast<void>(RunStoreReader(folder / "run.db").phases()); });
    QVERIFY2(failure.contains(QStringLiteral("phase")), qPrintable(failure));
}

// Branch 2 goes on from step 15 with another plan; step 5 to 10 went as branch 1 had it.
void TestRunStoreObjectives::Phases_ofTheLine_areThoseOfItsBranches()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    begin(store);
    store.append(RunPhases{{{0, 10, "a", 0.1, {}}, {10, 30, "b", 0.1, {}}}});
    for (std::int64_t step = 0; step < 18; ++step) {
        store.append(stepOf(step));
    }
    begin(store, 15);
    store.append(
        RunPhases{{{0, 10, "a", 0.1, {}}, {10, 25, "b", 0.1, {}}, {25, 40, "c", 0.1, {}}}});
    store.close();
    const std::vector<RunPhase> expected{
        {0, 10, "a", 0.1, {}}, {10, 25, "b", 0.1, {}}, {25, 40, "c", 0.1, {}}};
    QVERIFY(RunStoreReader(folder / "run.db").phases() == expected);
}

void TestRunStoreObjectives::Evaluation_detection_comesBack()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    begin(store);
    store.append(stepOf(0));
    const EvaluationRecord raw = exampleEvaluation(1, WeightsKind::Raw);
    EvaluationRecord average = exampleEvaluation(1, WeightsKind::Average);
    average.images[1].score = 0.95;
    average.detection = detectionScores(average.images);
    store.append(raw);
    store.append(average);
    store.close();
    const RunStoreReader reader(folder / "run.db");
    const auto evaluations = reader.evaluations();
    QCOMPARE(evaluations.size(), std::size_t{2});
    const auto isRaw = [](const EvaluationRecord& one) { return one.weights == WeightsKind::Raw; };
    const EvaluationRecord& found = *std::ranges::find_if(evaluations, isRaw);
    QVERIFY(found.objectives == raw.objectives);
    QVERIFY(found.detection.has_value());
    QCOMPARE(found.detection->averagePrecision, raw.detection->averagePrecision);
    QVERIFY(isSame(found.detection->best, raw.detection->best));
    QVERIFY(isSame(found.detection->fullRecall, raw.detection->fullRecall));
    QCOMPARE(found.detection->peaksInside, raw.detection->peaksInside);
    QVERIFY(std::ranges::equal(
        reader.imageScores(1, WeightsKind::Raw), raw.images,
        [](const auto& a, const auto& b) { return isSame(a, b); }));
    QCOMPARE(reader.imageScores(1, WeightsKind::Average)[1].score, 0.95);
    QVERIFY(reader.imageScores(0, WeightsKind::Raw).empty());
}

// The state after a step belongs to the branch that ends there and to the one that begins there.
void TestRunStoreObjectives::Evaluation_newerBranch_hasTheLastWord()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    begin(store);
    store.append(stepOf(0));
    store.append(exampleEvaluation(1, WeightsKind::Raw));
    begin(store, 1);
    EvaluationRecord again = exampleEvaluation(1, WeightsKind::Raw);
    again.images.pop_back();
    store.append(again);
    store.close();
    QCOMPARE(
        RunStoreReader(folder / "run.db").imageScores(1, WeightsKind::Raw).size(), std::size_t{2});
}

void TestRunStoreObjectives::Evaluation_withoutPositive_hasNoDetection()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    begin(store);
    EvaluationRecord record = exampleEvaluation(0, WeightsKind::Raw);
    record.detection.reset();
    store.append(record);
    store.close();
    QVERIFY(!RunStoreReader(folder / "run.db").evaluations().front().detection.has_value());
}

LOCKSTEP_TEST(TestRunStoreObjectives)
#include "test_run_store_objectives.moc"
