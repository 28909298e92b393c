// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "dataset/examples/load_progress.h"
#include "metrics/preflight_record.h"
#include "session/run/initial_weights.h"
#include "session/run/run_files.h"
#include "session/training/training_session.h"

#include <functional>

namespace lockstep {

/// A run that is about to make its first step.
struct PreflightSubject
{
    const RunConfig& config; ///< as it will be used
    const TrainingSession& session;
    const Dataset& training;
    const Dataset& test;
    const RunFiles& files;
    const InitialWeights* initial = nullptr; ///< that it begins with, of another training
    std::function<bool()> isStopWanted = [] { return false; }; ///< what takes long ends early
};

/// Checks what would otherwise end a run after hours: that a real checkpoint can be written and
/// read back, that the disk has room for all that the run will keep, that the data are whole
/// and no test image is trained on, what is taken over from another training, that towers fit into
/// memory, and which devices are at work. Takes well under a second for cifar10. Tells each line of
/// the checklist to `onRecord`. The error of the first one that failed, Error(Io) or
/// (Data), once all are told.
void runPreflight(
    const PreflightSubject& subject, const std::function<void(const PreflightRecord&)>& onRecord);

} // namespace lockstep
