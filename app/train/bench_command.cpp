// SPDX-License-Identifier: Apache-2.0
#include "commands.h"
#include "config_options.h"
#include "console.h"
#include "console_format.h"
#include "interrupt.h"
#include "json_format.h"

#include <memory>

namespace lockstep::train {
namespace {

constexpr const char* kDescription = "Times the complete step of training on generated data";

constexpr const char* kExamples = R"(Examples:
  lockstep-train bench --towers 1 --batch-per-tower 128
  lockstep-train bench --towers 4 --model resources/models/small.toml --json
  lockstep-train bench --towers 1 --set threads_per_tower=1 --set input.threads=2

A step is everything: batches with distortions from the loader threads, forward and backward on all
towers, check, averaging, update, moving average. 3 steps to warm up, then at least 5 s; 15 s at most.
examples/s = global batch / median step. GFLOP/s counts the matrix work, a multiply-add as 2.
--json: {examples_per_second, milliseconds_per_step, towers, batch_per_tower, precision, device, ...}.)";

struct Options
{
    explicit Options(CLI::App& command)
        : config(
            command,
            {"model.name", "towers", "batch_per_tower", "global_batch", "precision", "device"})
    {
        config.addFileAndSet(command);
        command.add_flag("--json", isJson, "One JSON object instead of text");
    }

    ConfigOptions config;
    bool isJson = false;
};

Json toJson(const BenchResult& result)
{
    return {
        {"examples_per_second", result.examplesPerSecond},
        {"milliseconds_per_step", result.millisecondsPerStep},
        {"milliseconds_minimum", result.millisecondsMinimum},
        {"milliseconds_95", result.milliseconds95},
        {"steps", result.steps},
        {"model", result.model},
        {"towers", result.towers},
        {"threads_per_tower", result.threadsPerTower},
        {"batch_per_tower", result.batchPerTower},
        {"precision", result.precision},
        {"device", result.device},
        {"gigaflops_per_second", result.gigaflopsPerSecond},
        {"input_share", result.inputShare}};
}

void print(Console& console, const BenchResult& result)
{
    constexpr double kPercent = 100.0;
    console.result(fmt::format(
        "{} on {}, {}: {} towers x {} examples, {} threads a tower", result.model, result.device,
        result.precision, result.towers, result.batchPerTower, result.threadsPerTower));
    console.result(fmt::format(
        "{:.0f} examples/s, {:.1f} GFLOP/s", result.examplesPerSecond, result.gigaflopsPerSecond));
    console.result(fmt::format(
        "{:.2f} ms/step (median of {}; fastest {:.2f}, 95 % below {:.2f}); towers waited {:.1f} % "
        "of "
        "the time for input",
        result.millisecondsPerStep, result.steps, result.millisecondsMinimum, result.milliseconds95,
        kPercent * result.inputShare));
}

int bench(const Options& options)
{
    catchInterrupts();
    Console console;
    RunConfig config;
    options.config.apply(config);
    const BenchResult result = runBench(config, [&](double share) {
        console.progress(progressBar(share, "timing steps"));
        return !isInterrupted();
    });
    if (options.isJson) {
        console.result(lineOf(toJson(result)));
    } else {
        print(console, result);
    }
    return 0;
}

} // namespace

void addBenchCommand(CLI::App& program, Action& action)
{
    CLI::App* command = program.add_subcommand("bench", kDescription);
    command->footer(kExamples);
    const auto options = std::make_shared<Options>(*command);
    command->callback([options, &action] { action = [options] { return bench(*options); }; });
}

} // namespace lockstep::train
