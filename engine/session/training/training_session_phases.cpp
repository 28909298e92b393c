// SPDX-License-Identifier: Apache-2.0
// The phases of a training: what is planned for each, and how they are changed while it trains.
#include "base/error.h"
#include "network/objective_limit.h"
#include "session/config/training_phases.h"
#include "session/training/training_session.h"
#include "session/training/training_state.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockstep {
namespace {

/// What two plans chose for a layer: one that is frozen in a phase has but a part of its algorithms
/// there, and the fuller text says all.
void merge(std::map<std::string, std::string>& algorithms, const OpReport& op)
{
    std::string& known = algorithms[op.layer];
    known = known.size() < op.algorithm.size() ? op.algorithm : known;
}

/// What the store, the checkpoints and the screen have room for.
void checkObjectives(const NetworkSpec& network)
{
    static_assert(kMostObjectives == ObjectiveLosses::kMost);
    if (network.objectives.size() > kMostObjectives) {
        fail(
            ErrorCode::BadInput, "model '{}' has {} objectives, but at most {} are possible",
            network.name, network.objectives.size(), kMostObjectives);
    }
}

bool areTrainedAlike(const NetworkSpec& a, const NetworkSpec& b)
{
    return std::ranges::equal(
        a.objectives, b.objectives, [](const Objective& one, const Objective& other) {
            return one.weight == other.weight && one.groups == other.groups;
        });
}

} // namespace

/// Every phase is looked at before the first one begins.
void TrainingSession::planPhases()
{
    checkObjectives(m_network);
    m_phases = phasePlan(m_config.trainedPhases());
    m_phase.reset();
    for (std::size_t i = 0; i < m_phases.size(); ++i) {
        try {
            checkTrainedTogether(networkOf(m_network, m_phases[i]));
        } catch (const Error& error) {
            fail(error.code(), "phase.{}: {}", i, error.what());
        }
    }
}

/// Plans towers and memory anew where the next step trains something else than what is planned.
/// What both have, weights, moving averages and the optimizer's slots, is carried over bit for bit;
/// a frozen group's stay as they are.
void TrainingSession::enterPhase()
{
    const std::size_t phase = phaseAt(m_phases, m_step);
    if (m_phase == phase) {
        return;
    }
    m_phase = phase;
    NetworkSpec next = networkOf(m_network, m_phases[phase]);
    if (areTrainedAlike(next, m_trained)) {
        return;
    }
    Checkpoint parameters;
    captureParameters(m_network, arena(), parameters);
    m_stepper.reset(); // first: there may not be memory for both
    m_trained = std::move(next);
    m_stepper = makeStepper(stepperSettings());
    keepAlgorithms();
    restoreParameters(m_network, parameters, arena());
    m_stepper->parametersChanged();
    m_stepper->start(m_step, m_examplesSeen);
    if (m_timesNodes) {
        m_stepper->timeNodes();
    }
}

/// A host device takes the same ones every time.
void TrainingSession::keepAlgorithms()
{
    auto algorithms = parseAlgorithms(m_config.algorithms);
    if (!device().worksOnHost()) {
        for (const OpReport& op : m_stepper->report()) {
            merge(algorithms, op);
        }
    }
    m_config.algorithms = algorithmsText(algorithms);
}

double TrainingSession::learningRateAt(std::int64_t step) const
{
    return learningRateOf(m_phases, m_schedule, step);
}

void TrainingSession::setLearningRate(double rate)
{
    require(stepsAhead() == 0, "another learning rate was asked for while devices are ahead");
    setLearningRate(m_config, rate);
    m_schedule = scheduleOf(m_config.learningRate);
    planPhases();
    m_stepper->setSchedule(updateSchedule());
}

void TrainingSession::setLearningRate(RunConfig& config, double rate) const
{
    const auto learningRate = m_schedule.withRateAt(m_step, rate); // checks the rate, too
    if (m_phases[phaseAt(m_phases, m_step)].learningRate) {
        config.phases = withRateFrom(config.trainedPhases(), m_step, rate);
    } else {
        config.learningRate = learningRate;
    }
}

void TrainingSession::setSteps(std::int64_t steps)
{
    require(stepsAhead() == 0, "other steps were asked for while devices are ahead");
    m_config.setSteps(steps);
    planPhases();
    m_stepper->setSchedule(updateSchedule());
}

} // namespace lockstep
