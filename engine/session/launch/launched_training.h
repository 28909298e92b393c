// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/run/training_run.h"

#include <filesystem>

namespace lockstep {

/// Where the process answers: a library may say something on standard output.
inline constexpr int kLaunchAnswers = 3;

// The other end of a TrainingLaunch, in the process that it starts. In this order, on the thread of
// main() and before there is another one.

/// What is to be trained. From now on this is a process that the system looks after when it ends,
/// and not the one that started it. Error(BadInput) if nobody has started it so.
RunRequest takeLaunchRequest();

/// One of the two: the run is up in this folder, or it can't begin. Afterwards nothing connects the
/// process with the one that started it: what it says on standard error is added to
/// RUN/messages.log.
void tellLaunched(const std::filesystem::path& folder);
/// Where the exception that says why was caught.
void tellLaunchFailed();

} // namespace lockstep
