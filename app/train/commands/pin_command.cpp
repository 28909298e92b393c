// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.h"
#include "console.h"
#include "engine.h"

#include <memory>

namespace lockstep::train {
namespace {

constexpr const char* kDescription = "Pins checkpoints, so that their run never deletes them";

constexpr const char* kExamples = R"(Examples:
  lockstep-train pin runs/a/checkpoints/step-000001000.safetensors
  lockstep-train pin --remove runs/a/checkpoints/step-000001000.safetensors

A pin is an empty file, step-000001000.pin, beside the checkpoint.)";

struct Options
{
    std::vector<std::string> checkpoints;
    bool isRemoved = false;
};

int pin(const Options& options)
{
    for (const std::string& checkpoint : options.checkpoints) {
        setPinned(checkpoint, !options.isRemoved);
    }
    return 0;
}

} // namespace

void addPinCommand(CLI::App& program, Action& action)
{
    CLI::App* command = program.add_subcommand("pin", kDescription);
    command->footer(kExamples);
    const auto options = std::make_shared<Options>();
    command->add_option("CHECKPOINT", options->checkpoints, "Files in a run's checkpoints folder")
        ->type_name("")
        ->required();
    command->add_flag("--remove", options->isRemoved, "Takes the pins off");
    command->callback([options, &action] { action = [options] { return pin(*options); }; });
}

} // namespace lockstep::train
