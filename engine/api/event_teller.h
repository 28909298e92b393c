// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/lockstep.h"
#include "session/run/training_event.h"

#include <exception>
#include <mutex>
#include <stop_token>

namespace lockstep {

/// The record of an evaluation as the library gives it.
api::Evaluation evaluationOf(const EvaluationRecord& record);

/// Tells a program's observer what it asked to know. Nothing that it throws gets into the engine:
/// the first of it asks for a stop, and is kept.
class EventTeller final : public RunObserver
{
public:
    explicit EventTeller(api::Observer& observer) : m_observer(observer) {}

    void onEvent(const TrainingEvent& event) override;
    [[nodiscard]] bool mayBegin() override { return !m_stop.stop_requested(); }

    /// Of this run, whoever asks for it.
    [[nodiscard]] std::stop_source& stop() { return m_stop; }
    /// What the observer threw, if it did.
    void rethrow() const;

private:
    void tell(const TrainingEvent& event);

    api::Observer& m_observer;
    std::stop_source m_stop;
    std::mutex m_mutex; ///< one call at a time, and of:
    std::exception_ptr m_thrown;
};

} // namespace lockstep
