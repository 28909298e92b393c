// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "console.h"
#include "engine/base.h"
#include "engine/gather.h"
#include "interrupt.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <thread>

namespace lockstep::train {
namespace {

constexpr const char* kDescription = "Makes a run of what the ranks of another program recorded";

constexpr const char* kExamples = R"(Examples:
  lockstep-train gather runs/a
  lockstep-train gather runs/a --follow
  scp -r 'node*:job/runs/a/ranks' runs/a/ && lockstep-train gather runs/a

RUN/ranks holds a file of each rank, as lockstep-recorder writes them (app/recorder) or any program in its
format. The run is made anew each time: one tower a rank. The dashboard does the same when it opens the folder.)";

constexpr std::chrono::milliseconds kLookEvery{250};

struct Options
{
    explicit Options(Command& command)
    {
        command.option("RUN", run, "", "Folder that the recorder was given").isRequired();
        command.flag("--follow", isFollowed, "Goes on until all ranks have ended, or until Ctrl+C");
        command.flag("--json", isJson, "What was found as a JSON object");
    }

    std::string run;
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

void report(const RunGatherer& gatherer, const Options& options, double seconds)
{
    const RankMerge& merge = gatherer.merge();
    const BarrierSummary barrier = gatherer.barrier();
    const auto straggler = clearStraggler(barrier, 0.0);
    const auto outlier = gatherer.outlier();
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
            {"straggler", straggler ? nlohmann::json(*straggler) : nlohmann::json()},
            {"outlier", outlier ? nlohmann::json(outlier->tower) : nlohmann::json()}};
        console.result(found.dump());
        return;
    }
    console.result(fmt::format(
        "{}: {} steps of {} ranks, {} rows in {:.1f} s", options.run, merge.nextStep(),
        merge.starts().size(), merge.rows(), seconds));
    if (straggler) {
        const auto& share = barrier.towers[static_cast<std::size_t>(*straggler)];
        console.result(fmt::format(
            "rank {} makes the others wait: {:.1f} ms a step, most of it in {}", *straggler,
            1e3 * share.costSeconds, kPhaseNames[static_cast<std::size_t>(share.phase())]));
    }
    if (outlier) {
        console.result(fmt::format(
            "the gradient of rank {} disagrees with the others': cosine {:.2f}, theirs {:.2f}",
            outlier->tower, outlier->cosine, outlier->othersCosine));
    }
    if (merge.lateSteps() > 0) {
        console.note(fmt::format(
            "{} steps of single ranks came too late; gather once more to have them",
            merge.lateSteps()));
    }
}

int gather(const Options& options)
{
    Console console;
    catchInterrupts();
    const Stopwatch watch;
    RunGatherer gatherer(options.run, [&](const RunEvent& event) {
        if (event.level != "info") {
            console.note(event.text);
        }
    });
    gatherer.poll();
    while (options.isFollowed && !gatherer.isOver() && !isInterrupted()) {
        console.progress(fmt::format("step {}", gatherer.merge().nextStep()));
        std::this_thread::sleep_for(kLookEvery);
        gatherer.poll();
    }
    gatherer.finish();
    console.clearProgress();
    report(gatherer, options, watch.seconds());
    return 0;
}

} // namespace

void addGatherCommand(CommandLine& program)
{
    program.add("gather", kDescription, kExamples, gather);
}

} // namespace lockstep::train
