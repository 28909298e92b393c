// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/device_reading_record.h"
#include "metrics/evaluation_record.h"
#include "metrics/gradient_record.h"
#include "metrics/preflight_record.h"
#include "metrics/step_record.h"
#include "storage/rows/run_branch.h"
#include "storage/rows/run_phase.h"

#include <cstdint>
#include <string>
#include <variant>

namespace lockstep {

/// Something that happened in a run, for people: "info", "warning" or "error" and one line of text.
struct RunEvent
{
    double time = 0.0; ///< seconds since 1970; RunStore fills it in
    std::string level;
    std::string text;
    // The store fills these in, too: where the run stood when the event was appended.
    std::int64_t branch = 0; ///< 0: before the first branch
    std::int64_t step = 0;   ///< updates made
    /// What kind of thing, for programs: that of an alert (toString(AlertKind)), or one of those
    /// below; empty: nothing in particular.
    std::string kind = {};
    int tower = -1; ///< whom it is about; -1: no single tower
};

// Kinds of events by which a running training was changed.
inline constexpr const char* kLearningRateEvent = "learning_rate";
inline constexpr const char* kStepsEvent = "steps";

/// A fact about the run as a whole: "seed", "device", …
struct RunValue
{
    std::string key;
    std::string value;
};

/// A checkpoint that is on disk.
struct RunCheckpoint
{
    std::int64_t step = 0; ///< updates that its weights have seen
    std::string file;      ///< relative to the run folder
    std::int64_t bytes = 0;
    std::string checksum; ///< of the whole file
    std::string reason;   ///< "start", "periodic", "requested", "change", "best" or "end"
    double created = 0.0; ///< seconds since 1970; RunStore fills it in
};

/// What the store takes.
using RunRecord = std::variant<
    StepRecord, EvaluationRecord, DeviceReadingRecord, RunEvent, RunValue, RunBranch, RunCheckpoint,
    PreflightRecord, GradientRecord, RunObjectives, RunClasses, RunPhases>;

} // namespace lockstep
