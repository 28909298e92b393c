// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_summary.h"
#include "models/engine_text.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_title.h"
#include "bridge/telemetry/stored_run.h"
#include "engine/config.h"
#include "engine/records.h"
#include "engine/remote.h"
#include "engine/run.h"
#include "engine/storage.h"
#include "models/names.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <system_error>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

/// Points of the little curve: about one for each pixel.
constexpr std::size_t kCurvePoints = 96;
/// Over which the rate is taken.
constexpr std::int64_t kRateSteps = 100;

RunStamp::File fileStamp(const fs::path& file)
{
    std::error_code noFile;
    const auto time = fs::last_write_time(file, noFile);
    if (noFile) {
        return {};
    }
    const std::uintmax_t size = fs::file_size(file, noFile);
    return {time.time_since_epoch().count(), noFile ? 0 : size};
}

RunStage stageOf(const RunStoreReader& reader, const fs::path& folder, const RunRow& row)
{
    const std::optional<RunState> state = recordedState(reader.values());
    if (!state || state == RunState::Ready) {
        return row.stepsDone == 0 ? RunStage::New : RunStage::Stopped;
    }
    switch (*state) {
    case RunState::Finished:
        return RunStage::Finished;
    case RunState::Stopped:
        return RunStage::Stopped;
    case RunState::Failed:
        return RunStage::Failed;
    default:
        // Its process may have come only after it was looked for.
        return RunLock::writerOf(folder) ? RunStage::Training : RunStage::EndedUnexpectedly;
    }
}

void takeCurve(RunRow& row, const LossPreview& preview)
{
    for (const LossPreviewNode& node : preview) {
        const double middle = 0.5 * static_cast<double>(node.firstStep + node.endStep - 1);
        row.curve.push_back({middle, node.mean});
        if (std::isfinite(node.minimum)) {
            row.lowestLoss = std::min<double>(row.lowestLoss.value_or(node.minimum), node.minimum);
        }
    }
}

void takeLastSteps(RunRow& row, const RunStoreReader& reader)
{
    std::int64_t examples = 0;
    double seconds = 0.0;
    reader.forEachStep(
        [&](const StepRecord& record) {
            row.lastLoss = record.lossMean;
            for (const TowerRecord& tower : record.towers) {
                examples += tower.examples;
            }
            seconds += record.stepSeconds;
        },
        std::max<std::int64_t>(0, row.stepsDone - kRateSteps), row.stepsDone);
    if (seconds > 0.0) {
        row.examplesPerSecond = static_cast<double>(examples) / seconds;
    }
}

void takeEvaluations(RunRow& row, const RunStoreReader& reader)
{
    for (const EvaluationRecord& record : reader.evaluations()) {
        if (record.weights == WeightsKind::Average) {
            row.lastAccuracy = record.accuracy;
            row.bestAccuracy = std::max(row.bestAccuracy.value_or(0.0), record.accuracy);
        }
    }
}

void takeConfiguration(RunRow& row, const RunConfig& config)
{
    row.model = modelTitle(QString::fromStdString(config.model.name));
    row.dataset = datasetTitle(
        QString::fromStdString(config.dataset), QString::fromStdString(config.datasetPath));
    row.towers = config.towers;
    row.batchPerTower = config.towerShape().batchPerTower;
    row.learningRate = config.learningRate.initial;
    row.optimizer = QString::fromStdString(config.optimizer.name);
    row.precision = QString::fromStdString(config.precision);
    row.stepsWanted = config.steps;
}

void takeStore(RunRow& row, const fs::path& folder)
{
    const auto writer = RunLock::writerOf(folder); // before the store, which has the last word
    const RunStoreReader reader(RunFolder::storeFileOf(folder));
    row.stepsDone = reader.nextStep();
    row.process = writer.value_or(0);
    row.stage = writer ? RunStage::Training : stageOf(reader, folder, row);
    const auto branches = reader.branches();
    if (!branches.empty()) {
        row.started =
            QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(branches.front().created * 1000.0));
    }
    takeCurve(row, reader.lossPreview(kCurvePoints));
    takeLastSteps(row, reader);
    takeEvaluations(row, reader);
}

} // namespace

RunStamp runStamp(const fs::path& folder)
{
    fs::path log = RunFolder::storeFileOf(folder);
    log += "-wal";
    return {
        {fileStamp(folder / "run.toml"), fileStamp(titleFileOf(folder)),
         fileStamp(RunFolder::storeFileOf(folder)), fileStamp(log)},
        RunLock::writerOf(folder).value_or(-1)};
}

RunRow readRunSummary(const fs::path& folder)
{
    RunRow row;
    row.folder = toQString(folder);
    row.name = nameOf(folder);
    try {
        const RunConfig config = configOfRun(folder);
        row.name = titleOf(folder, config);
        takeConfiguration(row, config);
        takeStore(row, folder);
    } catch (const std::exception& error) {
        row.stage = RunStage::Unreadable;
        row.problem = engineText(error.what());
    }
    return row;
}

} // namespace lockstep::ui
