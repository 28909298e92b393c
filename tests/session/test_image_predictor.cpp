// SPDX-License-Identifier: Apache-2.0
#include "dataset/colour_files.h"
#include "dataset/masked_files.h"
#include "session/config/run_data.h"
#include "session/evaluation/evaluate_checkpoint.h"
#include "session/evaluation/image_predictor.h"
#include "session/mask_model.h"
#include "session/run_witness.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <set>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// Trains a network that detects for a few steps and tells the folder of the run.
fs::path trainDetector(const TemporaryFolder& folder)
{
    RunRequest request;
    request.config = smallConfig(6);
    request.config.model.name = writeMaskModel(folder.path()).string();
    request.config.dataset = "synthetic_defects";
    request.config.datasetPath.clear();
    request.config.batchPerTower = 4;
    request.config.phases = {{"segmentation+decision", 6, 0.05, {}}};
    request.folder = folder / "run";
    Witness witness;
    trainWhole(request, witness);
    return request.folder;
}

GrayImage imageOf(const Dataset& dataset, std::int64_t example)
{
    const ExampleView view = dataset.example(example);
    const Shape shape = shapeOf(dataset.info(), view);
    return {shape.height, shape.width, {view.pixels.begin(), view.pixels.end()}};
}

/// A planar image of the set as BMP of 24 bits, each pixel scale x scale times.
std::string colourBmp(const Dataset& dataset, std::int64_t example, std::int64_t scale)
{
    const ExampleView view = dataset.example(example);
    const Shape shape = shapeOf(dataset.info(), view);
    const std::int64_t height = shape.height * scale;
    const std::int64_t width = shape.width * scale;
    std::string bytes = "BM";
    const auto append = [&bytes](std::int64_t value, int count) {
        for (int i = 0; i < count; ++i) {
            bytes += static_cast<char>(value & 255);
            value >>= 8;
        }
    };
    append(54 + height * width * 3, 4);
    append(0, 4);
    append(54, 4);
    append(40, 4);
    append(width, 4);
    append(height, 4);
    append(1, 2);
    append(24, 2);
    append(0, 24);
    for (std::int64_t row = height; row-- > 0;) { // from the last one on
        for (std::int64_t column = 0; column < width; ++column) {
            for (std::int64_t channel = shape.channels; channel-- > 0;) { // blue first
                const std::int64_t place =
                    (channel * shape.height + row / scale) * shape.width + column / scale;
                append(view.pixels[static_cast<std::size_t>(place)], 1);
            }
        }
    }
    return bytes;
}

} // namespace

class TestImagePredictor : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_run = trainDetector(m_folder); }

    void TestImages_scoreAsInTheEvaluation_data();
    void TestImages_scoreAsInTheEvaluation();
    void TestImage_hasInputMaskAndLabel();
    void File_ofATestImage_scoresAsThat();
    void File_ofTheNetworksSize_isSeenAsItIs();
    void File_ofAnySize_isResized();
    void WrongFiles_areNamed();
    void WrongExamples_areRefused();
    void ModelThatClassifies_answersAsItsEvaluation();
    void Photograph_isNamedWithoutTheData();
    void LikeliestClasses_whatIsNoNumber_comesLast();

private:
    [[nodiscard]] std::string write(const std::string& name, const std::string& content) const
    {
        std::ofstream(m_folder / name, std::ios::binary) << content;
        return (m_folder / name).string();
    }

    TemporaryFolder m_folder;
    fs::path m_run;
};

void TestImagePredictor::TestImages_scoreAsInTheEvaluation_data()
{
    QTest::addColumn<bool>("isRaw");
    QTest::newRow("average") << false;
    QTest::newRow("raw") << true;
}

void TestImagePredictor::TestImages_scoreAsInTheEvaluation()
{
    QFETCH(const bool, isRaw);
    const WeightsKind weights = isRaw ? WeightsKind::Raw : WeightsKind::Average;
    CheckpointEvaluationRequest request;
    request.checkpoint = m_run;
    request.weights = weights;
    request.device = "cpu";
    const CheckpointEvaluation evaluation = evaluateCheckpoint(request);
    QCOMPARE(evaluation.record.images.size(), std::size_t{100});
    ImagePredictor trial({m_run, {}, weights});
    QCOMPARE(trial.checkpoint(), evaluation.checkpoint);
    QCOMPARE(trial.step(), evaluation.record.step);
    std::set<double> scores;
    for (const ImageScore& expected : evaluation.record.images) {
        const ImageScore score = trial.testImage(expected.example).score;
        QCOMPARE(score.name, expected.name);
        QCOMPARE(score.isPositive, expected.isPositive);
        QVERIFY(score.score == expected.score && score.loss == expected.loss);
        QVERIFY(score.peak == expected.peak && score.peakRow == expected.peakRow);
        QCOMPARE(score.peakColumn, expected.peakColumn);
        QCOMPARE(score.isPeakInside, expected.isPeakInside);
        scores.insert(score.score);
    }
    QVERIFY(scores.size() > 50); // or all would be equal, whatever is computed
}

