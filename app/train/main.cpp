// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.h"
#include "console.h"
#include "engine/base.h"
#include "format/version_text.h"

#include <CLI/CLI.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <span>

namespace lockstep::train {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

constexpr const char* kDescription =
    "Trains a neural network in N synchronous towers: every tower computes the gradient of its "
    "own\n"
    "batch, the gradients are averaged, one update moves the weights of all.";

constexpr const char* kExamples = R"(Examples:
  lockstep-train download cifar10 --data ~/data
  lockstep-train train --dataset cifar10 --data ~/data --towers 2 --steps 3000 --run runs/first
  lockstep-train evaluate --checkpoint runs/first
  lockstep-train export runs/first --csv losses.csv

`lockstep-train COMMAND --help` explains a command. Exit status: 0 success, 1 the run failed or was
stopped, 2 wrong usage or configuration. Results go to standard output, all else to standard error.)";

void addCommands(CLI::App& program, Action& action)
{
    addTrainCommand(program, action);
    addEvaluateCommand(program, action);
    addCrossValidateCommand(program, action);
    addBenchCommand(program, action);
    addScalingCommand(program, action);
    addSelftestCommand(program, action);
    addDevicesCommand(program, action);
    addInspectCommand(program, action);
    addControlCommand(program, action);
    addPinCommand(program, action);
    addExportCommand(program, action);
    addDownloadCommand(program, action);
}

std::vector<std::string> commandNames(const CLI::App& program)
{
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    return names;
}

std::vector<std::string> flagNames(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

/// The first flag of the command line that the command does not have; empty if it has all.
std::string unknownFlag(const std::vector<std::string>& flags, std::span<char*> arguments)
{
    for (const char* const argument : arguments) {
        const std::string name = std::string(argument).substr(0, std::string(argument).find('='));
        if (name.starts_with("--") && std::ranges::find(flags, name) == flags.end()) {
            return name;
        }
    }
    return {};
}

/// One line about a command line that can't be read. CLI11 does not name a command that it does not
/// know, and knows of nothing that is spelt alike.
std::string usageError(
    const CLI::App& program, const CLI::ParseError& error, std::span<char*> arguments)
{
    const std::string first = arguments.empty() ? "" : arguments.front();
    if (!program.get_subcommands().empty()) {
        const std::vector<std::string> flags = flagNames(*program.get_subcommands().front());
        const std::string unknown = unknownFlag(flags, arguments);
        return unknown.empty() || dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr
                   ? fmt::format("{} (see --help)", error.what())
                   : fmt::format(
                       "unknown flag '{}'; did you mean '{}'? (see --help)", unknown,
                       nearestName(unknown, flags));
    }
    if (first.empty() || first.starts_with('-')) {
        return fmt::format("{} (see --help)", error.what());
    }
    const std::vector<std::string> names = commandNames(program);
    return fmt::format(
        "unknown command '{}'; did you mean '{}'? Commands: {}", first, nearestName(first, names),
        fmt::join(names, ", "));
}

int run(int argc, char** argv)
{
    CLI::App program(kDescription, "lockstep-train");
    program.footer(kExamples);
    program.set_version_flag(
        "--version", versionLines, "Version of this program and its libraries");
    program.set_help_flag("-h,--help", "This text");
    program.require_subcommand(1);
    Action action;
    addCommands(program, action);
    try {
        program.parse(argc, argv);
    } catch (const CLI::Success& request) {
        return program.exit(request); // --help, --version
    } catch (const CLI::ParseError& error) {
        writeError(usageError(
            program, error,
            std::span(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1U : 0U)));
        return kBadUsage;
    }
    return action();
}

} // namespace
} // namespace lockstep::train

int main(int argc, char** argv)
{
    using namespace lockstep;
    std::signal(SIGXFSZ, SIG_IGN); // a limit to file sizes is an error like a full disk
    try {
        return train::run(argc, argv);
    } catch (const Error& error) {
        train::writeError(error.what());
        return error.code() == ErrorCode::BadInput ? train::kBadUsage : train::kFailed;
    } catch (const std::exception& error) {
        train::writeError(error.what());
        return train::kFailed;
    }
}
