// SPDX-License-Identifier: Apache-2.0
#include "inspect.h"

#include "commands.h"
#include "engine.h"

#include <memory>

namespace lockstep::train {
namespace {

constexpr const char* kDescription = "Shows what is in a model, a checkpoint or a run";

constexpr const char* kExamples = R"(Examples:
  lockstep-train inspect --model cifar10
  lockstep-train inspect resources/models/small.toml
  lockstep-train inspect runs/a
  lockstep-train inspect runs/a/checkpoints/step-000001000.safetensors --json

A model: parameters, tensors, and for each layer shape, parameters, arithmetic and bytes. A checkpoint
is read whole and its checksums are verified. A run may be looked at while it trains.)";

struct Options
{
    std::string path;
    std::string model;
    bool isJson = false;
};

int inspect(const Options& options)
{
    Console console;
    if (options.path.empty() == options.model.empty()) {
        fail(ErrorCode::BadInput, "inspect needs one thing to show: a PATH or --model NAME");
    }
    const std::filesystem::path path = options.path;
    if (!options.model.empty()) {
        inspectModel(console, makeNetwork({options.model}), options.isJson);
    } else if (path.extension() == ".toml") {
        inspectModel(console, makeNetwork({path.string()}), options.isJson);
    } else if (RunFolder::isRun(path)) {
        inspectRun(console, path, options.isJson);
    } else {
        inspectCheckpoint(console, path, options.isJson);
    }
    return 0;
}

} // namespace

void addInspectCommand(CLI::App& program, Action& action)
{
    CLI::App* command = program.add_subcommand("inspect", kDescription);
    command->footer(kExamples);
    const auto options = std::make_shared<Options>();
    command->add_option("PATH", options->path, "Run folder, checkpoint or model file (.toml)")
        ->type_name("");
    command->add_option("--model", options->model, "Built-in model or model file")
        ->type_name("NAME|FILE.toml");
    command->add_flag("--json", options->isJson, "One JSON object instead of text");
    command->callback([options, &action] { action = [options] { return inspect(*options); }; });
}

} // namespace lockstep::train
