// SPDX-License-Identifier: Apache-2.0
#include "session/events/event_recorder.h"

#include "base/error.h"
#include "input/batch_builder.h"
#include "network/objective_names.h"
#include "session/config/run_data.h"
#include "session/events/event_pictures.h"
#include "storage/events/event_scalars.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>
#include <span>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

/// Rows whose activations are shown: enough for a histogram, few enough to cost next to nothing.
constexpr std::int64_t kProbedRows = 16;
/// Input images that are shown, as many as the classic scripts do.
constexpr std::int64_t kPictures = 3;

/// "conv1.weight" is "conv1/weights" for TensorBoard, as in the classic scripts.
std::string tagOf(const std::string& parameter)
{
    const auto dot = parameter.rfind('.');
    const std::string kind = parameter.substr(dot + 1);
    const std::string layer = parameter.substr(0, dot);
    if (kind == "weight" || kind == "bias") {
        return layer + (kind == "bias" ? "/biases" : "/weights");
    }
    return layer + "/" + kind; // a statistic
}

std::int64_t takeBackFrom(const EventRecorderSettings& settings, const TrainingSession& session)
{
    const std::int64_t from = settings.takeBackFrom.value_or(session.progress().step);
    require(
        from >= 0 && from <= session.progress().step,
        "events to take back from a step behind the next one");
    return from;
}

double shareOfZeros(std::span<const float> values)
{
    return static_cast<double>(std::ranges::count(values, 0.0F))
           / static_cast<double>(values.size());
}

} // namespace

std::int64_t probedRows(const TowerShape& shape)
{
    return std::min(kProbedRows, shape.batchPerTower);
}

EventRecorder::EventRecorder(
    const EventRecorderSettings& settings, const TrainingSession& session, const Dataset& training)
    : m_settings(settings), m_session(session), m_training(training),
      m_shape(session.stepper().shape()),
      m_rows(pipelineFor(session.plan().config, session.plan().network)), m_order(training, m_rows),
      m_probe(session.plan().network, probedRows(m_shape)),
      m_objectives(objectiveNames(session.plan().network)),
      m_file(settings.folder, takeBackFrom(settings, session))
{
}

EventRecorder::~EventRecorder() = default;

bool EventRecorder::isTimeForAll() const
{
    const double least = m_settings.leastSeconds;
    return !m_sinceAll || least == 0.0 || (m_sinceAll->seconds() >= least && !isWriting());
}

