// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep::train {

class CommandLine;

// Each adds one command with its flags and help to the program.
void addTrainCommand(CommandLine& program);
void addLaunchCommand(CommandLine& program);
void addEvaluateCommand(CommandLine& program);
void addPredictCommand(CommandLine& program);
void addCrossValidateCommand(CommandLine& program);
void addFindRateCommand(CommandLine& program);
void addBenchCommand(CommandLine& program);
void addScalingCommand(CommandLine& program);
void addSelftestCommand(CommandLine& program);
void addDevicesCommand(CommandLine& program);
void addInspectCommand(CommandLine& program);
void addControlCommand(CommandLine& program);
void addPinCommand(CommandLine& program);
void addExportCommand(CommandLine& program);
void addGatherCommand(CommandLine& program);
void addDownloadCommand(CommandLine& program);
void addServeCommand(CommandLine& program);

} // namespace lockstep::train
