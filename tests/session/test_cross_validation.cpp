// SPDX-License-Identifier: Apache-2.0
#include "dataset/mask_layouts.h"
#include "session/config/run_data.h"
#include "session/mask_model.h"
#include "session/run/cross_validation.h"
#include "session/run_witness.h"
#include "session/step/image_scoring.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <random>
#include <set>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

constexpr int kItems = 6; // a clean and a defective image each

CrossValidationRequest requestIn(const TemporaryFolder& folder)
{
    writeFiles(folder / "data", kolektorFiles(kItems));
    CrossValidationRequest request;
    RunConfig& config = request.config;
    config = smallConfig(0);
    config.model.name = writeMaskModel(folder.path()).string();
    config.dataset = "kolektorsdd";
    config.datasetPath = (folder / "data" / "KolektorSDD").string();
    config.batchPerTower = 1;
    config.checkpointEverySteps = 0;
    config.phases = {{"segmentation", 4, 0.1, {}}, {"decision", 4, 0.1, {"segmentation"}}};
    config.steps = 8;
    request.folder = folder / "folds";
    return request;
}

CrossValidationResult runWhole(const CrossValidationRequest& request)
{
    Witness witness;
    return CrossValidation(request).run(witness);
}

std::vector<std::pair<std::string, double>> scoresOf(const CrossValidationResult& result)
{
    std::vector<std::pair<std::string, double>> scores;
    for (const ImageScore& image : result.images) {
        scores.emplace_back(image.name, image.score);
    }
    return scores;
}

/// Images of random sizes, each with one marked pixel.
class OnePixelImages final : public Dataset
{
public:
    OnePixelImages(const Shape& shape, std::int64_t row, std::int64_t column)
    {
        m_info.imageShape = shape;
        m_info.hasMasks = true;
        m_pixels.resize(static_cast<std::size_t>(shape.elements()));
        m_mask = m_pixels;
        m_mask[static_cast<std::size_t>(row * shape.width + column)] = 1;
    }
    [[nodiscard]] const DatasetInfo& info() const override { return m_info; }
    [[nodiscard]] std::int64_t size() const override { return 1; }
    [[nodiscard]] ExampleView example(std::int64_t /*index*/) const override
    {
        return {m_pixels, 1, std::nullopt, m_mask};
    }

private:
    DatasetInfo m_info;
    std::vector<std::uint8_t> m_pixels;
    std::vector<std::uint8_t> m_mask;
};

} // namespace

class TestCrossValidation : public QObject
{
    Q_OBJECT

private slots:
    void Images_areAllScoredOnce_byARunThatNeverSawThem();
    void Scores_areThoseOfAllImagesTogether();
    void FinishedFolds_areNotTrainedAgain();
    void Stopped_goesOn_toTheSameScores();
    void InitialWeights_areOneFileOfAllFolds_alsoAfterAStop();
    void OtherConfiguration_inTheFolder_isRefused();
    void OtherData_inTheFolder_areRefused();
    void DataOrModel_thatCantBe_isNamed();
    void Evaluation_anyNumberOfThreads_givesTheSameScores();
    void IsCellMarked_onePixel_matchesBruteForce();
};

void TestCrossValidation::Images_areAllScoredOnce_byARunThatNeverSawThem()
{
    const TemporaryFolder folder;
    const CrossValidationRequest request = requestIn(folder);
    const CrossValidationResult result = runWhole(request);
    QCOMPARE(result.folds.size(), std::size_t{3});
    std::set<std::string> names;
    for (const FoldResult& fold : result.folds) {
        QCOMPARE(fold.steps, 8);
        RunConfig config = configOfRun(fold.folder);
        QCOMPARE(config.masked.fold, fold.fold);
        const auto training = openDataset(datasetOf(config), Split::Train);
        std::set<std::string> seen;
        for (std::int64_t i = 0; i < training->size(); ++i) {
            seen.insert(training->exampleName(i));
        }
        for (const ImageScore& image : fold.images) {
            QVERIFY(!seen.contains(image.name));
            QVERIFY(names.insert(image.name).second);
            QVERIFY(image.score > 0.0 && image.score < 1.0);
            QVERIFY(image.peak > 0.0 && image.peak < 1.0);
        }
    }
    QCOMPARE(names.size(), std::size_t{2 * kItems});
    QCOMPARE(result.images.size(), names.size());
    QCOMPARE(std::ranges::count_if(result.images, &ImageScore::isPositive), kItems);
    QCOMPARE(result.dilation, 5);
    QVERIFY((result.inputShape == Shape{64, 32, 1}));
}

