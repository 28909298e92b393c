// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/catalog.h"
#include "metrics/gradient_agreement.h"
#include "metrics/verdicts/data_verdict.h"
#include "session/step/gradient_meter.h"
#include "session/training/training_session.h"
#include "support/gradients.h"
#include "support/lockstep_test.h"
#include "support/tower_run.h"
#include "update/optimizer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::uint64_t kSeed = 3;
constexpr double kRate = 0.01;
constexpr double kAverageDecay = 0.9;

/// Odd sizes, biases, weight decay, more than one chunk.
NetworkSpec mixedNetwork()
{
    const auto relu = Activation::Relu;
    return chain(
        {11, 9, 3},
        {convolution(17, {3, 3}, {1, 1}, Padding::Same, relu), MaxPool{{3, 3}, {2, 2}},
         Dense{371, relu, {}}},
        5);
}

/// Towers that train and are measured.
class MeasuredTowers
{
public:
    MeasuredTowers(const NetworkSpec& network, const TowerShape& shape)
        : m_run(network, shape, kSeed),
          m_chunks(chunkParameters(
              m_run.arena().layout(), std::vector<bool>(network.parameters.size(), true))),
          m_optimizer(m_device, network, m_run.arena(), m_chunks),
          m_meter(m_device, network, m_run.arena(), m_run.team(), m_chunks)
    {
    }

    GradientRecord step(const Batch& batch)
    {
        if (m_run.step(batch) >= 0) {
            throw std::runtime_error("a gradient that is not finite");
        }
        m_meter.beforeUpdate();
        m_before = weights();
        m_optimizer.apply(m_run.team().threads(), {kRate, kAverageDecay});
        return m_meter.afterUpdate(m_step++);
    }
    [[nodiscard]] std::vector<float> weights() const
    {
        const ParameterArena& arena = m_run.arena();
        return {arena.weights(), arena.weights() + arena.layout().elements};
    }
    [[nodiscard]] const std::vector<float>& weightsBefore() const { return m_before; }
    [[nodiscard]] TowerRun& run() { return m_run; }

private:
    cpu::CpuDevice m_device;
    TowerRun m_run;
    std::vector<ParameterChunk> m_chunks;
    Optimizer m_optimizer;
    GradientMeter m_meter;
    std::vector<float> m_before;
    std::int64_t m_step = 0;
};

std::vector<double> rangeOf(const float* values, const ParameterLayout& layout, std::size_t number)
{
    const float* const begin = values + layout.offsets[number];
    return {begin, begin + layout.counts[number]};
}

std::vector<double> difference(std::vector<double> a, const std::vector<double>& b)
{
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] -= b[i];
    }
    return a;
}

bool nearly(double a, double b, double size)
{
    return std::abs(a - b) <= 1e-12 * size;
}

/// Batches of pictures that are a pattern of their class and noise, as many of each class on every
/// tower; the labels of one tower's rows may be mixed up.
class PoisonedInput
{
public:
    PoisonedInput(const NetworkSpec& network, const TowerShape& shape, int poisoned)
        : m_network(network), m_shape(shape), m_poisoned(poisoned)
    {
        const auto elements = static_cast<std::size_t>(network.inputShape().elements());
        for (std::int64_t label = 0; label < network.classes; ++label) {
            m_patterns.push_back(m_random.floats(elements, -1.0, 1.0));
        }
    }

    Batch next()
    {
        Batch batch;
        batch.examples = m_shape.globalBatch();
        batch.shape = m_network.inputShape();
        for (std::int64_t row = 0; row < batch.examples; ++row) {
            const std::int64_t label = row % m_network.classes;
            batch.labels.push_back(static_cast<std::int32_t>(label));
            for (const float value : m_patterns[static_cast<std::size_t>(label)]) {
                batch.images.push_back(value + static_cast<float>(m_random.uniform(-1.0, 1.0)));
            }
        }
        if (m_poisoned >= 0) {
            const auto first = batch.labels.begin() + m_poisoned * m_shape.batchPerTower;
            std::shuffle(first, first + m_shape.batchPerTower, m_mixer);
        }
        return batch;
    }

private:
    const NetworkSpec& m_network;
    TowerShape m_shape;
    int m_poisoned;
    Random m_random{7};
    std::mt19937_64 m_mixer{8};
    std::vector<std::vector<float>> m_patterns;
};

RunConfig configOf(std::int64_t everySteps)
{
    RunConfig config;
    config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.towers = 3;
    config.threadsPerTower = {2};
    config.batchPerTower = 5;
    config.gradientsEverySteps = everySteps;
    return config;
}

} // namespace

