// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/synthetic.h"
#include "metrics/scores/confusion.h"
#include "session/config/run_data.h"
#include "session/evaluation/evaluation.h"
#include "session/evaluation/example_logits.h"
#include "session/evaluation/image_classes.h"
#include "session/mask_model.h"
#include "session/run_witness.h"
#include "session/training/training_session.h"
#include "session/two_objectives.h"
#include "storage/checkpoint/checkpoint_folder.h"
#include "storage/store/run_folder.h"
#include "storage/store/run_store_reader.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// A chunk of an evaluation has 125 rows: two and a rest.
constexpr std::int64_t kExamples = 333;

RunConfig networkConfig()
{
    RunConfig config = smallConfig(1);
    config.dataset = "synthetic";
    config.datasetPath.clear();
    config.batchPerTower = 16;
    return config;
}

} // namespace

/// What an evaluation says of every image that a network classifies, against the network's logits,
/// which another pass over the data set gives.
class TestEvaluationClasses : public QObject
{
    Q_OBJECT

private slots:
    static void Images_areCountedAsTheirLogitsSay();
    static void Logits_areThoseThatTheEvaluationGoesBy();
    static void Images_areTheSame_onAnyNumberOfTowers();
    static void Run_keepsImagesAndNames();
    static void BestBy_topFive();
};

void TestEvaluationClasses::Images_areCountedAsTheirLogitsSay()
{
    const RunConfig config = networkConfig();
    const auto training = openSynthetic(Split::Train, 1, 64);
    const auto tests = openSynthetic(Split::Test, 1, kExamples);
    TrainingSession session(config, *training);
    QVERIFY(classifiesImages(session.plan().network));
    QCOMPARE(classesOf(session.plan().network), std::int64_t{10});
    for (int step = 0; step < 4; ++step) {
        session.step();
    }
    const auto distortion = distortionFor(config, session.plan().network);
    const ParameterLayout& layout = session.stepper().arena().layout();
    ThreadTeam threads("test", 2, false);
    const EvaluationRecord record =
        Evaluation(
            session.plan().devices.first(), session.plan().network, layout, *tests, distortion)
            .run(threads, 2, session.stepper().arena().weightsView());
    const auto logits = exampleLogits(
        {session.plan().devices.first(), session.plan().network, layout,
         session.stepper().arena().weightsView(), *tests, distortion, kExamples},
        threads);
    QCOMPARE(std::ssize(record.classified), kExamples);
    QCOMPARE(std::ssize(logits), kExamples);
    std::int64_t right = 0;
    std::int64_t inTopFive = 0;
    double loss = 0.0;
    std::map<std::pair<int, int>, std::int64_t> matrix;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const ClassifiedImage& image = record.classified[i];
        const std::vector<float>& values = logits[i].values;
        QCOMPARE(image.example, static_cast<std::int64_t>(i)); // each exactly once, in order
        QCOMPARE(image.label, tests->example(static_cast<std::int64_t>(i)).label);
        const auto of = static_cast<double>(values[static_cast<std::size_t>(image.label)]);
        const auto larger = std::ranges::count_if(
            values, [of](float value) { return static_cast<double>(value) > of; });
        const auto predicted = static_cast<int>(std::ranges::max_element(values) - values.begin());
        double sum = 0.0;
        for (const float value : values) {
            sum += std::exp(static_cast<double>(value));
        }
        right += predicted == image.label ? 1 : 0;
        inTopFive += larger < 5 ? 1 : 0;
        loss += std::log(sum) - of;
        ++matrix[{image.label, predicted}];
        QCOMPARE(image.predicted, predicted);
        QCOMPARE(image.rank, static_cast<std::int32_t>(larger));
        QVERIFY(std::abs(image.labelProbability() - std::exp(of) / sum) < 1e-5);
    }
    QCOMPARE(record.examples, kExamples);
    QCOMPARE(record.correct, right);
    QVERIFY(record.inTopFive.has_value());
    QCOMPARE(*record.inTopFive, inTopFive);
    QVERIFY(inTopFive > right && inTopFive < kExamples);
    QVERIFY(std::abs(record.loss - loss / kExamples) < 1e-5);
    const auto cells = confusionCells(record.classified);
    QCOMPARE(cells.size(), matrix.size());
    for (const ConfusionCell& cell : cells) {
        QCOMPARE(cell.images, (matrix[{cell.label, cell.predicted}]));
    }
    std::vector<std::int64_t> perClass(10);
    for (std::int64_t i = 0; i < kExamples; ++i) {
        ++perClass[static_cast<std::size_t>(tests->example(i).label)];
    }
    std::int64_t diagonal = 0;
    for (const ClassCount& count : classCounts(cells, 10)) {
        QCOMPARE(count.images, perClass[static_cast<std::size_t>(count.label)]);
        diagonal += count.correct;
    }
    QCOMPARE(diagonal, record.correct);
}

