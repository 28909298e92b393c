// SPDX-License-Identifier: Apache-2.0
#include "session/step/host_stepper.h"

#include "base/clock.h"
#include "session/step/image_scoring.h"
#include "session/step/rank_outcome.h"
#include "session/step/step_order.h"
#include "session/step/tower_masks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace lockstep {

HostStepper::HostStepper(const StepperSettings& settings)
    : Stepper(settings), m_device(*settings.devices.front()->host()),
      m_arena(m_device, *settings.network, settings.precision, settings.optimizer.kind),
      m_team(
          m_device, *settings.network, m_arena.layout(), settings.shape,
          {.precision = settings.precision,
           .seed = settings.input.seed,
           .algorithms = settings.algorithms,
           .mayGoOn = settings.mayGoOn},
          settings.share),
      m_allReduce(m_device, m_arena.layout(), averagingOf(settings), m_team.gradients()),
      m_optimizer(m_device, *settings.network, m_arena, m_allReduce.chunks(), settings.optimizer)
{
    if (settings.share.ranks != nullptr) {
        joinRanks();
    }
    const int delayed =
        settings.experiment.delayedTower(settings.shape.towers) - m_team.towers().first;
    if (delayed >= 0 && delayed < m_team.towers().count) {
        m_team.delayBackward(
            delayed + m_team.towers().first, settings.experiment.delayMilliseconds / 1e3);
    }
    if (settings.gradientsEverySteps > 0) {
        m_meter.emplace(
            m_device, *settings.network, m_arena, m_team, m_allReduce.chunks(),
            settings.share.ranks);
    }
}

/// The sums of all buckets but the last travel beside the backward pass.
void HostStepper::joinRanks()
{
    const auto buckets = planBuckets(*m_settings.network, m_arena.layout(), kMostHostBuckets);
    std::vector<int> firstLayers;
    firstLayers.reserve(buckets.size());
    for (const GradientBucket& bucket : buckets) {
        firstLayers.push_back(bucket.firstLayer);
    }
    m_rankAllReduce = std::make_unique<RankAllReduce>(
        *m_settings.share.ranks, m_device, m_arena.layout(), averagingOf(m_settings),
        m_team.gradients(), buckets, m_arena.gradient());
    m_team.cutBackward(firstLayers, [this](std::size_t bucket) { m_rankAllReduce->ready(bucket); });
}

void HostStepper::start(std::int64_t step, std::int64_t examplesSeen)
{
    PipelineSettings settings = m_settings.input;
    settings.startPosition = examplesSeen;
    settings.startStep = step;
    giveRowsBack();
    m_pipeline.reset();
    m_pipeline = std::make_unique<InputPipeline>(*m_settings.dataset, settings);
}

void HostStepper::parametersChanged()
{
    m_arena.roundOperands();
    m_optimizer.refreshWeightDecayLoss(m_team.threads());
}

StepOutcome& HostStepper::next(std::int64_t /*limit*/)
{
    makeStep(*this);
    return m_outcome;
}

void HostStepper::takeRows()
{
    giveRowsBack(); // those of a step that was broken off
    m_input = m_pipeline->next();
    m_outcome.restart(m_input.batch->step);
    m_outcome.inputSeconds = m_input.waitSeconds;
    m_outcome.queueFilled = m_input.queueFilled;
    m_phase.restart();
}

void HostStepper::passes(std::size_t /*bucket*/)
{
    if (m_rankAllReduce) {
        m_batchSeconds = steadySeconds();
        m_rankAllReduce->begin();
    }
    const auto& towers = m_team.forwardBackward(*m_input.batch, m_arena.weightsView());
    m_outcome.towers.assign(towers.begin(), towers.end());
    m_outcome.computeSeconds = m_phase.restart();
}

/// Checks the average on the way.
void HostStepper::average(std::size_t /*bucket*/)
{
    if (m_rankAllReduce) {
        RankMoment moment{.begin = m_batchSeconds, .badParameter = m_rankAllReduce->finish()};
        m_outcome.exchange = m_rankAllReduce->seconds();
        shareOutcomes(*m_settings.share.ranks, shape().towers, {&m_outcome, 1}, {&moment, 1});
        m_badParameter = moment.badParameter;
    } else {
        m_badParameter = m_allReduce.run(m_team.threads(), m_arena.gradient());
    }
    m_outcome.averagingSeconds = m_phase.restart();
}

void HostStepper::checkLosses()
{
    m_outcome.weightDecayLoss = m_optimizer.weightDecayLoss();
    const auto bad = std::ranges::find_if(m_outcome.towers, [this](const TowerResult& tower) {
        return !std::isfinite(tower.loss(m_outcome.weightDecayLoss));
    });
    if (bad != m_outcome.towers.end()) {
        m_outcome.fault = {static_cast<int>(bad - m_outcome.towers.begin()), -1};
    }
}

void HostStepper::checkGradient()
{
    if (m_outcome.fault || m_badParameter < 0) {
        return;
    }
    m_outcome.fault = {
        firstTowerNotFinite(static_cast<std::size_t>(m_badParameter)), m_badParameter};
}

int HostStepper::firstTowerNotFinite(std::size_t parameter) const
{
    const ParameterLayout& layout = m_arena.layout();
    const int own = m_team.firstTowerNotFinite(layout.offsets[parameter], layout.counts[parameter]);
    if (m_settings.share.ranks == nullptr) {
        return own;
    }
    const std::vector<int> all = gathered(*m_settings.share.ranks, own);
    const auto first = std::ranges::find_if(all, [](int tower) { return tower >= 0; });
    return first == all.end() ? -1 : *first;
}

void HostStepper::update()
{
    if (m_outcome.fault) {
        return;
    }
    const bool isMeasured = m_meter && m_outcome.step % m_settings.gradientsEverySteps == 0;
    if (isMeasured) {
        m_meter->beforeUpdate();
    }
    m_phase.restart();
    m_optimizer.apply(m_team.threads(), m_settings.schedule(m_outcome.step));
    m_outcome.gradientNorm = m_optimizer.gradientNorm();
    m_outcome.updateSeconds = m_phase.restart();
    if (isMeasured) {
        m_outcome.gradients = m_meter->afterUpdate(m_outcome.step);
    }
}

/// The rest was noted on the way.
void HostStepper::record()
{
    if (m_areMasksWanted && !m_outcome.fault && m_settings.share.isFirst()) {
        m_outcome.masks = masks();
    }
}

void HostStepper::giveRowsBack()
{
    m_input.batch.reset();
}

void HostStepper::setMasksWanted(bool areWanted)
{
    m_areMasksWanted = areWanted && predictsMasks(*m_settings.network);
}

MaskRecord HostStepper::masks() const
{
    MaskRecord record = masksOf(m_settings, *m_input.batch, m_outcome);
    m_team.threads().run([&](int worker) { // the outputs belong to the towers' threads
        if (worker == 0) {
            m_device.enterThread(1);
            for (std::size_t i = 0; i < m_team.lanes().size(); ++i) {
                addImages(
                    m_settings, *m_input.batch, m_team.lanes()[i],
                    m_team.replica(static_cast<int>(i)), record);
            }
        }
    });
    return record;
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
            total += m_team.bytes(static_cast<int>(lane));
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
