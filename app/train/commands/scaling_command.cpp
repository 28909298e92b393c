// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "config_options.h"
#include "console.h"
#include "engine/bench.h"
#include "engine/config.h"
#include "format/console_format.h"
#include "format/scaling_format.h"
#include "interrupt.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include <charconv>
#include <numeric>

namespace lockstep::train {
namespace {

constexpr const char* kDescription = "Measures what more towers bring, and where the rest is lost";

constexpr int kMostTowers = 1024;

constexpr const char* kExamples = R"(Examples:
  lockstep-train scaling
  lockstep-train scaling --towers 1,2,4 --device cuda:0,1,2,3 --precision bfloat16
  lockstep-train scaling --towers 1,2,4,8 --fix global --global-batch 512
  lockstep-train scaling --towers 1,2 --seconds 10 --json

Trains on generated data with 1, 2, … towers for --seconds of steps each (a few steps to warm up do
not count), in three turns up and down the list, so that a busy moment of the machine does not fall
on one of them. Shown is the turn in the middle, and in it the mean of the steps whose time lies in
the middle half. On a GPU, whose clock ticks in blocks, the mean of all.

  speed-up    examples/s : those of one tower
  efficiency  speed-up : towers, in per cent
  lost        towers - speed-up: the work of that many towers, and what it went into
  data        the towers waited for their batch
  averaging   averaging and checking the gradients
  update      the optimizer and the moving averages
  waiting     for the slowest tower
  rest        each tower computes more slowly than one alone (shared memory, cores, clock rate),
              or waits for its turn

Each part is what it takes beyond its fair part of one tower's step; they add up to what is lost. "-":
the device does not tell, and the rest has it. On the CPU every tower gets as many threads as the
largest number of towers leaves to each, also where it is alone; --set threads_per_tower=T gives
another number. Amdahl's law is fitted by least squares of 1 / speed-up to three numbers of towers or
more that have processors or GPUs of their own. "~0": below 0, but no more than the turns differ.
--fix per-tower: every tower has as much to do (the default); global: all together have, that is
--global-batch, or else the batch per tower times the most towers. Numbers of towers that it can't
be split evenly among are left out.)";

/// Why this is no number of towers; empty if it is one.
std::string towersProblem(const std::string& text)
{
    int number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && rest == end && number >= 1 && number <= kMostTowers
               ? std::string()
               : fmt::format(
                   "{} is not a list of towers: give whole numbers from 1 to {} with commas "
                   "between, like 1,2,4",
                   text, kMostTowers);
}

struct Options
{
    explicit Options(Command& command)
        : config(command, {"model.name", "batch_per_tower", "global_batch", "precision", "device"})
    {
        config.addFileAndSet(command);
        const Option list =
            command.option("--towers", towers, "N[,...]", "Numbers of towers: 1,2,4")
                .isCommaSeparated()
                .isCheckedBy(towersProblem);
        command
            .option(
                "--towers-max", most, "N",
                "1 to N towers; default: as many as processors (8 at most) or GPUs")
            .isWithin(2, kMostTowers)
            .excludes(list);
        command
            .option("--seconds", seconds, "S", "Seconds of timed steps for each number; default 4")
            .isWithin(0.01, 3600.0);
        command.option("--fix", fix, "per-tower|global", "What stays the same; default per-tower");
        command.flag("--json", isJson, "One JSON object instead of text");
    }

    [[nodiscard]] ScalingSettings settings() const
    {
        ScalingSettings settings{{towers, seconds}, scalingFixByName(fix)};
        if (most > 0) {
            settings.plan.towers.resize(static_cast<std::size_t>(most));
            std::iota(settings.plan.towers.begin(), settings.plan.towers.end(), 1);
        }
        return settings;
    }

    ConfigOptions config;
    std::vector<int> towers;
    int most = 0;
    double seconds = ScalingPlan().seconds;
    std::string fix{toString(ScalingFix::BatchPerTower)};
    bool isJson = false;
};

int scaling(const Options& options)
{
    catchInterrupts();
    RunConfig config;
    options.config.apply(config);
    Console console;
    const ScalingReport report =
        runScaling(config, options.settings(), [&](double share, int towers) {
            console.progress(progressBar(
                share, towers == 1 ? "timing 1 tower" : fmt::format("timing {} towers", towers)));
            return !isInterrupted();
        });
    console.clearProgress();
    console.result(options.isJson ? lineOf(toJson(report)) : scalingText(report));
    return 0;
}

} // namespace

void addScalingCommand(CommandLine& program)
{
    program.add("scaling", kDescription, kExamples, scaling);
}

} // namespace lockstep::train