/// What is measured of the towers' gradients, against the gradients themselves.
class TestGradientMeter : public QObject
{
    Q_OBJECT

private slots:
    void Record_ofARandomNetwork_isThatOfTheTowers_data();
    void Record_ofARandomNetwork_isThatOfTheTowers();
    void Record_ofTheSameStep_isTheSame();
    void SameRows_onEveryTower_agreeWithoutNoise();
    void Moments_moveTheStatistics_andAreNoGradients();
    void PoisonedShard_isTheTowerThatIsNamed_data();
    void PoisonedShard_isTheTowerThatIsNamed();
    void Training_measured_isBitForBitTheSame();
    void Session_measures_everyKSteps();
};

void TestGradientMeter::Record_ofARandomNetwork_isThatOfTheTowers_data()
{
    QTest::addColumn<int>("towers");
    QTest::addColumn<int>("threads");
    for (const int towers : {1, 2, 3}) {
        for (const int threads : {1, 2}) {
            QTest::addRow("%d x %d threads", towers, threads) << towers << threads;
        }
    }
}

void TestGradientMeter::Record_ofARandomNetwork_isThatOfTheTowers()
{
    QFETCH(int, towers);
    QFETCH(int, threads);
    const std::int64_t examples = std::int64_t{4} * towers;
    const NetworkSpec network = mixedNetwork();
    MeasuredTowers measuredTowers(network, {towers, threads, 4});
    measuredTowers.step(randomBatch(network, examples, 1)); // the moving average moves away
    const GradientRecord record = measuredTowers.step(randomBatch(network, examples, 2));
    QCOMPARE(record.step, 1);
    QCOMPARE(record.batchPerTower, 4);
    QCOMPARE(record.parameters.size(), network.parameters.size());
    const ParameterLayout& layout = measuredTowers.run().arena().layout();
    const std::vector<float> after = measuredTowers.weights();
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        const ParameterGradientRecord& found = record.parameters[i];
        QCOMPARE(found.name, network.parameters[i].name);
        const auto mean = rangeOf(measuredTowers.run().arena().gradient(), layout, i);
        const auto weights = rangeOf(measuredTowers.weightsBefore().data(), layout, i);
        const auto update = difference(rangeOf(after.data(), layout, i), weights);
        QVERIFY(nearly(found.gradientSquares, dot(mean, mean), dot(mean, mean)));
        QVERIFY(nearly(found.weightSquares, dot(weights, weights), dot(weights, weights)));
        QVERIFY(nearly(found.updateSquares, dot(update, update), dot(update, update)));
        TowerGradients gradients(
            static_cast<std::size_t>(towers), std::vector<double>(mean.size()));
        for (const LaneGradient& lane : measuredTowers.run().team().gradients()) {
            auto& gradient = gradients[static_cast<std::size_t>(lane.tower)];
            const auto own = rangeOf(lane.values, layout, i);
            std::ranges::transform(gradient, own, gradient.begin(), std::plus<>());
        }
        QCOMPARE(found.towers.size(), gradients.size());
        for (std::size_t tower = 0; tower < gradients.size(); ++tower) {
            const double squares = dot(gradients[tower], gradients[tower]);
            QVERIFY(nearly(found.towers[tower].squares, squares, squares));
            QVERIFY(nearly(
                found.towers[tower].dotMean, dot(gradients[tower], mean),
                std::sqrt(squares * dot(mean, mean))));
        }
    }
}

void TestGradientMeter::Record_ofTheSameStep_isTheSame()
{
    const NetworkSpec network = mixedNetwork();
    MeasuredTowers towers(network, {2, 2, 4});
    const GradientRecord expected = towers.step(randomBatch(network, 8, 5));
    const GradientRecord again =
        MeasuredTowers(network, {2, 2, 4}).step(randomBatch(network, 8, 5));
    QVERIFY(sameGradients(expected, again));
}

void TestGradientMeter::SameRows_onEveryTower_agreeWithoutNoise()
{
    const NetworkSpec network = mixedNetwork();
    const Batch rows = randomBatch(network, 6, 3);
    Batch batch = rows;
    batch.examples = 18;
    for (int copy = 0; copy < 2; ++copy) {
        batch.images.insert(batch.images.end(), rows.images.begin(), rows.images.end());
        batch.labels.insert(batch.labels.end(), rows.labels.begin(), rows.labels.end());
    }
    const GradientRecord record = MeasuredTowers(network, {3, 1, 6}).step(batch);
    const GradientAgreement agreement = gradientAgreement(record);
    for (const double cosine : agreement.whole.cosines) {
        QVERIFY(std::abs(cosine - 1.0) < 1e-9);
    }
    GradientNoiseScale noiseScale;
    noiseScale.add(record);
    QVERIFY(noiseScale.examples().value() < 1e-4); // the mean is rounded to float32
}

