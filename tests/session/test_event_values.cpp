// SPDX-License-Identifier: Apache-2.0
#include "input/batch_builder.h"
#include "network/reference.h"
#include "session/event_scene.h"
#include "support/lockstep_test.h"

#include <QImage>

#include <algorithm>
#include <set>
#include <string>

using namespace lockstep;
using namespace lockstep::test;

namespace {

void compare(const Histogram& a, const Histogram& b)
{
    QCOMPARE(a.limits, b.limits);
    QCOMPARE(a.counts, b.counts);
    QCOMPARE(a.sum, b.sum);
    QCOMPARE(a.sumOfSquares, b.sumOfSquares);
}

bool isClose(double a, double b)
{
    return std::abs(a - b) <= 1e-4 * std::max(1.0, std::abs(b));
}

/// The rows that the last tower saw in a step, made another way: the whole batch, and its end.
Batch lastTowersRows(const EventScene& scene, std::int64_t step)
{
    PipelineSettings settings;
    settings.globalBatch = scene.session.stepper().shape().globalBatch();
    settings.seed = scene.config.seed;
    settings.distortion = distortionFor(scene.config, scene.session.plan().network);
    Batch batch = makeBatch(*scene.training, settings, step);
    const std::int64_t rows = scene.session.stepper().shape().batchPerTower;
    const auto skipped = static_cast<std::ptrdiff_t>(batch.examples - rows);
    batch.labels.erase(batch.labels.begin(), batch.labels.begin() + skipped);
    batch.images.erase(
        batch.images.begin(), batch.images.begin() + skipped * batch.shape.elements());
    batch.examples = rows;
    return batch;
}

ReferenceParameters weightsOf(const TrainingSession& session)
{
    ReferenceParameters parameters;
    for (int i = 0; i < static_cast<int>(session.plan().network.parameters.size()); ++i) {
        const auto values = session.stepper().arena().read(session.stepper().arena().weights(), i);
        parameters.emplace_back(values.begin(), values.end());
    }
    return parameters;
}

} // namespace

/// What a recorded step has to say.
class TestEventValues : public QObject
{
    Q_OBJECT

private slots:
    static void Record_ofAStep_hasEveryTag();
    static void Scalars_areThoseOfTheStep();
    static void Histograms_areOfWeightsAndGradients();
    static void Activations_areThoseOfTheReference();
    static void Images_areWhatTheLastTowerSaw();
};

void TestEventValues::Record_ofAStep_hasEveryTag()
{
    EventScene scene;
    EventRecorder recorder(scene.settings(), scene.session, *scene.training);
    recorder.record(scene.session.step().record);
    recorder.record(EvaluationRecord{1, WeightsKind::Average, 100, 25, 0.25, 2.0, 1.0});
    recorder.record(EvaluationRecord{1, WeightsKind::Raw, 100, 50, 0.5, 1.5, 1.0});
    std::set<std::string> tags;
    for (const auto& [tag, value] : valuesAt(scene.folder / "events", 0)) {
        tags.insert(tag);
    }
    std::set<std::string> expected{
        "loss/mean",          "loss/tower_0",      "loss/tower_1",
        "total_loss",         "learning_rate",     "accuracy/training_batch",
        "input/queue_filled", "images/image/0",    "speed/examples_per_second",
        "images/image/1",     "images/image/2",    "speed/seconds_per_batch",
        "conv1/filters",      "loss/cross_entropy"};
    for (const std::string layer : {"conv1", "conv2", "logits"}) {
        for (const char* tag :
             {"/weights", "/biases", "/weights/gradients", "/biases/gradients", "/activations",
              "/sparsity"}) {
            expected.insert(layer + tag);
        }
    }
    QCOMPARE(tags, expected);
    const Values evaluation = valuesAt(scene.folder / "events", 1);
    QCOMPARE(scalar(evaluation, "test/accuracy_average"), 0.25);
    QCOMPARE(scalar(evaluation, "Precision @ 1"), 0.25);
    QCOMPARE(scalar(evaluation, "test/loss_average"), 2.0);
    QCOMPARE(scalar(evaluation, "test/accuracy_raw"), 0.5);
    QCOMPARE(scalar(evaluation, "test/loss_raw"), 1.5);
    QCOMPARE(evaluation.size(), std::size_t{5});
}

void TestEventValues::Scalars_areThoseOfTheStep()
{
    EventScene scene;
    EventRecorder recorder(scene.settings(), scene.session, *scene.training);
    const StepRecord step = scene.session.step().record;
    recorder.record(step);
    recorder.flush();
    const Values values = valuesAt(scene.folder / "events", 0);
    const auto rounded = [](double value) { return double{static_cast<float>(value)}; };
    QCOMPARE(scalar(values, "loss/mean"), rounded(step.lossMean));
    QCOMPARE(scalar(values, "loss/tower_0"), rounded(step.towers[0].loss));
    QCOMPARE(scalar(values, "loss/tower_1"), rounded(step.towers[1].loss));
    QCOMPARE(scalar(values, "total_loss"), rounded(step.lossLast));
    QCOMPARE(scalar(values, "learning_rate"), rounded(step.learningRate));
    const std::int64_t correct = step.towers[0].correct + step.towers[1].correct;
    QCOMPARE(
        scalar(values, "accuracy/training_batch"), rounded(static_cast<double>(correct) / 16.0));
}

