// SPDX-License-Identifier: Apache-2.0
#include "commands.h"
#include "config_options.h"
#include "console.h"
#include "interrupt.h"
#include "train_reporter.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace lockstep::train {
namespace {

constexpr const char* kDescription = "Trains a network and keeps every step of it in a run folder";

constexpr const char* kExamples = R"(Examples:
  lockstep-train train --towers 2 --steps 200
  lockstep-train train --dataset cifar10 --data DIR --towers 4 --global-batch 256 --run runs/a
  lockstep-train train --run runs/a --resume --steps 6000
  lockstep-train train --run runs/b --resume runs/a/checkpoints/step-000001000.safetensors
  lockstep-train train --config runs/a/run.toml --set learning_rate.initial=0.05 --run runs/c

A line every 10 steps, in the classic form; sec/batch is the time of a tower batch, step / towers.
--json writes one object a line: event = started, step, evaluation, checkpoint, device_reading (the
memory, load, temperature and power of a GPU, about once a second), note, finished or stopped.
Ctrl-C stops at the end of a step with a checkpoint (exit status 1); twice ends at once.)";

struct Options
{
    explicit Options(CLI::App& command)
        : config(
            command, {"model.name", "dataset.name", "dataset.path", "towers", "device",
                      "batch_per_tower", "global_batch", "steps", "seed", "precision"})
    {
        config.addFileAndSet(command);
        command
            .add_option(
                "--run", folder,
                "Folder of the run; default $XDG_DATA_HOME/lockstep/runs/<date>-<model>. A run "
                "that is "
                "there already is only ever continued, by --resume")
            ->type_name("DIR");
        resume =
            command
                .add_option(
                    "--resume", checkpoint,
                    "Goes on with the run in --run, from its newest good checkpoint or from this "
                    "one, under the configuration of the run and what is given here. Where "
                    "--run is no run yet, starts one from the checkpoint")
                ->type_name("[CHECKPOINT]")
                ->expected(0, 1);
        command.add_flag("--json", isJson, "One JSON object a line instead of text");
    }

    /// The file behind --resume, if one was named.
    [[nodiscard]] std::optional<std::filesystem::path> checkpointFile() const
    {
        return checkpoint.empty() ? std::nullopt : std::optional<std::filesystem::path>(checkpoint);
    }

    ConfigOptions config;
    std::string folder;
    std::string checkpoint;
    const CLI::Option* resume = nullptr;
    bool isJson = false;
};

void checkResume(const RunRequest& request)
{
    if (request.folder.empty()) {
        fail(ErrorCode::BadInput, "--resume needs --run DIR, the folder of the run");
    }
    if (!request.isResume && !request.checkpoint) {
        fail(
            ErrorCode::BadInput,
            "{}: there is no run to resume; name its folder, or a checkpoint to start a new one "
            "from",
            request.folder.string());
    }
}

/// Finds what --resume means: fills in what to go on with and its configuration.
void resumeFrom(const Options& options, RunRequest& request)
{
    request.isResume = RunFolder::isRun(request.folder);
    request.checkpoint = options.checkpointFile();
    checkResume(request);
    if (request.checkpoint) {
        const LoadedCheckpoint loaded = openCheckpoint(*request.checkpoint, writeError);
        request.checkpoint = loaded.file.path;
        parseConfig(request.config, loaded.checkpoint.configuration, loaded.file.path.string());
    }
    if (request.isResume) {
        request.config = configOfRun(request.folder);
    }
}

/// Puts the command line over a configuration. Its threads per tower were chosen for as many towers
/// as it has: other towers get a new number, unless one is given.
void applyOptions(const ConfigOptions& options, RunConfig& config)
{
    const int towers = config.towers;
    const int threads = std::exchange(config.threadsPerTower, 0);
    options.apply(config);
    if (config.towers == towers && config.threadsPerTower == 0) {
        config.threadsPerTower = threads;
    }
}

RunRequest requestFrom(const Options& options)
{
    RunRequest request;
    request.folder = options.folder;
    if (options.resume->count() > 0) {
        resumeFrom(options, request);
    }
    applyOptions(options.config, request.config);
    return request;
}

int train(const Options& options)
{
    catchInterrupts();
    const auto reporter = options.isJson ? makeJsonReporter() : makeTextReporter();
    TrainingRun run(requestFrom(options), *reporter);
    reporter->begin(run);
    run.train();
    reporter->end(run);
    if (run.state() == RunState::Finished) {
        return 0;
    }
    writeError(fmt::format(
        "stopped at step {} of {}; go on with: lockstep-train train --run '{}' --resume",
        run.session().nextStep(), run.config().steps, run.folder().string()));
    return 1;
}

} // namespace

void addTrainCommand(CLI::App& program, Action& action)
{
    CLI::App* command = program.add_subcommand("train", kDescription);
    command->footer(keyTable() + "\n" + kExamples);
    const auto options = std::make_shared<Options>(*command);
    command->callback([options, &action] { action = [options] { return train(*options); }; });
}

} // namespace lockstep::train
