// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "console.h"
#include "engine/base.h"
#include "engine/crash.h"
#include "format/version_text.h"

#include <csignal>
#include <exception>

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
  lockstep-train predict photos --checkpoint runs/first --csv predictions.csv
  lockstep-train export runs/first --csv losses.csv

`lockstep-train COMMAND --help` explains a command. Exit status: 0 success, 1 the run failed or was
stopped, 2 wrong usage or configuration. Results go to standard output, all else to standard error.)";

int run(int argc, char** argv)
{
    CommandLine program(kDescription, kExamples, versionLines);
    addTrainCommand(program);
    addLaunchCommand(program);
    addEvaluateCommand(program);
    addPredictCommand(program);
    addCrossValidateCommand(program);
    addFindRateCommand(program);
    addBenchCommand(program);
    addScalingCommand(program);
    addSelftestCommand(program);
    addDevicesCommand(program);
    addInspectCommand(program);
    addControlCommand(program);
    addPinCommand(program);
    addExportCommand(program);
    addGatherCommand(program);
    addDownloadCommand(program);
    addServeCommand(program);
    return program.run(argc, argv);
}

} // namespace
} // namespace lockstep::train

int main(int argc, char** argv)
{
    using namespace lockstep;
    std::signal(SIGXFSZ, SIG_IGN); // a limit to file sizes is an error like a full disk
    traceCrashes(versionText());
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
