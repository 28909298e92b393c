// SPDX-License-Identifier: Apache-2.0
#include "commands.h"
#include "console.h"
#include "console_format.h"
#include "engine.h"
#include "json_format.h"

#include <memory>

namespace lockstep::train {
namespace {

constexpr const char* kDescription =
    "Pauses, saves, evaluates or stops a run that another process trains";

constexpr const char* kExamples = R"(Examples:
  lockstep-train control runs/a status
  lockstep-train control runs/a pause
  lockstep-train control runs/a save

A command is acted on at the end of the step that is being made; the answer may still be the state before
it. Only the user who trains the run, and root, can reach it.)";

struct Options
{
    std::string run;
    std::string command = "status";
    bool isJson = false;
};

int control(const Options& options)
{
    const RunStatus status = RunRemote(options.run).ask(options.command);
    Console console;
    if (options.isJson) {
        console.result(lineOf(toJson(status)));
    } else {
        const std::string asked =
            options.command == "status" ? "" : fmt::format("asked to {}; ", options.command);
        console.result(fmt::format(
            "{}: {}{} at step {} of {}, process {}", options.run, asked, toString(status.state),
            status.step, status.steps, status.process));
    }
    return 0;
}

} // namespace

void addControlCommand(CLI::App& program, Action& action)
{
    CLI::App* command = program.add_subcommand("control", kDescription);
    command->footer(kExamples);
    const auto options = std::make_shared<Options>();
    command->add_option("RUN", options->run, "Folder of the run")->type_name("")->required();
    command
        ->add_option(
            "COMMAND", options->command,
            "status, pause, resume, step (one, while paused), save, evaluate or stop; default "
            "status")
        ->check(CLI::IsMember({"status", "pause", "resume", "step", "save", "evaluate", "stop"})
                    .description(""))
        ->type_name("");
    command->add_flag("--json", options->isJson, "The answer as a JSON object");
    command->callback([options, &action] { action = [options] { return control(*options); }; });
}

} // namespace lockstep::train