void TestGradientMeter::Moments_moveTheStatistics_andAreNoGradients()
{
    constexpr std::int64_t kRows = 3;
    Normalization normalization;
    normalization.decay = 0.75;
    const NetworkSpec network = chain({5, 4, 3}, {normalization}, 5);
    MeasuredTowers towers(network, {2, 1, kRows});
    const Batch batch = randomBatch(network, 2 * kRows, 4);
    const GradientRecord record = towers.step(batch);
    QCOMPARE(record.parameters.size(), std::size_t{4}); // gamma, beta, weights, bias
    for (const ParameterGradientRecord& parameter : record.parameters) {
        QVERIFY2(parameter.name.find("moving") == std::string::npos, parameter.name.c_str());
    }
    // Of each tower's rows and cells; the mean of both towers' is what the statistic follows.
    constexpr std::int64_t kValues = kRows * 5 * 4;
    const ParameterArena& arena = towers.run().arena();
    const auto moving = [&](int parameter) { return arena.read(arena.weights(), parameter); };
    for (std::size_t channel = 0; channel < 3; ++channel) {
        double mean = 0.0;
        double variance = 0.0;
        for (std::size_t tower = 0; tower < 2; ++tower) {
            std::vector<double> values;
            for (std::size_t i = 0; i < kValues; ++i) {
                values.push_back(double{batch.images[(tower * kValues + i) * 3 + channel]});
            }
            const double own = std::accumulate(values.begin(), values.end(), 0.0) / kValues;
            mean += own / 2.0;
            for (const double value : values) {
                variance += (value - own) * (value - own) / kValues / 2.0;
            }
        }
        QVERIFY(std::abs(double{moving(2)[channel]} - 0.25 * mean) < 1e-6);
        QVERIFY(std::abs(double{moving(3)[channel]} - (0.75 + 0.25 * variance)) < 1e-6);
    }
}

void TestGradientMeter::PoisonedShard_isTheTowerThatIsNamed_data()
{
    QTest::addColumn<int>("poisoned");
    for (const int poisoned : {-1, 1, 3}) {
        QTest::newRow(poisoned < 0 ? "none" : qPrintable(QString::number(poisoned))) << poisoned;
    }
}

void TestGradientMeter::PoisonedShard_isTheTowerThatIsNamed()
{
    QFETCH(int, poisoned);
    const NetworkSpec network = mixedNetwork();
    const TowerShape shape{4, 1, 40};
    MeasuredTowers towers(network, shape);
    PoisonedInput input(network, shape, poisoned);
    DataVerdict data(0.05, 4);
    GradientAgreement agreement;
    for (int step = 0; step < 24; ++step) {
        agreement = gradientAgreement(towers.step(input.next()));
        data.take(agreement);
    }
    QCOMPARE(data.verdict().tower, poisoned);
    if (poisoned >= 0) {
        const auto& cosines = agreement.whole.cosines;
        QCOMPARE(std::ranges::min_element(cosines) - cosines.begin(), std::ptrdiff_t{poisoned});
    }
}

void TestGradientMeter::Training_measured_isBitForBitTheSame()
{
    const auto dataset = openDataset({"synthetic"}, Split::Train);
    std::vector<std::vector<NamedTensor>> ends;
    for (const std::int64_t everySteps : {0, 1, 2}) {
        TrainingSession session(configOf(everySteps), *dataset);
        for (int step = 0; step < 6; ++step) {
            session.step();
        }
        const Checkpoint end = session.capture();
        ends.push_back(end.weights);
        ends.back().insert(ends.back().end(), end.movingAverages.begin(), end.movingAverages.end());
    }
    QVERIFY(ends[0] == ends[1]);
    QVERIFY(ends[0] == ends[2]);
}

void TestGradientMeter::Session_measures_everyKSteps()
{
    const auto dataset = openDataset({"synthetic"}, Split::Train);
    TrainingSession session(configOf(3), *dataset);
    for (std::int64_t step = 0; step < 8; ++step) {
        const auto& gradients = session.step().gradients;
        QCOMPARE(gradients.has_value(), step % 3 == 0);
        if (gradients) {
            QCOMPARE(gradients->step, step);
            QCOMPARE(gradients->parameters.front().towers.size(), std::size_t{3});
        }
    }
}

LOCKSTEP_TEST(TestGradientMeter)
#include "test_gradient_meter.moc"
