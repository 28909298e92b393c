// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "config_options.h"
#include "console.h"
#include "engine/base.h"
#include "engine/evaluation.h"
#include "engine/exchange.h"
#include "engine/network.h"
#include "engine/records.h"
#include "engine/storage.h"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>

namespace lockstep::train {
namespace {

constexpr const char* kExportDescription =
    "Writes a run as CSV or for TensorBoard, or the weights or the network of a checkpoint for "
    "other programs";

constexpr const char* kExportExamples = R"(Examples:
  lockstep-train export runs/a --csv losses.csv
  lockstep-train export runs/a --csv - | head
  lockstep-train export runs/a --csv all.csv --all-branches
  lockstep-train export runs/a --evaluations evaluations.csv
  lockstep-train export runs/a --gradients gradients.csv
  lockstep-train export runs/a --tensorboard board/a && tensorboard --logdir board
  lockstep-train export runs/a --weights raw --safetensors weights.safetensors
  lockstep-train export runs/a --torchvision resnet18.safetensors
  lockstep-train export runs/a --onnx network.onnx

CSV: step,wall_seconds,examples,epoch,learning_rate,loss_mean,loss_last,loss_tower_0,...,
train_accuracy,examples_per_second,seconds_per_batch,step_seconds,input_seconds,compute_seconds,
averaging_seconds,update_seconds, then of each tower start_, copy_, forward_ and
backward_seconds_tower_0, ..., weight_decay_loss, the losses without it (cross_entropy_mean,
cross_entropy_tower_0, ...; empty where an older program did not tell the weight decay) and the
losses of each of several objectives; a row for every step, numbers that read back bit for bit, times
in whole nanoseconds.
--all-branches: also the steps that a resume abandoned, each with the number of its branch in a first
column, branch.
Evaluations: step,weights,examples,correct,accuracy,top5,average_precision,loss,seconds, and before the
seconds the loss of each of several objectives; a row for raw weights and one for their moving averages.
Gradients: step,layer,weight_norm,gradient_norm,update_to_weight,noise_scale,norm_tower_0,...,
cosine_tower_0,...; of every measured step a row for the whole network, whose layer is empty, and one for
each layer.
TensorBoard: the scalars of every step and evaluation, and the histograms and pictures that the run
recorded; the folder must not have event files yet. RUN/events itself opens in TensorBoard, too.
Safetensors: tensors conv1.weight, conv1.bias, ... in PyTorch's layout; the file loads straight into a
torch.nn.Module: module.load_state_dict(safetensors.torch.load_file("weights.safetensors")).
Torchvision: the same under the names of torchvision's model of this name (resnet18, inception_v3, ...),
which loads it strictly.
ONNX: opset 17; input "image", [batch, channels, height, width] prepared as in training; outputs named as
the network's, "logits" among them.)";

struct ExportOptions
{
    explicit ExportOptions(Command& command)
    {
        command
            .option(
                "RUN|CHECKPOINT", source, "",
                "Run folder; for weights also a checkpoint file (a run: its newest good one)")
            .isRequired();
        command.option("--csv", csv, "FILE|-", "Where the steps go; - is standard output");
        command.flag(
            "--all-branches", allBranches, "With --csv: also the steps of abandoned branches");
        command.option(
            "--evaluations", evaluations, "FILE|-",
            "Where the evaluations go, as CSV; - is standard output");
        command.option(
            "--gradients", gradients, "FILE|-",
            "Where the towers' gradients go, as CSV; - is standard output");
        command.option("--tensorboard", tensorboard, "DIR", "Folder of the event file");
        command.option("--safetensors", safetensors, "FILE", "Where the weights go");
        command.option(
            "--torchvision", torchvision, "FILE",
            "Where the weights go, as torchvision's model has them");
        command.option("--onnx", onnx, "FILE", "Where the network goes, with its weights");
        addWeights(command, weights, "Moving averages, or the weights themselves; default average");
    }

    std::string source;
    std::string csv;
    bool allBranches = false;
    std::string evaluations;
    std::string gradients;
    std::string tensorboard;
    WeightsKind weights = WeightsKind::Average;
    std::string safetensors;
    std::string torchvision;
    std::string onnx;
};

RunStoreReader openStore(const std::string& source)
{
    if (!RunFolder::isRun(source)) {
        fail(ErrorCode::BadInput, "{}: not a run (it has no run.toml)", source);
    }
    return RunStoreReader(RunFolder::storeFileOf(source));
}

void writeTo(const std::string& file, const CsvText& text)
{
    if (file == "-") {
        writeCsv(text, std::cout);
    } else {
        writeCsv(text, std::filesystem::path(file));
    }
}

void writeSteps(const ExportOptions& options)
{
    const auto lines = options.allBranches ? CsvLines::AllBranches : CsvLines::Lineage;
    writeTo(options.csv, stepsAsCsv(openStore(options.source), lines));
}

void writeEvaluations(const ExportOptions& options)
{
    writeTo(options.evaluations, evaluationsAsCsv(openStore(options.source)));
}

void writeGradients(const ExportOptions& options)
{
    writeTo(options.gradients, gradientsAsCsv(openStore(options.source)));
}

void writeEvents(const ExportOptions& options)
{
    const RunStoreReader store = openStore(options.source);
    const auto file = exportEvents(store, RunFolder::eventsOf(options.source), options.tensorboard);
    writeError(fmt::format("written: {}", file.string()));
}

void writeWeights(const ExportOptions& options)
{
    const LoadedCheckpoint loaded = openCheckpoint(options.source, writeError);
    std::string target = options.safetensors;
    if (!target.empty()) {
        exportWeights(loaded.checkpoint, options.weights, target);
    } else {
        const NetworkSpec network = makeNetwork(configurationOf(loaded, options.weights, "").model);
        const auto& weights = weightsOf(loaded.checkpoint, options.weights);
        target = options.onnx.empty() ? options.torchvision : options.onnx;
        if (options.onnx.empty()) {
            exportStateDict(network, weights, target);
        } else {
            writeOnnx(network, weights, target);
        }
    }
    writeError(fmt::format(
        "{} weights of step {} written to {}", toString(options.weights), loaded.file.step,
        target));
}

int exportTo(const ExportOptions& options)
{
    const auto targets = {&options.csv,         &options.evaluations, &options.gradients,
                          &options.tensorboard, &options.safetensors, &options.torchvision,
                          &options.onnx};
    if (std::ranges::count_if(targets, [](const auto* target) { return !target->empty(); }) != 1) {
        fail(
            ErrorCode::BadInput,
            "export needs one target: --csv FILE, --evaluations FILE, --gradients FILE or "
            "--tensorboard DIR for a run, or --safetensors FILE, --torchvision FILE or --onnx FILE "
            "for a checkpoint");
    }
    if (options.allBranches && options.csv.empty()) {
        fail(ErrorCode::BadInput, "--all-branches goes with --csv");
    }
    if (!options.csv.empty()) {
        writeSteps(options);
    } else if (!options.evaluations.empty()) {
        writeEvaluations(options);
    } else if (!options.gradients.empty()) {
        writeGradients(options);
    } else if (!options.tensorboard.empty()) {
        writeEvents(options);
    } else {
        writeWeights(options);
    }
    return 0;
}

} // namespace

void addExportCommand(CommandLine& program)
{
    program.add("export", kExportDescription, kExportExamples, exportTo);
}

} // namespace lockstep::train
