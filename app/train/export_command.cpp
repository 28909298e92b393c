// SPDX-License-Identifier: Apache-2.0
#include "commands.h"
#include "console.h"
#include "engine.h"

#include <iostream>
#include <memory>

namespace lockstep::train {
namespace {

constexpr const char* kDescription =
    "Writes the steps of a run as CSV, or the weights of a checkpoint for other programs";

constexpr const char* kExamples = R"(Examples:
  lockstep-train export runs/a --csv losses.csv
  lockstep-train export runs/a --csv - | head
  lockstep-train export runs/a --weights raw --safetensors weights.safetensors

CSV: step,wall_seconds,examples,epoch,learning_rate,loss_mean,loss_last,loss_tower_0,...,
examples_per_second,seconds_per_batch; a row for every step, numbers that read back bit for bit.
Safetensors: tensors conv1.weight, conv1.bias, ... in PyTorch's layout; the file loads straight into a
torch.nn.Module: module.load_state_dict(safetensors.torch.load_file("weights.safetensors")).)";

struct Options
{
    std::string source;
    std::string csv;
    std::string weights = "average";
    std::string safetensors;
};

void writeCsv(const std::string& source, const std::string& target)
{
    if (!RunFolder::isRun(source)) {
        fail(ErrorCode::BadInput, "{}: there is no run in this folder (no run.toml)", source);
    }
    const RunStoreReader store(RunFolder::storeFileOf(source));
    if (target == "-") {
        exportCsv(store, std::cout);
        return;
    }
    exportCsv(store, std::filesystem::path(target));
}

void writeWeights(const Options& options)
{
    const LoadedCheckpoint loaded = openCheckpoint(options.source, writeError);
    const bool isRaw = options.weights == "raw";
    exportWeights(
        loaded.checkpoint, isRaw ? WeightsKind::Raw : WeightsKind::Average, options.safetensors);
    writeError(fmt::format(
        "{} weights of step {} written to {}", options.weights, loaded.file.step,
        options.safetensors));
}

int exportTo(const Options& options)
{
    if (options.csv.empty() == options.safetensors.empty()) {
        fail(
            ErrorCode::BadInput, "export needs one target: --csv FILE for a run, or --safetensors "
                                 "FILE for a checkpoint");
    }
    if (options.csv.empty()) {
        writeWeights(options);
    } else {
        writeCsv(options.source, options.csv);
    }
    return 0;
}

} // namespace

void addExportCommand(CLI::App& program, Action& action)
{
    CLI::App* command = program.add_subcommand("export", kDescription);
    command->footer(kExamples);
    const auto options = std::make_shared<Options>();
    command
        ->add_option(
            "RUN|CHECKPOINT", options->source,
            "Run folder; for --safetensors also a checkpoint file (a run: its newest good one)")
        ->type_name("")
        ->required();
    command->add_option("--csv", options->csv, "Where the steps go; - is standard output")
        ->type_name("FILE|-");
    command->add_option("--safetensors", options->safetensors, "Where the weights go")
        ->type_name("FILE");
    command
        ->add_option(
            "--weights", options->weights,
            "Moving averages, or the weights themselves; default average")
        ->check(CLI::IsMember({"average", "raw"}).description(""))
        ->type_name("average|raw");
    command->callback([options, &action] { action = [options] { return exportTo(*options); }; });
}

} // namespace lockstep::train
