// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_origin.h"

#include "engine/storage.h"

#include <charconv>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

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
    const auto field = [&](const char* name) {
        const auto found = header.metadata.find(name);
        if (found == header.metadata.end()) {
            fail(
                ErrorCode::Data, "{}: not a checkpoint of Lockstep: it has no field '{}'",
                file.string(), name);
        }
        return found->second;
    };
    CheckpointSummary summary;
    const std::string step = field("step");
    const char* const end = step.data() + step.size();
    const auto read = std::from_chars(step.data(), end, summary.step);
    if (read.ec != std::errc() || read.ptr != end) {
        fail(
            ErrorCode::Data, "{}: field 'step' is '{}', which is not a number", file.string(),
            step);
    }
    summary.model = field("model");
    parseConfig(summary.config, field("configuration"), file.string());
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
