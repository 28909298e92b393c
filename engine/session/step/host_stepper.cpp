// SPDX-License-Identifier: Apache-2.0
#include "session/step/host_stepper.h"

#include "base/clock.h"
#include "session/step/image_scoring.h"
#include "session/step/tower_masks.h"

#include <fmt/format.h>

#include <cmath>

namespace lockstep {

HostStepper::HostStepper(const StepperSettings& settings)
    : m_settings(settings), m_device(dynamic_cast<const HostDevice&>(*settings.devices.front())),
      m_arena(m_device, *settings.network, settings.precision, settings.optimizer.kind),
      m_team(
          m_device, *settings.network, m_arena.layout(), settings.shape, settings.precision,
          settings.input.seed),
      m_allReduce(m_device, m_arena.layout(), averagingOf(settings), m_team.gradients()),
      m_optimizer(m_device, *settings.network, m_arena, m_allReduce.chunks(), settings.optimizer)
{
    const int delayed = settings.experiment.delayedTower(settings.shape.towers);
    if (delayed >= 0) {
        m_team.delayBackward(delayed, settings.experiment.delayMilliseconds / 1e3);
    }
    if (settings.gradientsEverySteps > 0) {
        m_meter.emplace(m_device, *settings.network, m_arena, m_team, m_allReduce.chunks());
    }
}

void HostStepper::start(std::int64_t step, std::int64_t examplesSeen)
{
    m_step = step;
    PipelineSettings settings = m_settings.input;
    settings.startPosition = examplesSeen;
    settings.startStep = step;
    m_pipeline.reset();
    m_pipeline = std::make_unique<InputPipeline>(*m_settings.dataset, settings);
}

void HostStepper::parametersChanged()
{
    m_arena.roundOperands();
    m_optimizer.refreshWeightDecayLoss(m_team.threads());
}

StepOutcome HostStepper::next(std::int64_t /*limit*/)
{
    const BatchLease input = m_pipeline->next();
    Stopwatch phase;
    // Split: every lane takes its rows of the global batch. Forward, backward: all towers at once.
    StepOutcome outcome;
    outcome.towers = m_team.forwardBackward(*input.batch, m_arena.weightsView());
    outcome.computeSeconds = phase.restart();
    const int badParameter = m_allReduce.run(m_team.threads(), m_arena.gradient());
    outcome.averagingSeconds = phase.restart();
    outcome.weightDecayLoss = m_optimizer.weightDecayLoss();
    outcome.fault = findFault(outcome.towers, badParameter);
    outcome.inputSeconds = input.waitSeconds;
    outcome.queueFilled = input.queueFilled;
    if (!outcome.fault) {
        if (m_areMasksWanted) {
            outcome.masks = masks(*input.batch, outcome);
        }
        update(outcome);
    }
    return outcome;
}

void HostStepper::setMasksWanted(bool areWanted)
{
    m_areMasksWanted = areWanted && predictsMasks(*m_settings.network);
}

MaskRecord HostStepper::masks(const Batch& batch, const StepOutcome& outcome) const
{
    const NetworkSpec& network = *m_settings.network;
    MaskRecord record;
    m_team.threads().run([&](int worker) { // the outputs belong to the towers' threads
        if (worker == 0) {
            m_device.enterThread(1);
            record = masksOf(m_team, network, batch, *m_settings.dataset);
        }
    });
    addLosses(network, outcome.towers, outcome.weightDecayLoss, record);
    record.step = m_step;
    const auto& input = m_settings.input.distortion.masked;
    record.white = input && input->pixels == PixelRange::Byte ? 255.0 : 1.0;
    return record;
}

void HostStepper::update(StepOutcome& outcome)
{
    const bool isMeasured = m_meter && m_step % m_settings.gradientsEverySteps == 0;
    if (isMeasured) {
        m_meter->beforeUpdate();
    }
    Stopwatch phase;
    const UpdateSettings update = m_settings.schedule(m_step);
    m_optimizer.apply(
        m_team.threads(), update.learningRate, update.averageDecay, update.momentDecay);
    outcome.updateSeconds = phase.restart();
    if (isMeasured) {
        outcome.gradients = m_meter->afterUpdate(m_step);
    }
    ++m_step;
}

std::optional<StepFault> HostStepper::findFault(
    const std::vector<TowerResult>& towers, int badParameter) const
{
    for (std::size_t i = 0; i < towers.size(); ++i) {
        if (!std::isfinite(towers[i].lossSum + m_optimizer.weightDecayLoss())) {
            return StepFault{static_cast<int>(i), -1};
        }
    }
    if (badParameter < 0) {
        return std::nullopt;
    }
    const auto number = static_cast<std::size_t>(badParameter);
    const ParameterLayout& layout = m_arena.layout();
    return StepFault{
        m_team.firstTowerNotFinite(layout.offsets[number], layout.counts[number]), badParameter};
}

std::vector<OpReport> HostStepper::report() const
{
    return m_team.replica(0).report();
}

std::string HostStepper::placeOf(int /*tower*/) const
{
    return m_device.info().name;
}

std::size_t HostStepper::bytesOf(int tower) const
{
    std::size_t total = 0;
    for (std::size_t lane = 0; lane < m_team.lanes().size(); ++lane) {
        if (m_team.lanes()[lane].tower == tower) {
            total += m_team.replica(static_cast<int>(lane)).bytes();
        }
    }
    return total;
}

std::string HostStepper::describe() const
{
    const ThreadTeam& threads = m_team.threads();
    return fmt::format(
        "{} threads a tower, {} at work, {}{}", shape().threadsPerTower, threads.size(),
        threads.isBound() ? "bound to cores that share a cache"
                          : fmt::format("not bound to cores ({})", threads.unboundBecause()),
        static_cast<std::size_t>(threads.size()) < m_team.lanes().size()
            ? ": more towers than processors, they take turns"
            : "");
}

} // namespace lockstep
