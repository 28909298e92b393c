// SPDX-License-Identifier: GPL-3.0-or-later
// What real trainings show of the last tower's loss against the mean, at learning rate 0, where the
// weights stay and so what is expected can be worked out.
#include "bridge/series/run_series.h"
#include "dataset/formats/catalog.h"
#include "session/config/run_data.h"
#include "session/evaluation/evaluation.h"
#include "session/training/training_session.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"
#include "support/text_rows.h"

#include <cmath>
#include <fstream>
#include <memory>
#include <optional>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

constexpr int kSteps = 1500;
constexpr std::int64_t kBatch = 128;

/// Fast, with losses that differ much from example to example.
constexpr const char* kModel = R"(name = "tiny"
classes = 10
input = { height = 24, width = 24, channels = 3 }
[[layer]]
name = "pool"
type = "max_pool"
window = [8, 8]
stride = [8, 8]
[[layer]]
name = "logits"
type = "dense"
units = 10
stddev = 0.3
[[objective]]
name = "cross_entropy"
logits = "logits"
)";

/// One example in ten: those of a class.
class OneClass final : public Dataset
{
public:
    OneClass(const Dataset& all, std::int32_t label) : m_all(all)
    {
        for (std::int64_t i = 0; i < all.size(); ++i) {
            if (all.example(i).label == label) {
                m_examples.push_back(i);
            }
        }
    }
    [[nodiscard]] const DatasetInfo& info() const override { return m_all.info(); }
    [[nodiscard]] std::int64_t size() const override { return std::ssize(m_examples); }
    [[nodiscard]] ExampleView example(std::int64_t index) const override
    {
        return m_all.example(m_examples[static_cast<std::size_t>(index)]);
    }

private:
    const Dataset& m_all;
    std::vector<std::int64_t> m_examples;
};

/// All steps of a session, as the window's charts get them.
std::unique_ptr<RunSeries> seriesOf(TrainingSession& session, const Dataset& training)
{
    const TowerShape& shape = session.stepper().shape();
    auto series = std::make_unique<RunSeries>(shape.towers, static_cast<int>(shape.batchPerTower));
    series->setTrainingExamples(training.size());
    std::vector<double> losses(static_cast<std::size_t>(shape.towers));
    for (int i = 0; i < kSteps; ++i) {
        const StepRecord record = session.step().record;
        for (std::size_t tower = 0; tower < losses.size(); ++tower) {
            losses[tower] = record.towers[tower].loss;
        }
        series->append(StepPoint{
            {record.step, record.epoch, record.wallSeconds},
            losses,
            record.lossMean,
            record.examplesPerSecond});
    }
    return series;
}

/// Plain variance of a curve: without learning there is no trend.
double varianceOf(const Series& curve)
{
    double sum = 0.0;
    double squares = 0.0;
    for (std::int64_t row = 0; row < curve.size(); ++row) {
        sum += curve.at(row);
        squares += static_cast<double>(curve.at(row)) * curve.at(row);
    }
    const auto count = static_cast<double>(curve.size());
    return (squares - sum * sum / count) / (count - 1.0);
}

double meanLoss(const TrainingSession& session, const RunConfig& config, const Dataset& dataset)
{
    const Evaluation evaluation(
        session.plan().devices.first(), session.plan().network, session.stepper().arena().layout(),
        dataset, distortionFor(config, session.plan().network));
    ThreadTeam threads("test", 1, false);
    return evaluation.run(threads, 1, session.stepper().arena().weights()).loss;
}

} // namespace

