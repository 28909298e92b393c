// SPDX-License-Identifier: Apache-2.0
#include "api/event_teller.h"

#include "base/overloaded.h"

#include <fmt/core.h>

#include <variant>

namespace lockstep {
namespace {

api::Step stepOf(const StepRecord& record)
{
    api::Step step{record.step,         record.examples,          record.epoch,
                   record.learningRate, record.lossMean,          record.lossLast,
                   record.stepSeconds,  record.examplesPerSecond, {}};
    for (const TowerRecord& tower : record.towers) {
        step.towers.push_back(
            {tower.loss, tower.correct, tower.examples, tower.forwardSeconds, tower.backwardSeconds,
             waitingSeconds(record, tower).value_or(-1.0)});
    }
    return step;
}

api::Note noteOf(const Note& note)
{
    return {static_cast<api::Note::Level>(note.level), note.text};
}

api::Note noteOf(const AlertRecord& alert)
{
    return {alert.isOver ? api::Note::Level::Info : api::Note::Level::Warning, alert.text};
}

api::Note noteOf(const PreflightRecord& check)
{
    return {
        static_cast<api::Note::Level>(check.result), fmt::format("{}: {}", check.name, check.text)};
}

} // namespace

api::Evaluation evaluationOf(const EvaluationRecord& record)
{
    return {record.step,
            record.weights == WeightsKind::Raw ? api::Weights::Raw : api::Weights::Average,
            record.examples,
            record.correct,
            record.accuracy,
            record.loss};
}

void EventTeller::onEvent(const TrainingEvent& event)
{
    const std::scoped_lock lock(m_mutex);
    if (m_thrown) {
        return;
    }
    try {
        tell(event);
    } catch (...) {
        m_thrown = std::current_exception();
        m_stop.request_stop();
    }
}

void EventTeller::tell(const TrainingEvent& event)
{
    std::visit(
        Overloaded{
            [this](const StepRecord& step) { m_observer.onStep(stepOf(step)); },
            [this](const EvaluationRecord& record) {
                m_observer.onEvaluation(evaluationOf(record));
            },
            [this](const WrittenCheckpoint& written) {
                m_observer.onCheckpoint(written.step, written.file);
            },
            [this](const Note& note) { m_observer.onNote(noteOf(note)); },
            [this](const AlertRecord& alert) { m_observer.onNote(noteOf(alert)); },
            [this](const PreflightRecord& check) { m_observer.onNote(noteOf(check)); },
            [](const auto& /*other*/) {}},
        event);
}

void EventTeller::rethrow() const
{
    if (m_thrown) {
        std::rethrow_exception(m_thrown);
    }
}

} // namespace lockstep
