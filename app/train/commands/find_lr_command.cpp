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
from one to the next (Smith, arXiv:1506.01186), and shows the cross-entropy of each: before its update,
and smoothed, beside what the untrained network has on the same batch. It ends before the cross-entropy
rises. From below the rate at which it falls fastest on, short trainings at 0.1, 0.03, 0.01 and so on,
each from the initial weights and with the same batches, are compared: suggested is the best of them, or
the next lower one where that is as good. Where they are too short to tell, they are made again, twice as
long. Nothing is suggested where none of them learns.
Writes no run and changes none; warm-up, schedule, the rates of phases and all phases but the first are
left out.)";

struct FindLrOptions
{
    explicit FindLrOptions(Command& command)
        : config(
            command, {"model.name", "dataset.name", "dataset.path", "towers", "device",
                      "batch_per_tower", "global_batch", "seed", "precision"})
    {
        config.addFileAndSet(command);
        command.option("--low", settings.low, "RATE", "The least that is tried; default 1e-5");
        command.option("--high", settings.high, "RATE", "The highest; default 10");
        command.option(
            "--steps", settings.steps, "N",
            "Of the rising rates, and of each training at a single one; default 100");
        command.flag("--json", isJson, "One JSON object instead of text");
    }

    ConfigOptions config;
    RateFinderSettings settings;
    bool isJson = false;
};

std::string progressText(const RateFinding& found)
{
    if (!found.trials.empty()) {
        const RateTrial& trial = found.trials.back();
        return fmt::format(
            "training at {:.4g}: step {} of {}", trial.rate, trial.crossEntropies.size(),
            found.trialSteps);
    }
    return found.sweep.empty()
               ? fmt::format("untrained: batch {} of {}", found.untrained.size(), found.trialSteps)
               : fmt::format(
                   "rate {:.4g}, cross-entropy {:.4g}", found.sweep.back().rate,
                   found.sweep.back().smoothed);
}

std::string trialText(const RateTrial& trial)
{
    return trial.isDiverged ? "diverges" : fmt::format("{:.4f}", trial.crossEntropy());
}

void print(Console& console, const RateFinding& found)
{
    console.result(fmt::format("{:>12} {:>14} {:>12}", "rate", "cross-entropy", "smoothed"));
    for (const RateStep& step : found.sweep) {
        console.result(fmt::format(
            "{:>12.4g} {:>14.5g} {:>12.5g}", step.rate, step.crossEntropy, step.smoothed));
    }
    console.result(fmt::format("\n{:>12} {:>14}", "trained at", "cross-entropy"));
    for (const RateTrial& trial : found.trials) {
        console.result(fmt::format("{:>12.4g} {:>14}", trial.rate, trialText(trial)));
    }
}

std::string suggestionText(const RateFinding& found, const RunConfig& config)
{
    const int steps = found.trialSteps;
    if (!found.rate) {
        return fmt::format(
            "no suggestion: the network learns at none of these rates in {} steps", steps);
    }
    return fmt::format(
        "{:.4g} was tried for {} steps: cross-entropy {}, at a tenth {}\n"
        "suggested: {} = {:.4g}",
        *found.rate, steps, trialText(*found.trialOf(*found.rate)),
        trialText(*found.trialOf(*found.rate / 10.0)),
        hasOwnRate(config) ? "learning_rate of the first phase" : "learning_rate.initial",
        *found.rate);
}

Json toJson(const RateFinding& found)
{
    Json sweep = Json::array();
    for (const RateStep& step : found.sweep) {
        sweep.push_back(
            {{"rate", step.rate},
             {"cross_entropy", step.crossEntropy},
             {"smoothed", step.smoothed}});
    }
    Json trials = Json::array();
    for (const RateTrial& trial : found.trials) {
        trials.push_back(
            {{"rate", trial.rate},
             {"cross_entropy", trial.isDiverged ? Json(nullptr) : Json(trial.crossEntropy())}});
    }
    return {
        {"sweep", sweep},
        {"trial_steps", found.trialSteps},
        {"trials", trials},
        {"suggested_rate", found.rate ? Json(*found.rate) : Json(nullptr)}};
}

int findRate(const FindLrOptions& options)
{
    catchInterrupts();
    RunConfig config;
    options.config.apply(config);
    Console console;
    const auto found = findRate(config, options.settings, [&](const RateFinding& soFar) {
        if (console.hasProgress()) {
            console.progress(progressText(soFar));
        }
        return !isInterrupted();
    });
    console.clearProgress();
    if (options.isJson) {
        console.result(lineOf(toJson(found)));
        return 0;
    }
    print(console, found);
    console.result(suggestionText(found, config));
    return 0;
}

} // namespace

void addFindRateCommand(CommandLine& program)
{
    program.add("find-lr", kFindLrDescription, kFindLrExamples, findRate);
}

} // namespace lockstep::train
