// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/run.h"
#include "interrupt.h"

#include <memory>

namespace lockstep::train {

/// Tells what happens in a run on standard output.
class TrainReporter : public RunObserver
{
public:
    /// The run that is about to train.
    virtual void begin(const TrainingRun& run) = 0;
    /// The run has ended: finished, or stopped.
    virtual void end(const TrainingRun& run) = 0;
    /// Not once a signal has come.
    bool mayBegin() override { return !isInterrupted(); }
};

/// For people: the classic line every 10 steps and, on a terminal, a progress line.
std::unique_ptr<TrainReporter> makeTextReporter();

/// For programs: one JSON object a line, `event` says of what kind.
std::unique_ptr<TrainReporter> makeJsonReporter();

} // namespace lockstep::train
