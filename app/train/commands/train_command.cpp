// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "config_options.h"
#include "console.h"
#include "engine/base.h"
#include "engine/config.h"
#include "engine/evaluation.h"
#include "engine/ranks.h"
#include "engine/remote.h"
#include "engine/run.h"
#include "engine/storage.h"
#include "interrupt.h"
#include "launch/launcher_line.h"
#include "train_reporter.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep::train {
namespace {

constexpr const char* kTrainDescription =
    "Trains a network and keeps every step of it in a run folder";

constexpr const char* kTrainExamples = R"(Examples:
  lockstep-train train --towers 2 --steps 200
  lockstep-train train --dataset cifar10 --data DIR --towers 4 --global-batch 256 --run runs/a
  lockstep-train train --run runs/a --resume --steps 6000
  lockstep-train train --run runs/a --resume runs/a/checkpoints/step-000001000.safetensors
  lockstep-train train --run runs/b --weights-from runs/a --model five_classes.toml --data photos
  lockstep-train train --config runs/a/run.toml --set learning_rate.initial=0.05 --run runs/c

A line every 10 steps, in the classic form; sec/batch is the time of a tower batch, step / towers.
Before the first step a checklist is gone through (checkpoint, free space, data, memory, devices). While
it trains, `lockstep-train control DIR pause|save|learning-rate|steps|stop|status|…` and the window reach it.
--json writes one object a line: event = initial_weights (of a fine-tuned run: every tensor, taken or not, and why not),
started, preflight, step, gradients (norms and cosines of the towers' gradients, every gradients.every_steps),
evaluation, checkpoint, device_reading (the memory, load, temperature and power of a GPU or the processors,
about once a second), note, alert (what somebody should look at), changed (the learning rate or the steps), paused,
resumed, finished or stopped.
Ctrl-C stops at the end of a step with a checkpoint (exit status 1); twice ends at once.)";

struct TrainOptions
{
    explicit TrainOptions(Command& command)
        : config(
            command,
            {"model.name", "dataset.name", "dataset.path", "towers", "device", "batch_per_tower",
             "global_batch", "steps", "learning_rate.initial", "seed", "precision"})
    {
        config.addFileAndSet(command);
        command.option(
            "--run", folder, "DIR",
            "Folder of the run; default $XDG_DATA_HOME/lockstep/runs/<date>-<model>. An "
            "existing run is never replaced, only continued (--resume)");
        resume =
            command
                .option(
                    "--resume", checkpoint, "[CHECKPOINT]",
                    "Goes on with the run in --run, from its newest good checkpoint, or on a new "
                    "branch from this one, under the configuration of the run (the learning rate "
                    "of the checkpoint) and what is given here. If --run is not a run yet, starts "
                    "one: from the checkpoint, or at step 0")
                .valueMayLack();
        command
            .option(
                "--weights-from", weightsFrom, "FILE|RUN",
                "Fine-tuning: starts a new run at step 0 with the weights of this checkpoint, run "
                "or safetensors file that fit, and says which do not; short for "
                "initial_weights.checkpoint. The model is that of the checkpoint, unless one is "
                "given")
            .excludes(*resume);
        command
            .option(
                "--fresh-layer", freshLayers, "NAME",
                "With --weights-from: a layer that starts at random weights although its own would "
                "fit; may be repeated")
            .mayRepeat();
        command.option(
            "--note", note, "TEXT", "The run keeps this line, say why it is started or goes on");
        command.flag("--json", isJson, "One JSON object a line instead of text");
        command.flag(
            "--launched", isLaunched,
            "For programs that start a training as a process of its own: reads what to train from "
            "standard input, answers with its folder on descriptor 3 and leaves both; messages go "
            "to RUN/messages.log");
    }

    /// The file behind --resume, if one was named.
    [[nodiscard]] std::optional<std::filesystem::path> checkpointFile() const
    {
        return checkpoint.empty() ? std::nullopt : std::optional<std::filesystem::path>(checkpoint);
    }