/// Of a network whose first head is only reported, and so never trained.
void TestEvaluationClasses::Logits_areThoseThatTheEvaluationGoesBy()
{
    const TemporaryFolder folder;
    RunConfig config = networkConfig();
    config.model.name = writeTwoObjectives(folder.path()).string();
    std::ifstream file(config.model.name);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string coarse = "name = \"coarse\"\n";
    text.insert(text.find(coarse) + coarse.size(), "weight = 0.0\n");
    std::ofstream(config.model.name) << text;
    const auto training = openSynthetic(Split::Train, 1, 64);
    const auto tests = openSynthetic(Split::Test, 1, kExamples);
    TrainingSession session(config, *training);
    const auto distortion = distortionFor(config, session.plan().network);
    const ParameterLayout& layout = session.stepper().arena().layout();
    const WeightsView weights = session.stepper().arena().weightsView();
    ThreadTeam threads("test", 2, false);
    const EvaluationRecord record =
        Evaluation(
            session.plan().devices.first(), session.plan().network, layout, *tests, distortion)
            .run(threads, 2, weights);
    const auto logits = exampleLogits(
        {session.plan().devices.first(), session.plan().network, layout, weights, *tests,
         distortion, 200},
        threads);
    QCOMPARE(logits.size(), std::size_t{200});
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const ClassifiedImage expected =
            classifiedImage(logits[i].example, logits[i].label, logits[i].values);
        const ClassifiedImage& image = record.classified[i];
        QCOMPARE(image.predicted, expected.predicted);
        QCOMPARE(image.loss, expected.loss); // in every bit
    }
    double fine = 0.0;
    for (const ClassifiedImage& image : record.classified) {
        fine += static_cast<double>(image.loss);
    }
    QVERIFY(std::abs(fine / kExamples - record.objectives[1]) < 1e-5);
    QVERIFY(std::abs(fine / kExamples - record.objectives[0]) > 1e-3);
}

void TestEvaluationClasses::Images_areTheSame_onAnyNumberOfTowers()
{
    const RunConfig config = networkConfig();
    const auto training = openSynthetic(Split::Train, 1, 64);
    const auto tests = openSynthetic(Split::Test, 2, kExamples);
    TrainingSession session(config, *training);
    session.step();
    const Evaluation evaluation(
        session.plan().devices.first(), session.plan().network, session.stepper().arena().layout(),
        *tests, distortionFor(config, session.plan().network));
    std::vector<EvaluationRecord> records;
    for (const int workers : {1, 2, 3}) {
        ThreadTeam threads("test", workers, false);
        records.push_back(
            evaluation.run(threads, workers, session.stepper().arena().weightsView()));
    }
    const auto isSame = [](const ClassifiedImage& a, const ClassifiedImage& b) {
        return a.example == b.example && a.label == b.label && a.predicted == b.predicted
               && a.rank == b.rank && a.probability == b.probability && a.loss == b.loss;
    };
    for (const EvaluationRecord& record : records) {
        QVERIFY(std::ranges::equal(record.classified, records.front().classified, isSame));
        QCOMPARE(record.inTopFive, records.front().inTopFive);
    }
}

void TestEvaluationClasses::Run_keepsImagesAndNames()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(3);
    config.evaluateEverySteps = 1;
    Witness witness;
    trainWhole({config, folder / "run"}, witness);
    const RunStoreReader reader(RunFolder::storeFileOf(folder / "run"));
    QCOMPARE(reader.classNames().size(), std::size_t{10});
    QCOMPARE(reader.classNames().front(), std::string("airplane"));
    const auto evaluations = reader.evaluations();
    QCOMPARE(evaluations.size(), std::size_t{6});
    for (const EvaluationRecord& record : evaluations) {
        QVERIFY(record.inTopFive && *record.inTopFive >= record.correct);
        const auto images = reader.classifiedImages(record.step, record.weights);
        const auto isBetter = [&](const EvaluationRecord& other) {
            return other.weights == record.weights
                   && (other.accuracy > record.accuracy
                       || (other.accuracy == record.accuracy && other.step < record.step));
        };
        const bool isBest = std::ranges::none_of(evaluations, isBetter);
        QCOMPARE(images.empty(), !isBest && record.step != 3);
        if (!images.empty()) {
            QCOMPARE(std::ssize(images), record.examples);
            QCOMPARE(std::ranges::count_if(images, &ClassifiedImage::isCorrect), record.correct);
        }
    }
}

void TestEvaluationClasses::BestBy_topFive()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(2);
    config.checkpointBestBy = "top5";
    Witness witness;
    trainWhole({config, folder / "run"}, witness);
    QVERIFY(!listCheckpoints(RunFolder::checkpointsOf(folder / "run")).empty());
    // A network that detects has no five most probable classes.
    config.model.name = writeMaskModel(folder.path()).string();
    config.dataset = "synthetic_defects";
    config.datasetPath.clear();
    config.batchPerTower = 4;
    config.phases = {{"segmentation+decision", 2, 0.05, {}}};
    const QString failure = failureOf([&] { trainWhole({config, folder / "other"}, witness); });
    QVERIFY2(failure.contains(QStringLiteral("top5")), qPrintable(failure));
}

LOCKSTEP_TEST(TestEvaluationClasses)
#include "test_evaluation_classes.moc"
