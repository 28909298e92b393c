// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "config_options.h"
#include "console.h"
#include "engine/base.h"
#include "engine/bench.h"
#include "engine/config.h"
#include "format/bench_format.h"
#include "format/bench_profile_format.h"
#include "format/console_format.h"
#include "format/step_graph_format.h"
#include "interrupt.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace lockstep::train {
namespace {

constexpr const char* kBenchDescription = "Times the complete step of training on generated data";

constexpr const char* kBenchExamples = R"(Examples:
  lockstep-train bench --towers 1 --batch-per-tower 128
  lockstep-train bench --towers 4 --model resources/models/small.toml --json
  lockstep-train bench --towers 1 --set threads_per_tower=1 --set input.threads=2
  lockstep-train bench --sweep --device cuda:0 --seconds 2 --output sweep.jsonl
  lockstep-train bench --sweep --sweep-towers 1,4 --sweep-batches 128
  lockstep-train bench --device cuda:0 --precision bfloat16 --trace
  lockstep-train bench --device cpu --towers 1 --profile
  lockstep-train bench --device cuda:0 --towers 4 --nodes --set gpu.without=head,tail

A step is everything: batches with distortions, forward and backward on all towers, check, averaging,
update, moving average. A few steps to warm up, then at least --seconds; three times that at most.
examples/s = global batch / median step; on a GPU, examples / time of all timed steps.
GFLOP/s counts the matrix work, a multiply-add as 2. The floor of a step is that work at the device's
rate plus the bytes that it must move if every layer is a kernel of its own; "-" where the rates are
not known (--ceilings tells them). On the CPU the rates are measured, before and after the steps:
multiply-adds from register to register (FMA), bfloat16 products (made in float32 where the
processor has none), and a copy of large arrays, by as many threads as the step uses. --profile adds
a table of the step: every layer forward and backward, what it achieves and its part of the floor;
waiting for input and for the slowest thread; averaging
with its check; the update with the moving average: means over the threads and the faster half of the
steps, beside each the step in which it took least.
--nodes captures the step of the first GPU and prints its graph: nodes by layer and pass, the longest
chain, the bytes that each pass moves at least, and what they and the matrix work take at --ceilings.
A combination that fails becomes a line with the reason.
--json: {examples_per_second, milliseconds_per_step, towers, batch_per_tower, precision, device, ...};
with --sweep one such line for each combination.)";

struct BenchOptions
{
    explicit BenchOptions(Command& command)
        : config(
            command,
            {"model.name", "towers", "batch_per_tower", "global_batch", "precision", "device"})
    {
        config.addFileAndSet(command);
        command.option("--seconds", settings.seconds, "S", "Seconds of timed steps; default 5")
            .isWithin(0.01, 3600.0);
        command.option(
            "--ceilings", ceilings, "NAME=X[,...]",
            "What the device reaches, in TFLOP/s and TB/s: bfloat16=790,tf32=395,copy=4.3");
        command.flag(
            "--trace", settings.isTraced,
            "On a GPU: also what every kernel takes, and the share of time outside kernels");
        command.flag(
            "--profile", settings.isProfiled,
            "On the CPU: also what every layer takes, and what the machine could do");
        command
            .flag(
                "--nodes", isGraph,
                "On a GPU, instead: what a captured step consists of; none runs")
            .excludes(command.at("--trace"))
            .excludes(command.at("--profile"));
        command.flag("--json", isJson, "One JSON object a line instead of text");
        command.option("--output", output, "FILE", "Also writes the JSON lines to this file");
        addSweep(command);
    }

    void addSweep(Command& command)
    {
        Option flag = command.flag(
            "--sweep", isSweep, "Times every combination of towers, batch and precision");
        for (const char* other :
             {"--towers", "--batch-per-tower", "--global-batch", "--precision", "--profile",
              "--nodes"}) {
            flag.excludes(command.at(other));
        }
        const auto addList = [&](const char* name, auto& values, const char* placeholder,
                                 const char* help) {
            Option list = command.option(name, values, placeholder, help);
            return list.isCommaSeparated().needs(flag);
        };
        addList("--sweep-towers", sweep.towers, "N[,...]", "Default 1,2,4,8").isPositive();
        addList(
            "--sweep-batches", sweep.batches, "B[,...]", "Of one tower; default 32,128,512,1024")
            .isPositive();
        addList(
            "--sweep-precisions", sweep.precisions, "float32|tf32|bfloat16[,...]",
            "Default: all that the device has");
    }

    ConfigOptions config;
    BenchSettings settings;
    SweepSettings sweep;
    std::string ceilings;
    std::string output;
    bool isSweep = false;
    bool isGraph = false;
    bool isJson = false;
};

/// Where results go: the console, and the file if one was given.
class Reporter
{
public:
    explicit Reporter(const BenchOptions& options) : m_isJson(options.isJson)
    {
        if (!options.output.empty()) {
            m_path = options.output;
            m_file.open(m_path, std::ios::trunc);
            checkFile();
        }
    }

    /// `text` is shown where JSON was not asked for.
    void add(const Json& json, const std::string& text)
    {
        const std::string line = lineOf(json);
        if (!m_path.empty()) {
            m_file << line << std::endl; // at once: what is known survives a kill
            checkFile();
        }
        console.result(m_isJson ? line : text);
    }

    Console console;

private:
    void checkFile()
    {
        if (!m_file) {
            fail(ErrorCode::Io, "{}: can't be written{}", m_path, errnoText());
        }
    }

    bool m_isJson;
    std::string m_path;
    std::ofstream m_file;
};

int sweep(const BenchOptions& options, const RunConfig& config, const BenchSettings& settings)
{
    Reporter reporter(options);
    if (!options.isJson) {
        reporter.console.result(sweepHeader());
    }
    const SweepWatcher watcher{
        [&](const SweepLine& line) { reporter.add(toJson(line), sweepRow(line)); },
        [&](double share) {
            reporter.console.progress(progressBar(share, "timing steps"));
            return !isInterrupted();
        }};
    const auto lines = runSweep(config, settings, options.sweep, watcher);
    const auto measured = std::ranges::find_if(
        lines, [](const SweepLine& line) { return line.result && line.result->ceilings; });
    if (measured != lines.end() && !options.isJson) {
        reporter.console.result(ceilingsText(*measured->result->ceilings));
    }
    if (std::ranges::none_of(
            lines, [](const SweepLine& line) { return line.result.has_value(); })) {
        writeError("no combination could be timed, see the reasons above");
        return 1;
    }
    return 0;
}

int bench(const BenchOptions& options)
{
    catchInterrupts();
    RunConfig config;
    options.config.apply(config);
    BenchSettings settings = options.settings;
    if (!options.ceilings.empty()) {
        settings.ceilings = parseCeilings(options.ceilings);
    }
    if (options.isSweep) {
        return sweep(options, config, settings);
    }
    Reporter reporter(options);
    if (options.isGraph) {
        const StepGraphReport report =
            reportStepGraph(config, settings, [](double /*share*/) { return !isInterrupted(); });
        reporter.add(toJson(report), stepGraphText(report));
        return 0;
    }
    const BenchResult result = runBench(config, settings, [&](double share) {
        reporter.console.progress(progressBar(share, "timing steps"));
        return !isInterrupted();
    });
    reporter.add(toJson(result), benchText(result));
    return 0;
}

} // namespace

void addBenchCommand(CommandLine& program)
{
    program.add("bench", kBenchDescription, kBenchExamples, bench);
}

} // namespace lockstep::train
