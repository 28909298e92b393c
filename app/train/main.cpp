// SPDX-License-Identifier: Apache-2.0
#include "commands.h"
#include "console.h"
#include "engine.h"
#include "version_text.h"

#include <csignal>

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

/// One line about a command line that can't be read. CLI11 does not name a command that it does not
/// know.
std::string usageError(
    const CLI::App& program, const CLI::ParseError& error, const std::string& first)
{
    if (!program.get_subcommands().empty() || first.empty() || first.starts_with('-')) {
        return fmt::format("{} (see --help)", error.what());
    }
    std::string names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
        names += (names.empty() ? "" : ", ") + command->get_name();
    }
    return fmt::format("there is no command '{}'; there are: {}", first, names);
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
        writeError(usageError(program, error, argc > 1 ? argv[1] : ""));
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
