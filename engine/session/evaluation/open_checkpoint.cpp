// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation/open_checkpoint.h"

#include "base/error.h"
#include "storage/store/run_folder.h"

namespace lockstep {
namespace {

LoadedCheckpoint openNewest(
    const std::filesystem::path& folder, const std::function<void(const std::string&)>& onSkipped)
{
    const auto report = [&](const std::string& text) {
        if (onSkipped) {
            onSkipped(text);
        }
    };
    const auto checkpoints = RunFolder::isRun(folder) ? RunFolder::checkpointsOf(folder) : folder;
    auto newest = newestGoodCheckpoint(checkpoints, report);
    if (!newest) {
        fail(
            ErrorCode::BadInput, "{}: there is no good checkpoint in this folder",
            checkpoints.string());
    }
    return *std::move(newest);
}

} // namespace

LoadedCheckpoint openCheckpoint(
    const std::filesystem::path& path, const std::function<void(const std::string&)>& onSkipped)
{
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        fail(
            ErrorCode::BadInput, "{}: no checkpoint, run or folder of this name exists",
            path.string());
    }
    if (std::filesystem::is_directory(path, ignored)) {
        return openNewest(path, onSkipped);
    }
    Checkpoint checkpoint = readCheckpoint(path);
    const std::int64_t step = checkpoint.step;
    return {{step, path}, std::move(checkpoint)};
}

void followMovedModel(RunConfig& config, const std::filesystem::path& run)
{
    std::error_code ignored;
    const std::filesystem::path named = config.model.name;
    const auto moved = std::filesystem::absolute(RunFolder::modelFileOf(run)).lexically_normal();
    if (named.filename() == moved.filename() && !std::filesystem::exists(named, ignored)
        && std::filesystem::exists(moved, ignored)) {
        config.model.name = moved.string();
    }
}

bool isPlaceOfTraining(const LoadedCheckpoint& loaded, const RunConfig& config)
{
    RunConfig trained;
    parseConfig(trained, loaded.checkpoint.configuration, loaded.file.path.string());
    std::error_code ignored;
    return trained.datasetPath == config.datasetPath
           || std::filesystem::equivalent(trained.datasetPath, config.datasetPath, ignored);
}

RunConfig configurationOf(
    const LoadedCheckpoint& loaded, WeightsKind weights, const std::string& dataPath)
{
    const Checkpoint& checkpoint = loaded.checkpoint;
    const std::string file = loaded.file.path.string();
    if (weights == WeightsKind::Average && checkpoint.movingAverages.empty()) {
        fail(ErrorCode::BadInput, "{}: it has no moving averages; use --weights raw", file);
    }
    if (checkpoint.configuration.empty()) {
        fail(
            ErrorCode::BadInput, "{}: it does not say how it was trained (no configuration)", file);
    }
    RunConfig config;
    parseConfig(config, checkpoint.configuration, file);
    followMovedModel(config, loaded.file.path.parent_path().parent_path());
    config.datasetPath = dataPath.empty() ? config.datasetPath : dataPath;
    return config;
}

void readDataAs(RunConfig& config, const std::vector<std::string>& settings)
{
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        if (!setting.starts_with("dataset.") || equals == std::string::npos) {
            fail(
                ErrorCode::BadInput,
                "--set {}: only how the data are read can be set here, as dataset.KEY=VALUE",
                setting);
        }
        setConfigValue(config, setting.substr(0, equals), setting.substr(equals + 1));
    }
    if (!settings.empty()) {
        config.validate();
    }
}

} // namespace lockstep