void TestEventValues::Histograms_areOfWeightsAndGradients()
{
    EventScene scene;
    EventRecorder recorder(scene.settings(), scene.session, *scene.training);
    const ReferenceParameters before = weightsOf(scene.session);
    const StepRecord step = scene.session.step().record;
    recorder.record(step);
    recorder.flush();
    const Values values = valuesAt(scene.folder / "events", 0);
    const auto& network = scene.session.plan().network;
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        const std::string& layer =
            network.layers[static_cast<std::size_t>(network.parameters[i].layer)].name;
        const bool isBias = network.parameters[i].shape.size() == 1;
        const std::string tag = layer + (isBias ? "/biases" : "/weights");
        const auto after = scene.session.stepper().arena().read(
            scene.session.stepper().arena().weights(), static_cast<int>(i));
        compare(histogram(values, tag), histogramOf(after));
        // What plain SGD did tells the gradient: (before - after) / rate - decay * before.
        double sum = 0.0;
        for (std::size_t j = 0; j < after.size(); ++j) {
            sum += (before[i][j] - double{after[j]}) / step.learningRate
                   - network.parameters[i].weightDecay * before[i][j];
        }
        const Histogram& gradients = histogram(values, tag + "/gradients");
        QCOMPARE(gradients.count, static_cast<double>(after.size()));
        QVERIFY(std::abs(gradients.sum - sum) <= 1e-5 * static_cast<double>(after.size()));
    }
}

// The reference computes the same rows with the same weights, in float64 and plain loops.
void TestEventValues::Activations_areThoseOfTheReference()
{
    EventScene scene;
    EventRecorder recorder(scene.settings(), scene.session, *scene.training);
    scene.session.step();
    scene.session.step();
    recorder.record(scene.session.step().record);
    recorder.flush();
    const Batch batch = lastTowersRows(scene, 2);
    const NetworkSpec& network = scene.session.plan().network;
    const ReferencePass pass =
        referencePass(network, weightsOf(scene.session), {batch.images, batch.labels}, 1.0);
    const Values values = valuesAt(scene.folder / "events", 2);
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        if (network.layers[i].parameters.empty()) {
            continue;
        }
        const std::vector<double>& expected = pass.activations[i];
        const Histogram& activations = histogram(values, network.layers[i].name + "/activations");
        QCOMPARE(activations.count, static_cast<double>(expected.size()));
        QVERIFY(isClose(activations.maximum, std::ranges::max(expected)));
        QVERIFY(isClose(activations.minimum, std::ranges::min(expected)));
        double sum = 0.0;
        double sumOfSquares = 0.0;
        for (const double value : expected) {
            sum += value;
            sumOfSquares += value * value;
        }
        QVERIFY(isClose(activations.sum, sum));
        QVERIFY(isClose(activations.sumOfSquares, sumOfSquares));
        const double zeros = static_cast<double>(std::ranges::count(expected, 0.0))
                             / static_cast<double>(expected.size());
        // A sum next to nothing may be cut off on one side only.
        QVERIFY(std::abs(scalar(values, network.layers[i].name + "/sparsity") - zeros) < 1e-3);
    }
    QVERIFY(scalar(values, "conv1/sparsity") > 0.0);
}

void TestEventValues::Images_areWhatTheLastTowerSaw()
{
    EventScene scene;
    EventRecorder recorder(scene.settings(), scene.session, *scene.training);
    recorder.record(scene.session.step().record);
    recorder.flush();
    const Batch batch = lastTowersRows(scene, 0);
    const Values values = valuesAt(scene.folder / "events", 0);
    for (int i = 0; i < 3; ++i) {
        const auto& image =
            std::get<PngImage>(values.at("images/image/" + std::to_string(i)).value);
        const QImage picture = QImage::fromData(QByteArray::fromStdString(image.bytes), "PNG");
        QCOMPARE(picture.size(), QSize(24, 24));
        const auto elements = static_cast<std::size_t>(batch.shape.elements());
        const auto row =
            std::span(batch.images).subspan(static_cast<std::size_t>(i) * elements, elements);
        float largest = 0.0F;
        for (const float value : row) {
            largest = std::max(largest, std::abs(value));
        }
        for (int pixel = 0; pixel < 24 * 24; ++pixel) {
            const QRgb seen = picture.pixel(pixel % 24, pixel / 24);
            const int red = qRed(seen);
            const float expected =
                127.0F + 128.0F * row[static_cast<std::size_t>(pixel) * 3] / largest;
            QVERIFY(std::abs(static_cast<float>(red) - std::clamp(expected, 0.0F, 255.0F)) <= 1.0F);
        }
    }
}

LOCKSTEP_TEST(TestEventValues)
#include "test_event_values.moc"
