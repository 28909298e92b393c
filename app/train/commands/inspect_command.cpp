// SPDX-License-Identifier: Apache-2.0
#include "commands/inspect.h"
#include "engine/base.h"
#include "engine/config.h"
#include "engine/network.h"
#include "engine/storage.h"

#include "command_line.h"
#include "commands/commands.h"
#include "config_options.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::train {
namespace {

constexpr const char* kInspectDescription =
    "Shows what is in a model, a data set, a checkpoint or a run";

constexpr const char* kInspectExamples = R"(Examples:
  lockstep-train inspect --model cifar10
  lockstep-train inspect resources/models/small.toml
  lockstep-train inspect --model segdecnet --set model.variant=third_party --json
  lockstep-train inspect --model segdecnet --memory --batch-per-tower 1 --objective segmentation
  lockstep-train inspect --config runs/a/run.toml --costs
  lockstep-train inspect --dataset image_folder --data imagenette --set dataset.damaged=skip
  lockstep-train inspect runs/a
  lockstep-train inspect runs/a/checkpoints/step-000001000.safetensors --json

A model: parameters, tensors, and for each layer shape, parameters, arithmetic and bytes. With --memory:
how the memory of a tower is shared out, when it trains and when it evaluates. With --costs: how long a run
of the configuration takes here and the memory of its process, as earlier runs did, or as a few steps do that
are made for it; that is remembered. Where its data are not there they are made on generated rows, and anew
each time. Nothing is measured while a run trains here, and checkpoints are not counted. A data set:
examples of each class in both splits, and damaged images where they are to be left out. A checkpoint is read
whole and its checksums are verified. A run may be looked at while it trains.)";

struct InspectOptions
{
    explicit InspectOptions(Command& command)
        : config(
            command, {"model.name", "dataset.name", "dataset.path", "device", "towers",
                      "batch_per_tower", "steps", "precision"})
    {
        config.addFileAndSet(command);
        command.option("PATH", path, "", "Run folder, checkpoint or model file (.toml)");
        command.flag(
            "--memory", showsMemory, "How a tower's memory is shared out, buffer by buffer");
        const Option costs = command.flag(
            "--costs", showsCosts,
            "Time and memory of a run with this configuration, measured where that is not known");
        command
            .option(
                "--from-step", fromStep, "N", "With --costs: of a run that goes on from this step")
            .isPositive()
            .needs(costs);
        command.option(
            "--objective", objective, "NAME",
            "Count and plan a phase that trains this objective, several joined with +, or joint");
        command.option("--freeze", frozen, "GROUP", "Parameter group that the phase does not train")
            .mayRepeat();
        command.flag("--json", isJson, "One JSON object instead of text");
    }

    ConfigOptions config;
    std::string path;
    std::string objective;
    std::vector<std::string> frozen;
    bool showsMemory = false;
    bool showsCosts = false;
    std::int64_t fromStep = 0;
    bool isJson = false;
};

/// The model that the configuration names, in the phase that was asked for.
int inspectConfigured(Console& console, const InspectOptions& options, RunConfig config)
{
    options.config.apply(config);
    NetworkSpec network = makeNetwork(config.model);
    if (!options.objective.empty()) {
        network =
            network.withObjectives(objectivesNamed(network, options.objective), options.frozen);
    } else if (!options.frozen.empty()) {
        fail(ErrorCode::BadInput, "--freeze needs --objective: what is trained meanwhile");
    }
    if (options.showsMemory) {
        inspectMemory(console, config, network, options.isJson);
    } else {
        inspectModel(console, network, options.isJson);
    }
    return 0;
}

/// Any configuration has them, whatever it is of.
int inspectCostsOf(const InspectOptions& options)
{
    RunConfig config;
    if (const std::filesystem::path model = options.path; model.extension() == ".toml") {
        setConfigValue(config, "model.name", model.string());
    } else if (!model.empty()) {
        fail(ErrorCode::BadInput, "--costs are of a configuration: --config FILE, --model NAME");
    }
    options.config.apply(config);
    Console console;
    inspectCosts(console, config, options.fromStep, options.isJson);
    return 0;
}

int inspect(const InspectOptions& options)
{
    if (options.showsCosts) {
        return inspectCostsOf(options);
    }
    const bool hasModel = options.config.hasFile() || options.config.isGiven("model.name");
    const bool hasDataset = options.config.isGiven("dataset.name");
    Console console;
    const int things = (options.path.empty() ? 0 : 1) + (hasModel ? 1 : 0) + (hasDataset ? 1 : 0);
    if (things != 1) {
        fail(
            ErrorCode::BadInput,
            "inspect needs one thing to show: a PATH, --model NAME (or --config FILE), or "
            "--dataset NAME");
    }
    const std::filesystem::path path = options.path;
    RunConfig config;
    config.batchPerTower = 1; // the least that a tower takes
    if (path.extension() == ".toml") {
        setConfigValue(config, "model.name", path.string());
    }
    if (hasDataset) {
        options.config.apply(config);
        inspectDataset(console, config, options.isJson);
        return 0;
    }
    if (hasModel || path.extension() == ".toml") {
        return inspectConfigured(console, options, config);
    }
    if (RunFolder::isRun(path)) {
        inspectRun(console, path, options.isJson);
    } else {
        inspectCheckpoint(console, path, options.isJson);
    }
    return 0;
}

} // namespace

void addInspectCommand(CommandLine& program)
{
    program.add("inspect", kInspectDescription, kInspectExamples, inspect);
}

} // namespace lockstep::train