void TestImagePredictor::TestImage_hasInputMaskAndLabel()
{
    ImagePredictor trial({m_run});
    const PredictedImage clean = trial.testImage(0);
    const PredictedImage defective = trial.testImage(1);
    QVERIFY(clean.hasLabel && defective.hasLabel);
    QVERIFY(!clean.score.isPositive && defective.score.isPositive);
    for (const PredictedImage& tried : {clean, defective}) {
        QVERIFY((tried.inputShape == Shape{64, 32, 1}));
        QVERIFY((tried.maskShape == Shape{8, 4, 1}));
        QCOMPARE(std::ssize(tried.input), tried.inputShape.elements());
        QCOMPARE(std::ssize(tried.probabilities), tried.maskShape.elements());
        QCOMPARE(std::ssize(tried.label), tried.maskShape.elements());
        const auto peak = static_cast<std::size_t>(
            tried.score.peakRow * tried.maskShape.width + tried.score.peakColumn);
        for (const float probability : tried.probabilities) {
            QVERIFY(probability > 0.0F && probability <= tried.probabilities[peak]);
        }
        QCOMPARE(tried.score.peak, static_cast<double>(tried.probabilities[peak]));
    }
    const auto isMarked = [](float value) { return value > 0.0F; };
    QVERIFY(std::ranges::none_of(clean.label, isMarked));
    QVERIFY(std::ranges::any_of(defective.label, isMarked));
}

void TestImagePredictor::File_ofATestImage_scoresAsThat()
{
    const auto testSet = openDataset({"synthetic_defects"}, Split::Test);
    ImagePredictor trial({m_run});
    for (const std::int64_t example : {1, 7, 98}) {
        const std::string file = write("part.bmp", bmpOf(imageOf(*testSet, example)));
        const PredictedImage ofFile = trial.imageFile(file);
        const PredictedImage ofSet = trial.testImage(example);
        QVERIFY(ofFile.score.score == ofSet.score.score);
        QVERIFY(ofFile.probabilities == ofSet.probabilities);
        QVERIFY(ofFile.input == ofSet.input);
        QCOMPARE(ofFile.score.name, std::string("part.bmp"));
        QVERIFY(!ofFile.hasLabel && ofFile.label.empty());
    }
}

void TestImagePredictor::File_ofTheNetworksSize_isSeenAsItIs()
{
    const GrayImage image = smoothImage(64, 32, 3);
    ImagePredictor trial({m_run});
    const PredictedImage tried = trial.imageFile(write("same.bmp", bmpOf(image)));
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        const double expected = static_cast<double>(image.pixels[i]) / 255.0;
        QVERIFY(std::abs(static_cast<double>(tried.input[i]) - expected) < 1e-6);
    }
}

void TestImagePredictor::File_ofAnySize_isResized()
{
    ImagePredictor trial({m_run});
    for (const auto& [height, width] : {std::pair{8, 8}, {9, 500}, {700, 11}}) {
        const PredictedImage tried =
            trial.imageFile(write("any.jpg", jpegOf(smoothImage(height, width, 1))));
        QVERIFY((tried.inputShape == Shape{64, 32, 1}));
        QVERIFY(tried.score.score > 0.0 && tried.score.score < 1.0);
    }
}

void TestImagePredictor::WrongFiles_areNamed()
{
    ImagePredictor trial({m_run});
    const auto failure = [&](const std::string& file) {
        const QString text = failureOf([&] { (void)trial.imageFile(file); });
        return text.startsWith(QString::fromStdString(file)) ? text : QString();
    };
    QVERIFY(failure(write("notes.png", "dear diary")).contains(QStringLiteral("not a JPEG, PNG")));
    QVERIFY(failure(write("none.bmp", "")).contains(QStringLiteral("empty")));
    const std::string whole = bmpOf(smoothImage(64, 32, 1));
    QVERIFY(failure(write("cut.bmp", whole.substr(0, whole.size() / 2)))
                .contains(QStringLiteral("cut short")));
    QVERIFY(failure(write("dot.bmp", bmpOf(smoothImage(7, 64, 1))))
                .contains(QStringLiteral("at least 8")));
    QVERIFY(failure((m_folder / "missing.png").string()).contains(QStringLiteral("can't be read")));
    QVERIFY(failure(m_folder.path().string()).contains(QStringLiteral("is a folder")));
    // And it goes on.
    QVERIFY(trial.imageFile(write("good.bmp", whole)).score.score > 0.0);
}

