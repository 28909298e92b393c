// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace lockstep::train {

/// What the command that was chosen does; returns the exit code. Set while the command line is
/// read, called afterwards.
using Action = std::function<int()>;

// Each adds one command with its flags and help to the program.
void addTrainCommand(CLI::App& program, Action& action);
void addEvaluateCommand(CLI::App& program, Action& action);
void addCrossValidateCommand(CLI::App& program, Action& action);
void addBenchCommand(CLI::App& program, Action& action);
void addScalingCommand(CLI::App& program, Action& action);
void addSelftestCommand(CLI::App& program, Action& action);
void addDevicesCommand(CLI::App& program, Action& action);
void addInspectCommand(CLI::App& program, Action& action);
void addControlCommand(CLI::App& program, Action& action);
void addPinCommand(CLI::App& program, Action& action);
void addExportCommand(CLI::App& program, Action& action);
void addDownloadCommand(CLI::App& program, Action& action);

} // namespace lockstep::train
