// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/interface.h"
#include "metrics/alert_record.h"
#include "metrics/device_reading_record.h"
#include "metrics/evaluation_record.h"
#include "metrics/gradient_record.h"
#include "metrics/mask_record.h"
#include "metrics/preflight_record.h"
#include "metrics/step_record.h"
#include "session/config/run_config.h"
#include "session/control/run_state.h"
#include "session/run/initial_weights.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace lockstep {

/// How much a line of text matters.
enum class NoteLevel { Info, Warning, Error };

/// "info", "warning" or "error": as it stands in the run store.
constexpr std::string_view toString(NoteLevel level)
{
    constexpr std::array<std::string_view, 3> kNames{"info", "warning", "error"};
    return kNames[static_cast<std::size_t>(level)];
}

/// One line for people: a fallback that was taken, a damaged file that was skipped.
struct Note
{
    NoteLevel level = NoteLevel::Info;
    std::string text;
};

/// A checkpoint of the state after `step` updates is on disk.
struct WrittenCheckpoint
{
    std::int64_t step = 0;
    std::filesystem::path file;
};

/// So many test examples of all are scored, of the evaluation that goes on.
struct EvaluatedExamples
{
    std::int64_t done = 0;
    std::int64_t all = 0;
};

/// What happens in a run that trains. Of those whose name does not say it all:
/// - GradientRecord: right after the StepRecord of the same step, every gradients.every_steps.
/// - MaskRecord: after the StepRecord of the same step, while TrainingRun::wantMasks() or another
///   process asks for them (RunRemote::masks()); shared because it is large, and not kept on disk.
/// - DeviceReadingRecord: of each accelerator that tells something of itself, and of this
///   computer's processors, about once a second.
/// - PreflightRecord: before the first step, each line of the checklist as it is done.
/// - InitialWeights: once, of a run that begins at step 0 with weights of another training: what
///   was taken.
/// - EvaluatedExamples: at every percent of an evaluation, which ends with its EvaluationRecord.
/// - AlertRecord: something that a person should hear of has begun, or is over. Also from a thread
///   beside the one that trains, which may just then hang.
/// - RunConfig: the training goes on with another learning rate or number of steps than it began
///   with.
using TrainingEvent = std::variant<
    RunState, StepRecord, GradientRecord, std::shared_ptr<const MaskRecord>, EvaluatedExamples,
    EvaluationRecord, DeviceReadingRecord, WrittenCheckpoint, PreflightRecord, InitialWeights, Note,
    AlertRecord, RunConfig>;

/// Told what happens in a run, on the thread that trains. What it does delays the next step.
class RunObserver : public Interface
{
public:
    virtual void onEvent(const TrainingEvent& /*event*/) {}
    /// Asked again and again before all else, while data is read and algorithms are measured;
    /// perhaps from another thread. If not, Error(Cancelled) ends the run before it began.
    [[nodiscard]] virtual bool mayBegin() { return true; }
};

} // namespace lockstep