void TestImagePredictor::WrongExamples_areRefused()
{
    ImagePredictor trial({m_run});
    for (const std::int64_t example : {std::int64_t{-1}, std::int64_t{100}}) {
        QVERIFY(failureOf([&] {
                    (void)trial.testImage(example);
                }).contains(QStringLiteral("from 0 to 99")));
    }
}

void TestImagePredictor::ModelThatClassifies_answersAsItsEvaluation()
{
    RunRequest request;
    request.config = smallConfig(3);
    request.folder = m_folder / "classifier";
    Witness witness;
    trainWhole(request, witness);
    CheckpointEvaluationRequest all;
    all.checkpoint = request.folder;
    all.device = "cpu";
    const CheckpointEvaluation evaluation = evaluateCheckpoint(all);
    QCOMPARE(evaluation.classCount, std::int64_t{10});
    const auto testSet = openDataset(datasetOf(request.config), Split::Test);
    ImagePredictor trial({request.folder});
    for (const ClassifiedImage& image : evaluation.record.classified) {
        const PredictedImage tried = trial.testImage(image.example);
        QCOMPARE(tried.classProbabilities.size(), std::size_t{10});
        QCOMPARE(tried.classLabel, image.label);
        const auto likeliest = likeliestClasses(tried, 5);
        QCOMPARE(likeliest.size(), std::size_t{5});
        QCOMPARE(likeliest.front().number, image.predicted);
        QCOMPARE(
            likeliest.front().name,
            testSet->info().classNames[static_cast<std::size_t>(image.predicted)]);
        QVERIFY(
            std::abs(likeliest.front().probability - static_cast<double>(image.probability))
            < 1e-5);
        QVERIFY(
            std::ranges::is_sorted(likeliest, std::greater<>(), &ClassProbability::probability));
        QVERIFY((tried.inputShape == Shape{24, 24, 3}));
        const auto [least, largest] = std::ranges::minmax(tried.input);
        QVERIFY(least == largest || (least == 0.0F && largest == 1.0F));
        // The same pixels as a file, and each of them four times.
        for (const std::int64_t scale : {1, 2}) {
            const std::string file = write("own.bmp", colourBmp(*testSet, image.example, scale));
            const PredictedImage own = trial.imageFile(file);
            QVERIFY(!own.hasLabel);
            QCOMPARE(own.score.name, std::string("own.bmp"));
            QCOMPARE(own.classProbabilities, tried.classProbabilities);
        }
        if (image.example > 10) {
            break;
        }
    }
}

void TestImagePredictor::Photograph_isNamedWithoutTheData()
{
    const fs::path data = m_folder / "photographs";
    std::string photograph;
    for (const char* split : {"train", "val"}) {
        for (const char* name : {"ant/a.jpg", "ant/b.jpg", "bee/a.jpg", "bee/b.jpg"}) {
            const fs::path file = data / split / name;
            fs::create_directories(file.parent_path());
            const auto red = static_cast<std::uint8_t>(name[0]);
            photograph = jpegOf(flatImage(30, 40, {red, 90, 60}));
            std::ofstream(file, std::ios::binary) << photograph;
        }
    }
    RunRequest request;
    request.config = smallConfig(1);
    request.config.dataset = "image_folder";
    request.config.datasetPath = data.string();
    request.config.batchPerTower = 2;
    request.folder = m_folder / "of-photographs";
    Witness witness;
    trainWhole(request, witness);
    fs::remove_all(data);
    ImagePredictor trial({request.folder});
    const PredictedImage tried = trial.imageFile(write("own.jpg", photograph));
    QCOMPARE(tried.classNames, (std::vector<std::string>{"ant", "bee"}));
    QCOMPARE(tried.classProbabilities.size(), std::size_t{10});
}

void TestImagePredictor::LikeliestClasses_whatIsNoNumber_comesLast()
{
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    PredictedImage tried;
    tried.classProbabilities = {kNone, 0.25F, kNone, 0.5F, 0.25F};
    std::vector<std::int32_t> numbers;
    for (const ClassProbability& of : likeliestClasses(tried, 5)) {
        numbers.push_back(of.number);
    }
    QCOMPARE(numbers, (std::vector<std::int32_t>{3, 1, 4, 0, 2}));
}

LOCKSTEP_TEST(TestImagePredictor)
#include "test_image_predictor.moc"