void TestCrossValidation::Scores_areThoseOfAllImagesTogether()
{
    const TemporaryFolder folder;
    const CrossValidationResult result = runWhole(requestIn(folder));
    const auto curve = precisionRecallCurve(scoredExamples(result.images));
    QCOMPARE(result.scores.averagePrecision, averagePrecision(curve));
    QCOMPARE(result.scores.fullRecall.truePositives, kItems);
    QVERIFY(result.interval.low <= result.scores.averagePrecision);
    QVERIFY(result.interval.high >= result.scores.averagePrecision);
}

void TestCrossValidation::FinishedFolds_areNotTrainedAgain()
{
    const TemporaryFolder folder;
    const CrossValidationRequest request = requestIn(folder);
    const CrossValidationResult first = runWhole(request);
    Witness witness;
    int begun = 0;
    const CrossValidationResult second = CrossValidation(request).run(
        witness, [&](int /*fold*/, const TrainingRun& /*run*/) { ++begun; });
    QCOMPARE(begun, 0);
    QVERIFY(witness.losses.empty());
    QVERIFY(scoresOf(first) == scoresOf(second));
}

void TestCrossValidation::Stopped_goesOn_toTheSameScores()
{
    const TemporaryFolder folder;
    CrossValidationRequest request = requestIn(folder);
    const CrossValidationResult whole = runWhole(request);
    request.folder = folder / "stopped";
    CrossValidation validation(request);
    Witness witness;
    witness.afterStep = [&](std::int64_t step) {
        if (step == 5 && witness.losses.size() > 8) { // of the second fold
            validation.stop();
        }
    };
    QVERIFY(tells(errorOf([&] { validation.run(witness); }), ErrorCode::Cancelled));
    QCOMPARE(witness.losses.size(), std::size_t{8 + 6});
    QVERIFY(!fs::exists(request.folder / "fold-2"));
    Witness rest;
    const CrossValidationResult result = CrossValidation(request).run(rest);
    QCOMPARE(rest.losses.size(), std::size_t{2 + 8});
    QVERIFY(scoresOf(result) == scoresOf(whole));
}

void TestCrossValidation::InitialWeights_areOneFileOfAllFolds_alsoAfterAStop()
{
    const TemporaryFolder folder;
    CrossValidationRequest request = requestIn(folder);
    Witness witness;
    trainWhole({request.config, folder / "source"}, witness);
    const fs::path then = witness.checkpoints.at(8);
    request.config.initialWeights.checkpoint = (folder / "source").string();
    CrossValidation validation(request);
    Witness untilStop;
    untilStop.afterStep = [&](std::int64_t /*step*/) {
        if (untilStop.losses.size() > 10) { // of the second fold
            validation.stop();
        }
    };
    QVERIFY(failureOf([&] {
                validation.run(untilStop);
            }).contains(QStringLiteral("stopped in fold 1")));
    // The source goes on before the folds do.
    const fs::path newer = then.parent_path() / "step-000000009.safetensors";
    fs::copy_file(then, newer);
    for (const FoldResult& fold : runWhole(request).folds) {
        QCOMPARE(configOfRun(fold.folder).initialWeights.checkpoint, then.string());
    }
    request.config.initialWeights.checkpoint = newer.string();
    const QString failure = failureOf([&] { runWhole(request); });
    QVERIFY2(failure.contains(QStringLiteral("fold-0")), qPrintable(failure));
}

void TestCrossValidation::OtherConfiguration_inTheFolder_isRefused()
{
    const TemporaryFolder folder;
    CrossValidationRequest request = requestIn(folder);
    runWhole(request);
    request.config.masked.dilation = 9;
    const QString failure = failureOf([&] { runWhole(request); });
    QVERIFY2(failure.contains(QStringLiteral("fold-0")), qPrintable(failure));
}

void TestCrossValidation::OtherData_inTheFolder_areRefused()
{
    const TemporaryFolder folder;
    CrossValidationRequest request = requestIn(folder);
    request.config.dataset = "masked_folder";
    request.config.datasetPath = (folder / "data").string();
    writeFiles(folder / "data", mvtecFiles(8, 6, 4));
    runWhole(request);
    fs::remove_all(request.folder / "fold-1"); // as after a kill
    const fs::path image = folder / "data/bottle/test/good/000.png";
    QVERIFY(fs::exists(image));
    fs::copy_file(image, folder / "data/bottle/test/good/900.png");
    const QString failure = failureOf([&] { runWhole(request); });
    QVERIFY2(failure.contains("fold-0: the data have changed"), qPrintable(failure));
}

