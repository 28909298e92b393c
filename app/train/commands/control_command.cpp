// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "console.h"
#include "engine/base.h"
#include "engine/remote.h"
#include "format/json_format.h"

#include <nlohmann/json.hpp>

#include <fmt/ranges.h>

#include <algorithm>

namespace lockstep::train {
namespace {

constexpr const char* kControlDescription =
    "Pauses, saves, evaluates, changes or stops a run that another process trains";

constexpr const char* kControlExamples = R"(Examples:
  lockstep-train control runs/a status
  lockstep-train control runs/a pause
  lockstep-train control runs/a save
  lockstep-train control runs/a learning-rate 0.01
  lockstep-train control runs/a steps 20000
  lockstep-train control runs/a stop-epoch

Commands:
  status, pause, resume, step (one, while paused), save, evaluate, stop
  learning-rate RATE   from the next step on; it decays on from there. The state before is saved and pinned
  steps NUMBER         in all, not below what is done; for a run that has ended: train --resume --steps NUMBER
  stop-epoch [off]     stops with the step that completes the epoch; off: takes that back

A command is acted on at the end of the step that is being made; the answer may still be the state before
it. Only the user who trains the run, and root, can reach it.)";

/// Why this is no command; empty if it is one.
std::string commandProblem(const std::string& command)
{
    const std::vector<std::string> commands = runCommandNames();
    return std::ranges::find(commands, command) != commands.end()
               ? std::string()
               : fmt::format(
                   "unknown command '{}'; did you mean '{}'? Commands: {}", command,
                   nearestName(command, commands), fmt::join(commands, ", "));
}

struct ControlOptions
{
    explicit ControlOptions(Command& program)
    {
        program.option("RUN", run, "", "Folder of the run").isRequired();
        program.option("COMMAND", command, "", "See below; default status")
            .isCheckedBy(commandProblem);
        program.option("VALUE", value, "", "Of learning-rate, steps and stop-epoch");
        program.flag("--json", isJson, "The answer as a JSON object");
    }

    std::string run;
    std::string command = "status";
    std::string value;
    bool isJson = false;
};

int control(const ControlOptions& options)
{
    const std::string line =
        options.value.empty() ? options.command : options.command + ' ' + options.value;
    const RunStatus status = RunRemote(options.run).ask(line);
    Console console;
    if (options.isJson) {
        console.result(lineOf(toJson(status)));
    } else {
        const std::string asked =
            options.command == "status" ? "" : fmt::format("asked to {}; ", line);
        const std::string stop =
            status.stopStep < 0 ? "" : fmt::format(", stops after step {}", status.stopStep);
        console.result(fmt::format(
            "{}: {}{} at step {} of {}{}, process {}", options.run, asked, toString(status.state),
            status.step, status.steps, stop, status.process));
    }
    return 0;
}

} // namespace

void addControlCommand(CommandLine& program)
{
    program.add("control", kControlDescription, kControlExamples, control);
}

} // namespace lockstep::train