    ConfigOptions config;
    std::string folder;
    std::string checkpoint;
    std::string weightsFrom;
    std::vector<std::string> freshLayers;
    std::string note;
    std::optional<Option> resume;
    bool isJson = false;
    bool isLaunched = false;
};

/// Finds what --resume means: fills in what to go on with and its configuration. Without a run and
/// without a checkpoint it is a new run, so that the same command line starts a training and goes
/// on with it.
void resumeFrom(const TrainOptions& options, RunRequest& request)
{
    if (request.folder.empty()) {
        fail(ErrorCode::BadInput, "--resume needs --run DIR, the folder of the run");
    }
    request.isResume = RunFolder::isRun(request.folder);
    request.checkpoint = options.checkpointFile();
    if (request.isResume) {
        request.config = configOfRun(request.folder);
    }
    if (request.checkpoint) {
        std::error_code ignored;
        const bool isNewest = std::filesystem::is_directory(*request.checkpoint, ignored);
        const LoadedCheckpoint loaded = openCheckpoint(*request.checkpoint, writeError);
        request.checkpoint = loaded.file.path;
        RunConfig ofCheckpoint;
        parseConfig(ofCheckpoint, loaded.checkpoint.configuration, loaded.file.path.string());
        if (!request.isResume) {
            request.config = ofCheckpoint;
        } else if (!isNewest) {
            request.config = configToContinue(request.folder, ofCheckpoint);
        }
    } else if (!request.isResume) {
        writeError(fmt::format(
            "{}: there is no run to resume yet: starting at step 0", request.folder.string()));
    }
}

/// The model is that of the checkpoint, unless the options name another one.
void fineTuneFrom(const TrainOptions& options, RunRequest& request)
{
    request.config.initialWeights.checkpoint = options.weightsFrom;
    const auto file = initialWeightsFile(request.config.initialWeights, writeError);
    const Metadata metadata = readSafetensorsHeader(file).metadata;
    if (metadata.contains(kCheckpointField)) {
        RunConfig config;
        parseConfig(config, metadata.at("configuration"), file.string());
        request.config.model = config.model;
    }
}

/// Another model than that of the weights has none of its settings, but its own and what is given.
void applyToFineTuned(const ConfigOptions& options, RunConfig& config)
{
    const std::string model = config.model.name;
    options.apply(config);
    if (config.model.name != model) {
        config.model = ModelSettings{.name = config.model.name};
        options.apply(config);
    }
}

RunRequest requestFrom(const TrainOptions& options, Ranks* ranks)
{
    RunRequest request;
    request.ranks = ranks;
    request.folder = options.folder;
    request.note = options.note;
    if (options.resume->isGiven()) {
        resumeFrom(options, request);
    }
    if (options.weightsFrom.empty()) {
        options.config.apply(request.config);
    } else {
        fineTuneFrom(options, request);
        applyToFineTuned(options.config, request.config);
    }
    InitialWeightsConfig& initial = request.config.initialWeights;
    initial.checkpoint = options.weightsFrom.empty() ? initial.checkpoint : options.weightsFrom;
    initial.freshLayers.insert(
        initial.freshLayers.end(), options.freshLayers.begin(), options.freshLayers.end());
    return request;
}

/// Tells the process that started this one whether the run is up, or why not.
std::unique_ptr<TrainingRun> openLaunched(RunObserver& observer)
{
    const RunRequest request = takeLaunchRequest();
    try {
        auto run = std::make_unique<TrainingRun>(request, observer);
        tellLaunched(run->folder());
        return run;
    } catch (const std::exception&) {
        tellLaunchFailed();
        throw;
    }
}

int train(const TrainOptions& options, Ranks* ranks)
{
    const auto reporter = options.isJson ? makeJsonReporter() : makeTextReporter();
    const auto opened = options.isLaunched
                            ? openLaunched(*reporter)
                            : std::make_unique<TrainingRun>(requestFrom(options, ranks), *reporter);
    TrainingRun& run = *opened;
    reporter->begin(run);
    {
        const auto stop = [&] {
            if (ranks != nullptr) {
                ranks->askToStop();
            }
            run.send(command::Stop{});
        };
        const InterruptWatch watch(
            stop, [&] { return isInterrupted() || (ranks != nullptr && ranks->isStopWanted()); });
        run.train();
    }
    reporter->end(run);
    if (run.state() == RunState::Finished) {
        return 0;
    }
    writeError(fmt::format(
        "stopped at step {} of {}; go on with: lockstep-train train --run '{}' --resume",
        run.session().progress().step, run.config().steps, run.folder().string()));
    return 1;
}

/// What the options say, whatever a run that goes on says.
RunConfig given(const TrainOptions& options)
{
    RunConfig config;
    options.config.apply(config);
    return config;
}

/// A signal to one rank is one to the training: rank 0 decides.
int trainBesideFirst(Ranks& ranks)
{
    RankWorker worker(ranks);
    const InterruptWatch watch([&] { ranks.askToStop(); }, isInterrupted);
    worker.run();
    return 0;
}

/// What rank 1 says in the place of rank 0, which knows the run.
std::string withCheckpoint(const std::string& error, const std::filesystem::path& run)
{
    const auto newest =
        newestGoodCheckpoint(RunFolder::checkpointsOf(run), [](const std::string& /*skipped*/) {});
    return newest ? fmt::format(
               "{}. The last good checkpoint is {}; resume from it (--resume) with the ranks that "
               "are left, or all",
               error, newest->file.path.string())
                  : error;
}

/// Rank 0 tells the error, also that of another rank, and has the say about the exit status; where
/// it is lost, rank 1. Of its own error each tells the others.
int trainAsRank(const TrainOptions& options, Ranks& ranks)
{
    int status = 1;
    try {
        checkRanks(ranks, given(options));
        status = ranks.rank() == 0 ? train(options, &ranks) : trainBesideFirst(ranks);
    } catch (const Error& error) {
        ranks.tell(error.what());
        const bool hasTheSay = ranks.rank() == 0 || (ranks.rank() == 1 && ranks.lostRank() == 0);
        if (hasTheSay) {
            writeError(
                ranks.rank() == 0 ? error.what() : withCheckpoint(error.what(), options.folder));
            tellLauncher(ranks.lostRank());
        }
        if (error.code() == ErrorCode::BadInput) {
            status = 2;
        } else {
            status = hasTheSay ? 1 : 0;
        }
    } catch (const std::exception& error) { // say of the system: no thread, no memory
        ranks.tell(error.what());
        writeError(error.what());
    }
    ranks.leave(status);
    return status;
}

int train(const TrainOptions& options)
{
    catchInterrupts(!isRankOfSeveral());
    const auto ranks = openRanks();
    return ranks == nullptr ? train(options, nullptr) : trainAsRank(options, *ranks);
}

} // namespace

void addTrainCommand(CommandLine& program)
{
    program.add("train", kTrainDescription, keyTable() + "\n" + kTrainExamples, train);
}

} // namespace lockstep::train
