// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "engine/storage.h"

namespace lockstep::train {
namespace {

constexpr const char* kPinDescription = "Pins checkpoints, so that their run never deletes them";

constexpr const char* kPinExamples = R"(Examples:
  lockstep-train pin runs/a/checkpoints/step-000001000.safetensors
  lockstep-train pin --remove runs/a/checkpoints/step-000001000.safetensors

A pin is an empty file, step-000001000.pin, beside the checkpoint.)";

struct PinOptions
{
    explicit PinOptions(Command& command)
    {
        command.option("CHECKPOINT", checkpoints, "", "Files in a run's checkpoints folder")
            .isRequired();
        command.flag("--remove", isRemoved, "Takes the pins off");
    }

    std::vector<std::string> checkpoints;
    bool isRemoved = false;
};

int pin(const PinOptions& options)
{
    for (const std::string& checkpoint : options.checkpoints) {
        setPinned(checkpoint, !options.isRemoved);
    }
    return 0;
}

} // namespace

void addPinCommand(CommandLine& program)
{
    program.add("pin", kPinDescription, kPinExamples, pin);
}

} // namespace lockstep::train
