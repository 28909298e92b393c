// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_origin.h"

#include "engine/storage.h"

#include <charconv>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

std::string field(const SafetensorsHeader& header, const std::string& name, const fs::path& file)
{
    const auto found = header.metadata.find(name);
    if (found == header.metadata.end()) {
        fail(
            ErrorCode::Data, "{}: not a checkpoint of Lockstep: it has no field '{}'",
            file.string(), name);
    }
    return found->second;
}

std::int64_t stepOf(const std::string& text, const fs::path& file)
{
    std::int64_t step = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), step);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size()) {
        fail(
            ErrorCode::Data, "{}: field 'step' is '{}', which is not a number", file.string(),
            text);
    }
    return step;
}

/// `RUN/checkpoints/step-….safetensors`.
std::optional<fs::path> runAround(const fs::path& file)
{
    const fs::path folder = fs::absolute(file).parent_path();
    const fs::path run = folder.parent_path();
    const bool isInside = RunFolder::checkpointsOf(run) == folder && RunFolder::isRun(run);
    return isInside ? std::optional(run) : std::nullopt;
}

} // namespace

CheckpointSummary readCheckpointSummary(const fs::path& file)
{
    const SafetensorsHeader header = readSafetensorsHeader(file);
    CheckpointSummary summary;
    summary.step = stepOf(field(header, "step", file), file);
    summary.model = field(header, "model", file);
    parseConfig(summary.config, field(header, "configuration", file), file.string());
    summary.run = runAround(file);
    return summary;
}

RunRequest requestToContinue(const fs::path& run, const std::optional<fs::path>& checkpoint)
{
    const RunConfig config = checkpoint
                                 ? configToContinue(run, readCheckpointSummary(*checkpoint).config)
                                 : configOfRun(run);
    return {config, run, true, checkpoint};
}

RunRequest requestFromCheckpoint(const fs::path& file)
{
    const CheckpointSummary summary = readCheckpointSummary(file);
    RunRequest request{summary.config, {}, false, file};
    request.config.steps += summary.step;
    return request;
}

RunRequest requestToFineTune(const fs::path& fileOrRun)
{
    RunRequest request;
    request.config = RunFolder::isRun(fileOrRun) ? configOfRun(fileOrRun)
                                                 : readCheckpointSummary(fileOrRun).config;
    request.config.initialWeights = {fileOrRun.string()};
    return request;
}

RunRequest requestAfter(RunRequest request, bool isFinished)
{
    const bool goesOn = request.isResume && !isFinished;
    if (!goesOn) {
        request.folder.clear();
        request.isResume = false;
    }
    request.checkpoint.reset();
    return request;
}

} // namespace lockstep::ui
