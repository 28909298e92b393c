// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/catalog.h"
#include "device/algorithm_store.h"
#include "session/config/run_data.h"
#include "session/evaluation/evaluation.h"
#include "session/mask_model.h"
#include "session/synthetic_training.h"
#include "session/training/tower_memory.h"
#include "session/training/training_session.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

using namespace lockstep;
using test::trainingSet;

namespace {

/// A network that is done in milliseconds.
RunConfig smallConfig(int towers, std::int64_t batch)
{
    RunConfig config;
    config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.towers = towers;
    config.batchPerTower = batch;
    return config;
}

/// The same with an optimizer, at a rate that suits it.
RunConfig configWith(const QString& optimizer, int towers, std::int64_t batch)
{
    RunConfig config = smallConfig(towers, batch);
    config.optimizer.name = optimizer.toStdString();
    config.optimizer.momentum = optimizer == "sgd" ? 0.0 : 0.9;
    config.optimizer.epsilon = optimizer == "rmsprop" ? 1.0 : 1e-3;
    config.learningRate.initial = optimizer.startsWith("adam") ? 0.001 : 0.01;
    return config;
}

void addOptimizers()
{
    QTest::addColumn<QString>("optimizer");
    for (const UpdateKind kind : updateKinds()) {
        const std::string name = toString(kind);
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
}

std::vector<StepRecord> train(TrainingSession& session, int steps)
{
    std::vector<StepRecord> records;
    for (int i = 0; i < steps; ++i) {
        records.push_back(session.step().record);
    }
    return records;
}

std::vector<double> losses(const std::vector<StepRecord>& records)
{
    std::vector<double> values;
    for (const StepRecord& record : records) {
        for (const TowerRecord& tower : record.towers) {
            values.push_back(tower.loss);
        }
    }
    return values;
}

bool isClose(double a, double b, double relative)
{
    return std::abs(a - b) <= relative * std::abs(b);
}

} // namespace

class TestTrainingSession : public QObject
{
    Q_OBJECT

private slots:
    void Towers_onTheSameExamples_trainAsOne_data();
    void Towers_onTheSameExamples_trainAsOne();
    void Towers_ofEachOptimizer_trainAsOne_data();
    void Towers_ofEachOptimizer_trainAsOne();
    void Convolutions_direct_areSums();
    static void Convolutions_thatWereMeasured_areThoseOfTheRun();
    static void Convolutions_areMeasured_behindTheTrialsOfThreads();
    void LoaderThreads_anyNumber_sameBits();
    void Restore_afterSomeSteps_sameBits_data();
    void Restore_afterSomeSteps_sameBits();
    void Restore_withoutTheOptimizersState_saysSo();
    void Restore_withOtherTowers_goesOn();
    void Restore_withAnotherBatch_keepsItsPlaceInTheSchedule();
    void Restore_ofAnotherModel_namesTensorAndChangesNothing();
    void LearningRate_tooHigh_failsBeforeTheUpdate();
    void Record_ofAStep_isConsistent();
    void Loss_overSomeSteps_falls();
    void Evaluation_onAnyNumberOfTowers_sameBits();
    static void Model_withMasksOfOtherCells_isRefused();
};

void TestTrainingSession::Towers_onTheSameExamples_trainAsOne_data()
{
    QTest::addColumn<int>("towers");
    QTest::addColumn<int>("threads");
    QTest::newRow("2 towers") << 2 << 1;
    QTest::newRow("3 towers, more than processors here") << 3 << 1;
    QTest::newRow("4 towers") << 4 << 1;
    QTest::newRow("2 towers of 2 threads") << 2 << 2;
}

// Oracle 1: the same 48 examples a step in N towers or in one. Only the order of float sums
// differs.
void TestTrainingSession::Towers_onTheSameExamples_trainAsOne()
{
    QFETCH(int, towers);
    QFETCH(int, threads);
    TrainingSession one(smallConfig(1, 48), trainingSet());
    RunConfig config = smallConfig(towers, 48 / towers);
    config.threadsPerTower = {threads};
    TrainingSession many(config, trainingSet());
    for (int step = 0; step < 20; ++step) {
        const double expected = one.step().record.lossMean;
        const double found = many.step().record.lossMean;
        QVERIFY2(
            isClose(found, expected, step == 0 ? 1e-6 : 1e-4),
            qPrintable(QString("step %1: %2 instead of %3").arg(step).arg(found).arg(expected)));
    }
}

void TestTrainingSession::Towers_ofEachOptimizer_trainAsOne_data()
{
    addOptimizers();
}

void TestTrainingSession::Towers_ofEachOptimizer_trainAsOne()
{
    QFETCH(QString, optimizer);
    TrainingSession one(configWith(optimizer, 1, 48), trainingSet());
    TrainingSession three(configWith(optimizer, 3, 16), trainingSet());
    for (int step = 0; step < 10; ++step) {
        const double expected = one.step().record.lossMean;
        QVERIFY(isClose(three.step().record.lossMean, expected, step == 0 ? 1e-6 : 1e-4));
    }
}

void TestTrainingSession::Convolutions_direct_areSums()
{
    std::map<std::string, double> losses;
    for (const std::string way : {"auto", "direct"}) {
        RunConfig config;
        config.batchPerTower = 2;
        config.towers = 1;
        config.convolution = way;
        config.algorithms = "conv2: of another device";
        TrainingSession session(config, trainingSet());
        const auto ops = session.stepper().report();
        const auto conv2 = std::ranges::find(ops, "conv2", &OpReport::layer);
        QVERIFY(conv2 != ops.end());
        QCOMPARE(conv2->algorithm.find("minimal filtering") != std::string::npos, way == "auto");
        losses[way] = session.step().record.lossMean;
    }
    QVERIFY(isClose(losses["auto"], losses["direct"], 1e-6));
}

void TestTrainingSession::Convolutions_thatWereMeasured_areThoseOfTheRun()
{
    RunConfig config;
    config.towers = 2;
    config.threadsPerTower = {2};
    config.batchPerTower = 17; // lanes of 9 and of 8 rows
    config.precision = "bfloat16";
    planTowerMemory(config, makeNetwork(config.model));
    QVERIFY(!std::filesystem::exists(AlgorithmStore::defaultFile())); // a plan measures nothing
    TrainingSession first(config, trainingSet());
    QCOMPARE(first.stepper().choices().measured, 2);
    const std::string chosen = first.plan().config.algorithms;
    const auto layers = parseAlgorithms(chosen);
    QVERIFY(layers.size() == 2 && layers.contains("conv1") && layers.contains("conv2"));

    std::filesystem::remove(AlgorithmStore::defaultFile());
    TrainingSession resumed(first.plan().config, trainingSet());
    QVERIFY(!resumed.stepper().choices().isMeasured());
    QCOMPARE(resumed.plan().config.algorithms, chosen);
    QCOMPARE(resumed.step().record.lossMean, first.step().record.lossMean);
    QCOMPARE(resumed.step().record.lossMean, first.step().record.lossMean);
}

// Trials that measured convolutions would have left nothing to measure.
void TestTrainingSession::Convolutions_areMeasured_behindTheTrialsOfThreads()
{
    std::filesystem::remove(AlgorithmStore::defaultFile());
    RunConfig config;
    config.towers = 1;
    config.threadsPerTower = {.isMeasured = true};
    config.batchPerTower = 16;
    config.precision = "bfloat16";
    TrainingSession session(config, trainingSet());
    QVERIFY(!session.plan().measuredThreads.empty());
    QCOMPARE(session.stepper().choices().measured, 2);
}

void TestTrainingSession::LoaderThreads_anyNumber_sameBits()
{
    std::vector<std::vector<double>> found;
    for (const int threads : {1, 2, 8}) {
        RunConfig config = smallConfig(2, 16);
        config.inputThreads = threads;
        TrainingSession session(config, trainingSet());
        found.push_back(losses(train(session, 12)));
    }
    QCOMPARE(found[1], found[0]);
    QCOMPARE(found[2], found[0]);
}

void TestTrainingSession::Restore_afterSomeSteps_sameBits_data()
{
    addOptimizers();
}

// Oracle 5: 8 + 8 steps through a checkpoint are 16 steps, bit for bit; weights, averages and what
// the optimizer keeps too.
void TestTrainingSession::Restore_afterSomeSteps_sameBits()
{
    QFETCH(QString, optimizer);
    const RunConfig config = configWith(optimizer, 2, 16);
    TrainingSession straight(config, trainingSet());
    train(straight, 8);
    const Checkpoint half = straight.capture();
    const auto expected = losses(train(straight, 8));
    TrainingSession resumed(config, trainingSet());
    train(resumed, 3);
    resumed.restore(half);
    QCOMPARE(resumed.progress().step, 8);
    QCOMPARE(losses(train(resumed, 8)), expected);
    const Checkpoint a = straight.capture();
    const Checkpoint b = resumed.capture();
    QVERIFY(a.weights == b.weights);
    QVERIFY(a.movingAverages == b.movingAverages);
    QVERIFY(a.weights != a.movingAverages);
    QVERIFY(a.optimizerState == b.optimizerState);
    const auto specs = slotsOf(config.optimizer.settings().kind);
    QCOMPARE(a.optimizerState.size(), specs.size());
    for (const SlotSpec& slot : specs) {
        QVERIFY(a.optimizerState.at(slot.name) != half.optimizerState.at(slot.name));
    }
    QCOMPARE(b.examplesSeen, 16 * 32);
}

void TestTrainingSession::Restore_withoutTheOptimizersState_saysSo()
{
    TrainingSession session(configWith("rmsprop", 1, 8), trainingSet());
    const Checkpoint before = session.capture();
    Checkpoint other = TrainingSession(configWith("momentum", 1, 8), trainingSet()).capture();
    other.weights.front().values.front() += 1.0F;
    QVERIFY(test::tells(
        test::errorOf([&] { session.restore(other); }), ErrorCode::BadInput,
        "optimizer.mean_square."));
    QVERIFY(session.capture().weights == before.weights);
}

void TestTrainingSession::Restore_withOtherTowers_goesOn()
{
    TrainingSession two(smallConfig(2, 16), trainingSet());
    train(two, 4);
    TrainingSession four(smallConfig(4, 8), trainingSet());
    four.restore(two.capture());
    for (int step = 0; step < 10; ++step) {
        const double expected = two.step().record.lossMean;
        QVERIFY(isClose(four.step().record.lossMean, expected, step == 0 ? 1e-6 : 1e-4));
    }
}

/// The rate falls with the examples that were seen, whatever the batch is from there on.
void TestTrainingSession::Restore_withAnotherBatch_keepsItsPlaceInTheSchedule()
{
    RunConfig config = smallConfig(2, 16);
    config.learningRate.epochsPerDecay = 4 * 32.0 / static_cast<double>(trainingSet().size());
    TrainingSession before(config, trainingSet());
    train(before, 4);
    config.batchPerTower = 32;
    TrainingSession after(config, trainingSet());
    after.restore(before.capture());
    for (int step = 0; step < 6; ++step) { // of which each is two of those before
        const double rate = before.step().record.learningRate;
        before.step();
        QCOMPARE(after.step().record.learningRate, rate);
    }
    QVERIFY(after.plan().learningRateAt(10) < 0.002 * config.learningRate.initial);
}

void TestTrainingSession::Restore_ofAnotherModel_namesTensorAndChangesNothing()
{
    TrainingSession session(smallConfig(1, 8), trainingSet());
    Checkpoint other = session.capture();
    const Checkpoint before = other;
    other.model = "other";
    other.weights[2].name = "conv9.weight";
    QVERIFY(test::tells(
        test::errorOf([&] { session.restore(other); }), ErrorCode::BadInput, "'other'",
        "conv2.weight"));
    QVERIFY(session.capture().weights == before.weights);
}

// The first update with such a rate destroys the weights; the second step must say so and stop.
void TestTrainingSession::LearningRate_tooHigh_failsBeforeTheUpdate()
{
    RunConfig config = smallConfig(2, 16);
    config.learningRate.initial = 1e20;
    TrainingSession session(config, trainingSet());
    Checkpoint before;
    const auto error = test::errorOf([&] {
        for (int step = 0; step < 4; ++step) {
            before = session.capture();
            session.step();
        }
    });
    const std::string step = fmt::format("step {}", before.step);
    QVERIFY(test::tells(error, ErrorCode::Numeric, step, "tower ", "A check "));
    QVERIFY(session.capture().weights == before.weights);
    QCOMPARE(session.progress().step, before.step);
}

void TestTrainingSession::Record_ofAStep_isConsistent()
{
    TrainingSession session(smallConfig(3, 8), trainingSet());
    const auto records = train(session, 5);
    for (std::size_t i = 0; i < records.size(); ++i) {
        const StepRecord& record = records[i];
        QCOMPARE(record.step, static_cast<std::int64_t>(i));
        QCOMPARE(record.examples, static_cast<std::int64_t>(i + 1) * 24);
        QCOMPARE(
            record.epoch,
            static_cast<double>(record.examples) / static_cast<double>(trainingSet().size()));
        QCOMPARE(record.towers.size(), std::size_t{3});
        double sum = 0.0;
        for (const TowerRecord& tower : record.towers) {
            sum += tower.loss;
            QVERIFY(tower.correct >= 0 && tower.correct <= tower.examples);
            QCOMPARE(tower.examples, 8);
            QVERIFY(tower.startSeconds >= 0.0 && tower.copySeconds == 0.0);
            QVERIFY(tower.forwardSeconds > 0.0 && tower.backwardSeconds > 0.0);
            QVERIFY(arrivalSeconds(tower).value() <= record.computeSeconds);
            QVERIFY(record.computeSeconds <= record.stepSeconds);
            QVERIFY(waitingSeconds(record, tower).value() >= 0.0);
        }
        QCOMPARE(record.lossMean, sum / 3.0);
        QCOMPARE(record.lossLast, record.towers.back().loss);
        QCOMPARE(record.learningRate, 0.1);
        QCOMPARE(record.examplesPerSecond, 24.0 / record.stepSeconds);
        QCOMPARE(record.secondsPerBatch, record.stepSeconds / 3.0);
    }
}

void TestTrainingSession::Loss_overSomeSteps_falls()
{
    TrainingSession session(smallConfig(2, 32), trainingSet());
    const double first = session.step().record.lossMean;
    double sum = 0.0;
    constexpr int kLast = 50;
    train(session, 400);
    for (const StepRecord& record : train(session, kLast)) {
        sum += record.lossMean / kLast;
    }
    QVERIFY2(sum < 0.9 * first, qPrintable(QString("%1 -> %2").arg(first).arg(sum)));
}

void TestTrainingSession::Evaluation_onAnyNumberOfTowers_sameBits()
{
    TrainingSession session(smallConfig(2, 16), trainingSet());
    train(session, 10);
    const auto test = openDataset({"synthetic"}, Split::Test);
    const Evaluation evaluation(
        session.plan().devices.first(), session.plan().network, session.stepper().arena().layout(),
        *test, distortionFor(smallConfig(2, 16), session.plan().network));
    std::vector<EvaluationRecord> records;
    for (const int workers : {1, 2, 5}) {
        ThreadTeam threads("test", workers, false);
        records.push_back(evaluation.run(threads, workers, session.stepper().arena().weights()));
    }
    for (const EvaluationRecord& record : records) {
        QCOMPARE(record.examples, test->size());
        QCOMPARE(record.correct, records.front().correct);
        QCOMPARE(record.loss, records.front().loss);
        QCOMPARE(
            record.accuracy,
            static_cast<double>(record.correct) / static_cast<double>(test->size()));
    }
}

// The labels of a 64 x 64 input are 8 x 8 cells; a model that makes 8 x 4 would learn from others.
void TestTrainingSession::Model_withMasksOfOtherCells_isRefused()
{
    const QTemporaryDir folder;
    RunConfig config = smallConfig(1, 2);
    config.model.name = test::writeMaskModel(folder.path().toStdString()).string();
    config.dataset = "synthetic_defects";
    config.phases = {{"segmentation", 4, 0.1, {}}};
    const auto dataset = openDataset({"synthetic_defects"}, Split::Train);
    TrainingSession fits(config, *dataset);
    QFile file(QString::fromStdString(config.model.name));
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray text = file.readAll()
                                .replace("width = 32", "width = 64")
                                .replace("stride = [4, 4]", "stride = [4, 8]");
    QVERIFY(file.resize(0) && file.seek(0) && file.write(text) == text.size());
    file.close();
    QVERIFY(test::tells(
        test::errorOf([&] { TrainingSession session(config, *dataset); }), ErrorCode::BadInput,
        "'detector'", "8 × 8"));
}

LOCKSTEP_TEST(TestTrainingSession)
#include "test_training_session.moc"
