// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "dataset/examples/dataset.h"
#include "input/row_order.h"
#include "metrics/evaluation_record.h"
#include "metrics/gradient_agreement.h"
#include "metrics/step_record.h"
#include "session/events/activation_probe.h"
#include "session/training/training_session.h"
#include "storage/events/event_file.h"

#include <cstdint>
#include <filesystem>
#include <future>
#include <optional>
#include <vector>

namespace lockstep {

/// What is recorded, and where.
struct EventRecorderSettings
{
    std::filesystem::path folder;  ///< RUN/events
    std::int64_t everySteps = 100; ///< at least 1
    /// At least between two records of everything; those between hold the scalars alone. A fast
    /// device would else spend more time on them than on its steps. 0: everything, always.
    double leastSeconds = 1.0;
    /// From this step on, what earlier files of the folder say no longer holds; at most
    /// session.progress().step, which none stands for. A run that leaves a line of steps for
    /// another one gives the first step at which the two differ.
    std::optional<std::int64_t> takeBackFrom = std::nullopt;
};

/// Of a tower's batch, those whose activations are recorded.
std::int64_t probedRows(const TowerShape& shape);

/// Keeps an event file for TensorBoard beside a training: of some steps the scalars, histograms of
/// every weight and averaged gradient, activations, input images and the first layer's filters; of
/// every evaluation its scores. Tags and meaning: engine/storage/README.md.
///
/// Weights are those after the recorded step, gradients its own. Activations are not the towers'
/// own: the first rows of the last tower's batch pass once more, with the weights after the step,
/// through an ActivationProbe.
///
/// A record is a copy of the parameters for the thread that trains; the rest is done beside the
/// next steps. So the thread that trains hears of an error with the next record or flush():
/// Error(Io), or Error(OutOfMemory) where there is no memory or thread for it; both name the file,
/// and what was waiting to be written is lost. Where there is no memory for the copy itself it is
/// std::bad_alloc. All methods are for that thread.
class EventRecorder
{
public:
    /// Begins a new file, which takes back what settings.takeBackFrom tells. Session and data set
    /// must outlive the recorder.
    EventRecorder(
        const EventRecorderSettings& settings, const TrainingSession& session,
        const Dataset& training);
    /// Waits for the last record; an error can't be told any more: call flush() to hear of it.
    ~EventRecorder();
    EventRecorder(const EventRecorder&) = delete;
    EventRecorder& operator=(const EventRecorder&) = delete;

    /// Whether step `step` is to be recorded: steps 0, everySteps, 2 * everySteps, …
    [[nodiscard]] bool isDue(std::int64_t step) const { return step % m_settings.everySteps == 0; }
    /// Where devices that run ahead of `nextStep` have to stop: behind the next step that is due,
    /// if everything is to be recorded of it.
    [[nodiscard]] std::int64_t horizon(std::int64_t nextStep) const;

    /// What the gradients of a step say: call it before record() of that step, for every step that
    /// has any, as the noise scale is an average over them.
    void take(const GradientRecord& gradients);
    /// Records a step, due or not. Call it right after TrainingSession::step(). Everything, if it
    /// is time for that and stepsAhead() is 0; else the scalars.
    void record(const StepRecord& step);
    /// Records an evaluation. Those that still hold of the step from which on was taken back, and
    /// of later ones, have to be given once more.
    void record(const EvaluationRecord& evaluation);
    /// Returns when everything recorded so far is on disk.
    void flush();

private:
    /// What a step leaves behind and the next one overwrites: each parameter, in PyTorch's order,
    /// or none: scalars alone.
    struct Snapshot
    {
        StepRecord step;
        double time = 0.0; ///< seconds since 1970
        std::vector<std::vector<float>> weights;
        std::vector<std::vector<float>> gradients; ///< empty: not trained
        std::vector<EventValue> agreement;         ///< scalars; none where it was not measured
    };

    [[nodiscard]] bool isTimeForAll() const;
    [[nodiscard]] bool isWriting() const;
    [[nodiscard]] Snapshot takeAll(const StepRecord& step) const;
    [[nodiscard]] std::vector<EventValue> agreementOf(const StepRecord& step) const;
    void startWriting();
    void write(const std::vector<Snapshot>& snapshots);
    [[nodiscard]] EventRecord eventOf(const Snapshot& snapshot);
    void addParameters(const Snapshot& snapshot, EventRecord& event);
    void addActivations(const Batch& batch, EventRecord& event);
    static void addPictures(const Batch& batch, EventRecord& event);
    [[nodiscard]] Batch rowsOf(const StepRecord& step) const;

    EventRecorderSettings m_settings;
    const TrainingSession& m_session;
    const Dataset& m_training;
    /// Equal in all phases; the writing must not ask the session, which may be planning one.
    TowerShape m_shape;
    PipelineSettings m_rows; ///< of the training, except for where its batches begin
    RowOrder m_order;
    ActivationProbe m_probe;
    std::vector<std::string> m_objectives;
    EventFile m_file;
    GradientNoiseScale m_noiseScale;
    std::optional<GradientRecord> m_gradients; ///< taken last
    std::optional<Stopwatch> m_sinceAll;       ///< since everything was recorded
    std::vector<Snapshot> m_waiting;           ///< to be written once the writing is done
    std::future<void> m_writing;               ///< last: it ends before what it works with
};

} // namespace lockstep
