// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "console.h"
#include "engine/base.h"
#include "engine/gather.h"
#include "format/console_format.h"
#include "interrupt.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <thread>

namespace lockstep::train {
namespace {

constexpr const char* kGatherDescription =
    "Makes a run of what the ranks of another program recorded";

constexpr const char* kGatherExamples = R"(Examples:
  lockstep-train gather runs/a
  lockstep-train gather runs/a --follow
  lockstep-train gather runs/a --from ranks node1/ranks node2/ranks
  lockstep-train gather runs/b --from tensorboard logs/rank0 logs/rank1
  lockstep-train gather runs/c --from csv losses.csv

RUN/ranks holds a file of each rank, as lockstep-recorder writes them (app/recorder) or any program in its
format. The run is made anew each time: one tower a rank. The dashboard does the same when it opens the folder.
Logs, a folder of TensorBoard's event files or a table for each rank, or one table with a column rank, show as
much as they hold. Columns: step, time, loss, learning_rate, examples, correct; data, forward, backward,
averaging, update (seconds).)";

constexpr std::chrono::milliseconds kLookEvery{250};

struct GatherOptions
{
    explicit GatherOptions(Command& command)
    {
        command.option("RUN", run, "", "Folder that the recorder was given").isRequired();
        command.option("SOURCE", sources, "", "Folders or files in place of RUN/ranks");
        command.option("--from", from, "KIND", "What the sources are: ranks, tensorboard or csv")
            .isOneOf({"ranks", "tensorboard", "csv"});
        command.option(
            "--loss", loss, "NAME", "Tag or column of the loss; default: the usual names");
        command.flag("--follow", isFollowed, "Goes on until all ranks have ended, or until Ctrl+C");
        command.flag("--json", isJson, "What was found as a JSON object");
    }

    std::string run;
    std::vector<std::string> sources;
    std::string from = "ranks";
    std::string loss;
    bool isFollowed = false;
    bool isJson = false;
};

constexpr std::array<const char*, kWorkPhases> kPhaseNames{"data", "forward", "backward"};

nlohmann::json barrierJson(const BarrierSummary& summary)
{
    nlohmann::json ranks = nlohmann::json::array();
    for (const TowerBarrierShare& share : summary.towers) {
        ranks.push_back(
            {{"steps_last", share.stepsLast},
             {"cost_seconds", share.costSeconds},
             {"waiting_seconds", share.waitingSeconds},
             {"phase", kPhaseNames[static_cast<std::size_t>(share.phase())]}});
    }
    return {{"steps", summary.steps}, {"ranks", ranks}};
}

void report(const RunGatherer& gatherer, const GatherOptions& options, double seconds)
{
    const RankMerge& merge = gatherer.merge();
    const BarrierSummary barrier = gatherer.barrier();
    const RunVerdicts* const verdicts = gatherer.verdicts();
    const auto towerOf = [&](const Verdict& (RunVerdicts::*of)() const) {
        const int tower = verdicts != nullptr ? (verdicts->*of)().tower : -1;
        return tower >= 0 ? nlohmann::json(tower) : nlohmann::json();
    };
    Console console;
    if (options.isJson) {
        const nlohmann::json found{
            {"ranks", merge.starts().size()},
            {"steps", merge.nextStep()},
            {"rows", merge.rows()},
            {"late", merge.lateSteps()},
            {"state", merge.endState()},
            {"seconds", seconds},
            {"barrier", barrierJson(barrier)},
            {"straggler", towerOf(&RunVerdicts::pace)},
            {"outlier", towerOf(&RunVerdicts::data)}};
        console.result(found.dump());
        return;
    }
    console.result(fmt::format(
        "{}: {} steps of {} ranks, {} rows in {:.1f} s", options.run, merge.nextStep(),
        merge.starts().size(), merge.rows(), seconds));
    if (verdicts != nullptr) {
        for (const std::string& line :
             verdictLines(verdicts->learning(), verdicts->data(), verdicts->pace())) {
            console.result(line);
        }
    }
    if (merge.lateSteps() > 0) {
        console.note(fmt::format(
            "{} steps of single ranks came too late; gather once more to have them",
            merge.lateSteps()));
    }
}

RankSources sourcesOf(const GatherOptions& options)
{
    const std::vector<std::filesystem::path> paths(options.sources.begin(), options.sources.end());
    if (options.from != "ranks" && paths.empty()) {
        fail(ErrorCode::BadInput, "--from {}: name a source for each rank", options.from);
    }
    return options.from == "tensorboard" ? eventFileSources(paths, options.loss)
           : options.from == "csv"       ? tableSources(paths, options.loss)
                                         : rankFileSources(paths);
}

int gather(const GatherOptions& options)
{
    Console console;
    catchInterrupts();
    const Stopwatch watch;
    RunGatherer gatherer(
        options.run, sourcesOf(options),
        {[&](const RunEvent& event) {
             if (event.level != "info") {
                 console.note(event.text);
             }
         },
         [&](std::int64_t nextStep) {
             console.progress(fmt::format("step {}", nextStep));
             return !isInterrupted();
         }});
    if (options.isFollowed && !options.isJson) {
        console.result(fmt::format("{}: following its ranks; Ctrl+C ends that", options.run));
    }
    while (gatherer.poll() && options.isFollowed && !gatherer.isOver() && !isInterrupted()) {
        std::this_thread::sleep_for(kLookEvery);
    }
    const bool isWhole = gatherer.finish();
    console.clearProgress();
    report(gatherer, options, watch.seconds());
    return isWhole ? 0 : 1;
}

} // namespace

void addGatherCommand(CommandLine& program)
{
    program.add("gather", kGatherDescription, kGatherExamples, gather);
}

} // namespace lockstep::train
