// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "config_options.h"
#include "console.h"
#include "engine/config.h"
#include "engine/run.h"
#include "format/json_format.h"
#include "interrupt.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

namespace lockstep::train {
namespace {

constexpr const char* kFindLrDescription =
    "Tries rising learning rates and suggests one to train with";

constexpr const char* kFindLrExamples = R"(Examples:
  lockstep-train find-lr --config runs/a/run.toml
  lockstep-train find-lr --dataset cifar10 --data ~/data --towers 2 --low 1e-4 --high 1
  lockstep-train find-lr --config run.toml --json

Makes a few steps from the configuration's initial weights whose learning rate rises by the same factor
from one to the next (Smith, arXiv:1506.01186), and shows the loss of each: before its update, and
smoothed over the steps. It ends where the loss is four times the least one, or no number. Suggested is
the rate at which the smoothed loss falls fastest. Writes no run and changes none; warm-up, schedule and
the rates of phases are left out.)";

struct FindLrOptions
{
    explicit FindLrOptions(Command& command)
        : config(
            command, {"model.name", "dataset.name", "dataset.path", "towers", "device",
                      "batch_per_tower", "global_batch", "seed", "precision"})
    {
        config.addFileAndSet(command);
        command.option("--low", settings.low, "RATE", "Of the first step; default 1e-5");
        command.option("--high", settings.high, "RATE", "Of the last step; default 10");
        command.option("--trials", settings.steps, "N", "Steps; default 100");
        command.flag("--json", isJson, "One JSON object instead of text");
    }

    ConfigOptions config;
    RateFinderSettings settings;
    bool isJson = false;
};

void print(Console& console, const std::vector<RateTrial>& trials)
{
    console.result(fmt::format("{:>12} {:>12} {:>12}", "rate", "loss", "smoothed"));
    for (const RateTrial& trial : trials) {
        console.result(
            fmt::format("{:>12.4g} {:>12.5g} {:>12.5g}", trial.rate, trial.loss, trial.smoothed));
    }
}

int findRate(const FindLrOptions& options)
{
    catchInterrupts();
    RunConfig config;
    options.config.apply(config);
    Console console;
    const auto trials = tryRates(config, options.settings, [&](const std::vector<RateTrial>& made) {
        if (!made.empty() && console.hasProgress()) {
            console.progress(fmt::format(
                "{} of {}: rate {:.4g}, loss {:.4g}", made.size(), options.settings.steps,
                made.back().rate, made.back().smoothed));
        }
        return !isInterrupted();
    });
    console.clearProgress();
    const auto rate = steepestRate(trials);
    if (options.isJson) {
        Json made = Json::array();
        for (const RateTrial& trial : trials) {
            made.push_back(
                {{"rate", trial.rate}, {"loss", trial.loss}, {"smoothed", trial.smoothed}});
        }
        console.result(
            lineOf({{"trials", made}, {"suggested_rate", rate ? Json(*rate) : Json(nullptr)}}));
        return 0;
    }
    print(console, trials);
    console.result(
        rate ? fmt::format("suggested: learning_rate.initial = {:.3g}", *rate)
             : std::string("no suggestion: the loss falls at none of these rates"));
    return 0;
}

} // namespace

void addFindRateCommand(CommandLine& program)
{
    program.add("find-lr", kFindLrDescription, kFindLrExamples, findRate);
}

} // namespace lockstep::train