class TestReportedOrTrue : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_folder.emplace();
        std::ofstream(*m_folder / "tiny.toml") << kModel;
    }

    void Ratio_atLearningRateZero_isTheExpected_data()
    {
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<int>("towers");
        for (const QString dataset : {"synthetic", "cifar10"}) {
            for (const int towers : {2, 4, 8}) {
                QTest::addRow("%s, %d towers", qPrintable(dataset), towers) << dataset << towers;
            }
        }
    }

    void Ratio_atLearningRateZero_isTheExpected()
    {
        QFETCH(const QString, dataset);
        QFETCH(const int, towers);
        const Dataset* const training = open(dataset);
        if (training == nullptr) {
            QSKIP("CIFAR-10 is not in the test data");
        }
        RunConfig run = config(dataset, towers);
        TrainingSession session(run, *training);
        const auto series = seriesOf(session, *training);
        const SeriesStore& steps = series->steps();
        const double expected = expectedVarianceRatio(towers, kBatch, training->size());
        const double found = varianceOf(steps.series(series->lastTowerLoss()))
                             / varianceOf(steps.series(RunSeries::kMeanLoss));
        const double shown = series->lastTower().varianceRatio();
        qInfo(
            "Var(last) / Var(mean) = %.3f, of the latest steps %.3f, expected %.3f", found, shown,
            expected);
        QVERIFY(std::abs(found / expected - 1.0) < 0.15);
        QVERIFY(std::abs(shown / expected - 1.0) < 0.25); // of a third of the steps less
        QCOMPARE(series->lastTower().variation(expected), TowerVariation::Independent);
        const RunningMean& bias = series->lastTower().bias();
        QVERIFY(std::abs(bias.mean()) < 4.0 * bias.standardError());
    }

    void Ratio_ofTowersWithTheSameData_isOne_data() { addDatasets(); }

    void Ratio_ofTowersWithTheSameData_isOne()
    {
        QFETCH(const QString, dataset);
        const Dataset* const training = open(dataset);
        if (training == nullptr) {
            QSKIP("CIFAR-10 is not in the test data");
        }
        RunConfig run = config(dataset, 4);
        run.experiment.shards = "same";
        TrainingSession session(run, *training);
        const auto series = seriesOf(session, *training);
        QCOMPARE(series->lastTower().varianceRatio(), 1.0);
        QCOMPARE(series->lastTower().worstDeviation(), 0.0);
        QCOMPARE(
            series->lastTower().variation(series->expectedVarianceRatio()), TowerVariation::Same);
    }

    void Bias_ofASkewedTower_isThatOfItsClass_data() { addDatasets(); }

    /// The last of 4 towers gets one class c: the mean has a quarter of it, so that on average
    /// last - mean = (1 - 1/4) * (mean loss of class c - mean loss of the whole set).
    void Bias_ofASkewedTower_isThatOfItsClass()
    {
        QFETCH(const QString, dataset);
        const Dataset* const training = open(dataset);
        if (training == nullptr) {
            QSKIP("CIFAR-10 is not in the test data");
        }
        RunConfig run = config(dataset, 4);
        run.experiment.shards = "skewed";
        run.experiment.exampleClass = 6;
        TrainingSession session(run, *training);
        const double ofClass = meanLoss(session, run, OneClass(*training, 6));
        const double expected = 0.75 * (ofClass - meanLoss(session, run, *training));
        const auto series = seriesOf(session, *training);
        const RunningMean& bias = series->lastTower().bias();
        qInfo(
            "last - mean = %.5f +- %.5f, expected %.5f", bias.mean(), bias.standardError(),
            expected);
        QVERIFY(std::abs(expected) > 10.0 * bias.standardError()); // or it would show nothing
        QVERIFY(std::abs(bias.mean() - expected) < 4.0 * bias.standardError());
    }

private:
    static void addDatasets() { test::addTextRows({"dataset"}, {{"synthetic"}, {"cifar10"}}); }

    /// Skips where the data are not there.
    const Dataset* open(const QString& name)
    {
        const bool isCifar = name == "cifar10";
        const auto folder =
            isCifar ? test::testData("cifar-10-batches-bin") : std::filesystem::path();
        if (isCifar && !std::filesystem::exists(folder)) {
            return nullptr;
        }
        auto& dataset = m_datasets[name];
        if (!dataset) {
            dataset = openDataset({name.toStdString(), folder}, Split::Train);
        }
        return dataset.get();
    }

    [[nodiscard]] RunConfig config(const QString& dataset, int towers) const
    {
        RunConfig config;
        config.model.name = (*m_folder / "tiny.toml").string();
        config.dataset = dataset.toStdString();
        config.towers = towers;
        config.batchPerTower = kBatch;
        config.threadsPerTower = {1};
        config.inputThreads = 2;
        config.learningRate.initial = 0.0;
        config.distortion = config.distortion.forEvaluation();
        return config;
    }

    std::optional<test::TemporaryFolder> m_folder;
    std::map<QString, std::unique_ptr<Dataset>> m_datasets;
};
LOCKSTEP_TEST(TestReportedOrTrue)
#include "test_reported_or_true.moc"
