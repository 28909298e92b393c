// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing is wrong with a run of a preset, so nobody is to be told that something is.
#include "bridge/validation/presets.h"
#include "dataset/formats/synthetic.h"
#include "metrics/verdicts/step_alerts.h"
#include "session/config/run_data.h"
#include "session/training/training_session.h"
#include "support/lockstep_test.h"

#include <memory>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

constexpr int kClasses = 10;

/// 2,000 steps of each are LOCKSTEP_HEALTHY_STEPS=2000, a quarter of an hour; and then what the
/// machine does counts, too, which is at rest where a person measures.
int stepsOf(const RunConfig& config)
{
    const int wanted = qEnvironmentVariableIntValue("LOCKSTEP_HEALTHY_STEPS");
    return wanted > 0 ? wanted : config.model.name == "cifar10" ? 300 : 30;
}

/// The preset on generated data, with images and batches that are small, and a rate for those.
RunConfig madeSmall(RunConfig config)
{
    const auto before = static_cast<double>(config.towerShape().globalBatch());
    const bool hasMasks = config.model.name == "segdecnet";
    config.dataset = hasMasks ? "synthetic_defects" : "synthetic";
    config.datasetPath.clear();
    config.initialWeights = {};
    config.inputThreads = 1;
    config.threadsPerTower = {1};
    if (hasMasks) {
        config.model.inputHeight = 128;
        config.model.inputWidth = 64;
    } else {
        config.batchPerTower = config.model.name == "inception_v3" ? 2 : 4;
    }
    if (config.model.name == "inception_v3") {
        config.model.inputHeight = config.model.inputWidth = 75;
        config.model.classes = 10;
        config.towers = std::min(config.towers, 4);
    }
    config.learningRate.initial *= static_cast<double>(config.towerShape().globalBatch()) / before;
    if (qEnvironmentVariableIsEmpty("LOCKSTEP_HEALTHY_STEPS")) {
        config.alerts.inputShare = config.alerts.towerWait = 0.0;
    }
    return config;
}

std::unique_ptr<Dataset> dataOf(const RunConfig& config)
{
    constexpr std::int64_t kExamples = 2000;
    constexpr int kScale = 3; // 96 x 96 for Inception
    return config.model.name == "inception_v3"
               ? openSynthetic(Split::Train, config.seed, kExamples, kScale)
               : openDataset(datasetOf(config), Split::Train);
}

} // namespace

class TestHealthyRuns : public QObject
{
    Q_OBJECT

private slots:
    void Preset_thatIsHealthy_alertsNobody_data()
    {
        QTest::addColumn<int>("number");
        const auto all = presets();
        for (int i = 0; i < static_cast<int>(all.size()); ++i) {
            const Preset& preset = all[static_cast<std::size_t>(i)];
            if (preset.config.experiment.shards == RunConfig().experiment.shards) {
                QTest::addRow("%s", qPrintable(preset.name)) << i;
            }
        }
    }

    void Preset_thatIsHealthy_alertsNobody()
    {
        QFETCH(const int, number);
        const RunConfig config = madeSmall(presets()[static_cast<std::size_t>(number)].config);
        const auto data = dataOf(config);
        TrainingSession session(config, *data);
        const TowerShape& shape = session.stepper().shape();
        QStringList told;
        StepAlerts alerts(
            config.alerts, static_cast<std::size_t>(shape.towers), kClasses,
            [&](const AlertRecord& alert) {
                told.append(
                    QString("step %1: ").arg(alert.step) + QString::fromStdString(alert.text));
            });
        for (int i = 1; i <= stepsOf(config); ++i) {
            alerts.take(session.step().record);
        }
        QVERIFY2(told.isEmpty(), qPrintable(told.join('\n')));
    }
};
LOCKSTEP_TEST(TestHealthyRuns)
#include "test_healthy_runs.moc"
