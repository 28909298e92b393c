// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine.h"

#include <cstdint>
#include <memory>

namespace lockstep::train {

/// Tells what happens in a run on standard output. It also carries a signal to the run: stop() is
/// called at the end of the step in which it came.
class TrainReporter : public RunObserver
{
public:
    /// The run that is about to train; must outlive the reporter's last call.
    void begin(TrainingRun& run);
    /// The run has ended: finished, or stopped.
    virtual void end(const TrainingRun& run) = 0;

    void onStep(const StepRecord& record) final;

protected:
    virtual void reportBegin(const TrainingRun& run) = 0;
    virtual void report(const StepRecord& record) = 0;

private:
    TrainingRun* m_run = nullptr;
};

/// For people: the classic line every 10 steps and, on a terminal, a progress line.
std::unique_ptr<TrainReporter> makeTextReporter();

/// For programs: one JSON object a line, `event` says of what kind.
std::unique_ptr<TrainReporter> makeJsonReporter();

} // namespace lockstep::train