bool EventRecorder::isWriting() const
{
    return m_writing.valid()
           && m_writing.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

std::int64_t EventRecorder::horizon(std::int64_t nextStep) const
{
    constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
    if (!isTimeForAll()) {
        return kNever;
    }
    const std::int64_t every = m_settings.everySteps;
    const std::int64_t past = nextStep % every;
    const std::int64_t ahead = past == 0 ? 0 : every - past;
    return ahead < kNever - nextStep ? nextStep + ahead + 1 : kNever;
}

void EventRecorder::take(const GradientRecord& gradients)
{
    m_noiseScale.add(gradients);
    m_gradients = gradients;
}

std::vector<EventValue> EventRecorder::agreementOf(const StepRecord& step) const
{
    return m_gradients && m_gradients->step == step.step ? eventScalars(*m_gradients, m_noiseScale)
                                                         : std::vector<EventValue>();
}

void EventRecorder::record(const StepRecord& step)
{
    const bool isAll = isTimeForAll() && m_session.stepper().stepsAhead() == 0;
    if (isAll) {
        m_waiting.push_back(takeAll(step));
        m_sinceAll.emplace();
    } else {
        m_waiting.push_back({step, secondsSince1970(), {}, {}, {}});
    }
    m_waiting.back().agreement = agreementOf(step);
    if (isAll || !isWriting()) {
        startWriting();
    }
}

void EventRecorder::record(const EvaluationRecord& evaluation)
{
    flush();
    const EventRecord event{
        EventKind::Values, secondsSince1970(), evaluation.step,
        eventScalars(evaluation, m_objectives)};
    m_file.append(std::span(&event, 1));
}

void EventRecorder::flush()
{
    if (!m_waiting.empty()) {
        startWriting();
    }
    if (m_writing.valid()) {
        m_writing.get();
    }
}

/// Waits for what is being written, and hands on what went wrong with it.
void EventRecorder::startWriting()
{
    if (m_writing.valid()) {
        m_writing.get();
    }
    try {
        m_writing =
            std::async(std::launch::async, [this, snapshots = std::exchange(m_waiting, {})] {
                write(snapshots);
            });
    } catch (const std::system_error& error) {
        fail(
            ErrorCode::OutOfMemory, "{}: no thread to write it with ({})", m_file.path().string(),
            error.what());
    }
}

EventRecorder::Snapshot EventRecorder::takeAll(const StepRecord& step) const
{
    const ParameterArena& arena = m_session.stepper().arena();
    const float* gradient = m_session.stepper().averagedGradient();
    const auto trained = m_session.trainedNetwork().trainedParameters();
    Snapshot snapshot{step, secondsSince1970(), {}, {}, {}};
    for (int i = 0; i < static_cast<int>(m_session.plan().network.parameters.size()); ++i) {
        snapshot.weights.push_back(arena.read(arena.weights(), i));
        snapshot.gradients.push_back(
            trained[static_cast<std::size_t>(i)] ? arena.read(gradient, i) : std::vector<float>());
    }
    return snapshot;
}

void EventRecorder::write(const std::vector<Snapshot>& snapshots)
{
    try {
        std::vector<EventRecord> events;
        events.reserve(snapshots.size());
        for (const Snapshot& snapshot : snapshots) {
            events.push_back(eventOf(snapshot));
        }
        m_file.append(events);
    } catch (const std::bad_alloc&) {
        fail(ErrorCode::OutOfMemory, "{}: no memory to write it with", m_file.path().string());
    }
}

EventRecord EventRecorder::eventOf(const Snapshot& snapshot)
{
    EventRecord event{
        EventKind::Values, snapshot.time, snapshot.step.step,
        eventScalars(snapshot.step, m_objectives)};
    event.values.insert(event.values.end(), snapshot.agreement.begin(), snapshot.agreement.end());
    if (!snapshot.weights.empty()) {
        const Batch batch = rowsOf(snapshot.step);
        addParameters(snapshot, event);
        addActivations(batch, event);
        addPictures(batch, event);
    }
    return event;
}

Batch EventRecorder::rowsOf(const StepRecord& step) const
{
    PipelineSettings settings = m_rows;
    settings.startPosition = step.examples - m_shape.globalBatch();
    Batch batch;
    BatchBuilder(m_training, settings, m_order)
        .buildRows(0, m_shape.globalBatch() - m_shape.batchPerTower, probedRows(m_shape), batch);
    return batch;
}

void EventRecorder::addParameters(const Snapshot& snapshot, EventRecord& event)
{
    const NetworkSpec& network = m_session.plan().network;
    const std::optional<int> filters = visibleFilters(network);
    for (int i = 0; i < static_cast<int>(network.parameters.size()); ++i) {
        const auto number = static_cast<std::size_t>(i);
        const ParameterSpec& parameter = network.parameters[number];
        const std::string tag = tagOf(parameter.name);
        const std::vector<float>& weights = snapshot.weights[number];
        m_probe.setWeights(i, weights);
        event.values.push_back({tag, histogramOf(weights)});
        if (!snapshot.gradients[number].empty()) {
            event.values.push_back({tag + "/gradients", histogramOf(snapshot.gradients[number])});
        }
        if (filters == i) {
            const std::string& layer =
                network.layers[static_cast<std::size_t>(parameter.layer)].name;
            event.values.push_back({layer + "/filters", filterSheet(weights, parameter.shape)});
        }
    }
}

void EventRecorder::addActivations(const Batch& batch, EventRecord& event)
{
    for (const LayerActivations& activations : m_probe.run(batch)) {
        const std::string& layer =
            m_session.plan().network.layers[static_cast<std::size_t>(activations.layer)].name;
        event.values.push_back({layer + "/activations", histogramOf(activations.values)});
        event.values.push_back({layer + kSparsitySuffix, shareOfZeros(activations.values)});
    }
}

void EventRecorder::addPictures(const Batch& batch, EventRecord& event)
{
    if (batch.shape.channels != 1 && batch.shape.channels != 3) {
        return;
    }
    const auto elements = static_cast<std::size_t>(batch.shape.elements());
    for (std::int64_t i = 0; i < std::min(kPictures, batch.examples); ++i) {
        const auto image =
            std::span(batch.images).subspan(static_cast<std::size_t>(i) * elements, elements);
        event.values.push_back({fmt::format("images/image/{}", i), pictureOf(image, batch.shape)});
    }
}

} // namespace lockstep
