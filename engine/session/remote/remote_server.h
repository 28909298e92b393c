// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lockstep {

/// Answers a RemoteMachine over two file descriptors, of which `in` brings its frames and `out`
/// takes ours, until `in` ends or the line is gone: `lockstep-train serve --stdio`. Writes nothing
/// into runs, but for the trainings that it is told to start; reads no faster than the line takes
/// it, in short transactions, so that no training waits for it.
/// `runs` is a folder of runs, or a run; "~/…" is relative to the home folder; empty: the default
/// one, which is made. Returns whether the other end was served: false if it was told why not (a
/// folder that is not there, another version).
bool serveRuns(const std::string& runs, int in, int out);

} // namespace lockstep