void TestCrossValidation::DataOrModel_thatCantBe_isNamed()
{
    const TemporaryFolder folder;
    CrossValidationRequest request = requestIn(folder);
    request.config.dataset = "synthetic_defects";
    QVERIFY(failureOf([&] { runWhole(request); }).contains(QStringLiteral("synthetic_defects")));
    request = requestIn(folder);
    request.config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    request.config.phases.clear();
    QVERIFY(failureOf([&] { runWhole(request); }).contains(QStringLiteral("decision_logits")));
    request = requestIn(folder);
    request.config.dataset = "masked_folder";
    request.config.datasetPath = (folder / "split").string();
    writeFiles(folder / "split", kolektor2Files(4, 4));
    QVERIFY(failureOf([&] { runWhole(request); }).contains(QStringLiteral("folders of their own")));
    QVERIFY(!fs::exists(request.folder / "fold-0"));
    request.config.datasetPath = (folder / "few").string();
    writeFiles(folder / "few", mvtecFiles(6, 3, 2));
    QVERIFY(
        failureOf([&] { runWhole(request); }).contains(QStringLiteral("set dataset.folds = 2")));
    QVERIFY(!fs::exists(request.folder / "fold-0"));
}

void TestCrossValidation::Evaluation_anyNumberOfThreads_givesTheSameScores()
{
    const TemporaryFolder folder;
    const CrossValidationRequest request = requestIn(folder);
    const auto training = openDataset(datasetOf(request.config), Split::Train);
    const auto test = openDataset(datasetOf(request.config), Split::Test);
    const TrainingSession session(request.config, *training);
    const Evaluation evaluation(
        session.plan().devices.first(), session.plan().network, session.stepper().arena().layout(),
        *test, distortionFor(request.config, session.plan().network));
    ThreadTeam threads("test", 3, false);
    const EvaluationRecord one =
        evaluation.run(threads, 1, session.stepper().arena().weightsView());
    const EvaluationRecord three =
        evaluation.run(threads, 3, session.stepper().arena().weightsView());
    QCOMPARE(one.images.size(), static_cast<std::size_t>(test->size()));
    QCOMPARE(one.loss, three.loss);
    for (std::size_t i = 0; i < one.images.size(); ++i) {
        QCOMPARE(one.images[i].name, three.images[i].name);
        QCOMPARE(one.images[i].score, three.images[i].score);
        QCOMPARE(one.images[i].loss, three.images[i].loss);
        QCOMPARE(one.images[i].peak, three.images[i].peak);
    }
    // The mean of the images is the whole: of both objectives, each of weight 1.
    double sum = 0.0;
    for (const ImageScore& image : one.images) {
        sum += image.loss;
    }
    QVERIFY(std::abs(sum / static_cast<double>(test->size()) - one.loss) < 1e-9);
    QVERIFY(std::abs(one.objectives[0] + one.objectives[1] - one.loss) < 1e-9);
}

// A pixel lies in a cell that it shares any area with, when cells are laid evenly over the image.
void TestCrossValidation::IsCellMarked_onePixel_matchesBruteForce()
{
    std::mt19937 random(5);
    for (int round = 0; round < 50; ++round) {
        const Shape image{
            5 + static_cast<std::int64_t>(random() % 30),
            5 + static_cast<std::int64_t>(random() % 30), 1};
        const Shape map{
            1 + static_cast<std::int64_t>(random() % 5),
            1 + static_cast<std::int64_t>(random() % 5), 1};
        const auto row = static_cast<std::int64_t>(random() % image.height);
        const auto column = static_cast<std::int64_t>(random() % image.width);
        const OnePixelImages images(image, row, column);
        const auto overlaps = [](std::int64_t cell, std::int64_t cells, std::int64_t pixel,
                                 std::int64_t pixels) {
            // In units of 1 / (cells * pixels) of the side.
            return cell * pixels < (pixel + 1) * cells && pixel * cells < (cell + 1) * pixels;
        };
        for (std::int64_t y = 0; y < map.height; ++y) {
            for (std::int64_t x = 0; x < map.width; ++x) {
                const bool isExpected = overlaps(y, map.height, row, image.height)
                                        && overlaps(x, map.width, column, image.width);
                QCOMPARE(isCellMarked(images, 0, map, {y, x}), isExpected);
            }
        }
    }
}

LOCKSTEP_TEST(TestCrossValidation)
#include "test_cross_validation.moc"
