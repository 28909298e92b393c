// SPDX-License-Identifier: Apache-2.0
#include "session/step/accelerator_stepper.h"

#include "base/clock.h"
#include "base/error.h"
#include "ranks/ranks.h"
#include "session/step/gradient_meter.h"
#include "session/step/image_scoring.h"
#include "session/step/rank_outcome.h"
#include "session/step/tower_masks.h"
#include "tower/rank_towers.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace lockstep {
namespace {

/// Long enough that the host has little to do, short enough that charts and buttons are at once.
constexpr double kBlockSeconds = 0.008;

} // namespace

AcceleratorStepper::AcceleratorStepper(const StepperSettings& settings)
    : Stepper(settings), m_team(m_settings), m_lossSum(*settings.network),
      m_phases(m_team.members().all, m_team.members().firstOwn, settings.shape.passes)
{
    require(
        settings.shape.towers * settings.shape.passes < static_cast<int>(fault::kNoTower),
        "more passes of all towers than a fault can tell apart");
    for (Block& block : m_blocks) {
        for (std::size_t i = 0; i < m_team.size(); ++i) {
            block.ends.push_back(m_team.device(i).makeEvent());
        }
    }
}

void AcceleratorStepper::start(std::int64_t step, std::int64_t examplesSeen)
{
    m_team.run([&](std::size_t number) { m_team.at(number).start(step, examplesSeen); });
    m_blocksAhead = 0;
    m_outcomeCount = 0;
    m_returned = 0;
    m_enqueued = step;
    if (m_team.front().streamedRows() != nullptr) {
        PipelineSettings settings = m_settings.input;
        settings.startPosition = examplesSeen;
        settings.startStep = step;
        m_shown.batch.reset();
        m_pipeline.reset();
        m_pipeline = std::make_unique<InputPipeline>(*m_settings.dataset, settings);
    }
}

StepOutcome& AcceleratorStepper::next(std::int64_t limit)
{
    if (m_areMasksDue && stepsAhead() == 0) {
        return stepWithMasks();
    }
    while (!m_areMasksDue && m_blocksAhead < kMostBlocks && m_enqueued < limit) {
        enqueueBlock(limit);
    }
    if (m_returned == m_outcomeCount) {
        takeBlock();
    }
    return m_outcomes[m_returned++];
}

void AcceleratorStepper::setMasksWanted(bool areWanted)
{
    m_areMasksDue = m_areMasksDue || (areWanted && predictsMasks(*m_settings.network));
}

/// A block of its own, with nothing behind it that would overwrite what the towers have predicted.
StepOutcome& AcceleratorStepper::stepWithMasks()
{
    enqueueBlock(m_enqueued + 1);
    takeBlock();
    StepOutcome& outcome = m_outcomes[m_returned++];
    if (!outcome.fault && m_settings.share.isFirst()) { // nobody asks the other ranks
        outcome.masks = masks(*m_shown.batch, outcome);
    }
    m_shown.batch.reset();
    m_areMasksDue = false;
    return outcome;
}

MaskRecord AcceleratorStepper::masks(const Batch& batch, const StepOutcome& outcome) const
{
    MaskRecord record = masksOf(m_settings, batch, outcome);
    m_team.run([&](std::size_t number) {
        const DeviceTowers& towers = m_team.at(number).towers();
        for (int i = 0; i < towers.range().count; ++i) {
            addImages(m_settings, batch, towers.lane(i), towers.replica(i), record);
        }
    });
    return record;
}

std::int64_t AcceleratorStepper::stepsAhead() const
{
    auto steps = static_cast<std::int64_t>(m_outcomeCount - m_returned);
    for (std::size_t i = 0; i < m_blocksAhead; ++i) {
        steps += m_blocks[(m_firstBlock + i) % kMostBlocks].count;
    }
    return steps;
}

void AcceleratorStepper::enqueueBlock(std::int64_t limit)
{
    Block& block = m_blocks[(m_firstBlock + m_blocksAhead) % kMostBlocks];
    block.first = m_enqueued;
    block.count = std::min(
        {m_blockSteps, limit - m_enqueued,
         m_team.front().slotCount() / static_cast<std::int64_t>(kMostBlocks)});
    if (const std::int64_t every = m_settings.gradientsEverySteps; every > 0) {
        block.count = std::min(block.count, kMostMeasured * std::min(every, block.count));
    }
    block.isAfterIdle = m_blocksAhead == 0;
    block.sinceBegin.restart();
    takeBatches(block);
    m_team.run([&](std::size_t number) {
        m_team.at(number).enqueue(
            block.first, block.count, m_settings.schedule, *block.ends[number]);
    });
    m_enqueued += block.count;
    ++m_blocksAhead;
}

void AcceleratorStepper::takeBatches(Block& block)
{
    block.queueFilled.assign(static_cast<std::size_t>(block.count), 1.0);
    block.waitSeconds = 0.0;
    if (!m_pipeline) {
        return;
    }
    for (std::int64_t i = 0; i < block.count; ++i) {
        BatchLease lease = m_pipeline->next();
        for (std::size_t number = 0; number < m_team.size(); ++number) {
            m_team.at(number).streamedRows()->take(block.first + i, *lease.batch);
        }
        block.waitSeconds += lease.waitSeconds;
        block.queueFilled[static_cast<std::size_t>(i)] = lease.queueFilled;
        if (m_areMasksDue) {
            m_shown = std::move(lease);
        }
    }
}

void AcceleratorStepper::takeBlock()
{
    require(m_blocksAhead > 0, "a step was asked for beyond the limit");
    const Block& block = m_blocks[m_firstBlock];
    m_team.run([&](std::size_t number) { block.ends[number]->wait(); });
    m_firstBlock = (m_firstBlock + 1) % kMostBlocks;
    --m_blocksAhead;
    m_returned = 0;
    m_outcomeCount = static_cast<std::size_t>(block.count);
    m_outcomes.resize(std::max(m_outcomes.size(), m_outcomeCount));
    for (std::size_t i = 0; i < m_outcomeCount; ++i) {
        const std::int64_t step = block.first + static_cast<std::int64_t>(i);
        require(m_team.front().reports().at(step).step == step, "a device reported another step");
        tell(block, step, m_outcomes[i]);
    }
    tellFaults();
    measure(block);
    if (m_settings.features.has(StepFeature::PhaseClock)) {
        tellPhases(block);
    }
}

void AcceleratorStepper::tell(const Block& block, std::int64_t step, StepOutcome& outcome) const
{
    outcome.restart(step);
    for (std::size_t number = 0; number < m_team.size(); ++number) {
        const std::size_t objectives = m_lossSum.objectives();
        auto found = m_team.at(number).reports().results(step);
        for (int pass = 0; !found.empty(); pass = (pass + 1) % shape().passes) {
            if (pass == 0) {
                outcome.towers.emplace_back();
            }
            m_lossSum.add(found.first(objectives), shape().rowsPerPass(), outcome.towers.back());
            found = found.subspan(objectives);
        }
    }
    outcome.weightDecayLoss = m_team.front().reports().at(step).weightDecayLoss;
    outcome.gradientNorm = m_team.front().reports().at(step).gradientNorm;
    outcome.queueFilled = block.queueFilled[static_cast<std::size_t>(step - block.first)];
}

/// And of several ranks the results of all.
void AcceleratorStepper::tellFaults()
{
    std::vector<RankMoment> moments(m_outcomeCount);
    for (std::size_t i = 0; i < m_outcomeCount; ++i) {
        moments[i].fault = faultOf(m_outcomes[i].step);
    }
    if (m_settings.share.ranks != nullptr) {
        shareOutcomes(
            *m_settings.share.ranks, shape().towers, std::span(m_outcomes).first(m_outcomeCount),
            moments);
    }
    for (std::size_t i = 0; i < m_outcomeCount; ++i) {
        const std::uint64_t code = moments[i].fault;
        if (code != fault::kNone) {
            m_outcomes[i].fault =
                fault::isLoss(code)
                    ? StepFault{fault::towerOf(code) / shape().passes, -1}
                    : StepFault{
                        fault::towerOf(code), arena().layout().parameterAt(fault::offsetOf(code))};
        } else if (m_team.front().isMeasured(m_outcomes[i].step)) {
            tellGradients(m_outcomes[i]);
        }
    }
}

void AcceleratorStepper::tellGradients(StepOutcome& outcome)
{
    const auto& chunks = m_team.front().gradients()->chunks();
    m_chunkSums.resize(chunks.size());
    for (ParameterGradientRecord& sums : m_chunkSums) {
        sums.towers.clear();
    }
    for (std::size_t number = 0; number < m_team.size(); ++number) {
        m_team.at(number).gradients()->addTo(outcome.step, m_chunkSums);
    }
    outcome.gradients = gradientRecordOf(
        *m_settings.network, chunks, m_chunkSums, outcome.step, shape(), m_settings.share.ranks);
}

std::uint64_t AcceleratorStepper::faultOf(std::int64_t step) const
{
    std::uint64_t code = fault::kNone;
    for (std::size_t number = 0; number < m_team.size(); ++number) {
        const StepReport& report = m_team.at(number).reports().at(step);
        if (report.fault != fault::kNone || report.stuckStep >= 0) {
            code = std::min(code, report.fault);
        }
    }
    return code;
}

/// The device's clock, at the end of every step, says how long each took. Before the first step
/// after a pause it stood still for us; there the host's clock has the whole, and the rest is the
/// first step's.
void AcceleratorStepper::measure(const Block& block)
{
    const auto endOf = [&](std::int64_t step) {
        return m_team.front().reports().at(step).nanoseconds;
    };
    const std::int64_t last = block.first + block.count - 1;
    double first = static_cast<double>(endOf(block.first) - m_lastNanoseconds) * kNanosecond;
    if (block.isAfterIdle) {
        const double others = static_cast<double>(endOf(last) - endOf(block.first)) * kNanosecond;
        first = std::max(block.sinceBegin.seconds() - others, kNanosecond);
    }
    InputIdle::Block input{
        block.waitSeconds, first, 0.0, static_cast<int>(block.count) - 1, block.isAfterIdle};
    m_outcomes.front().seconds = first;
    for (std::size_t i = 1; i < m_outcomeCount; ++i) {
        const std::int64_t step = m_outcomes[i].step;
        m_outcomes[i].seconds = static_cast<double>(endOf(step) - endOf(step - 1)) * kNanosecond;
        input.otherSteps += m_outcomes[i].seconds;
    }
    m_lastNanoseconds = endOf(last);
    m_outcomes.front().inputSeconds = m_inputIdle.add(input);
    const double typical = std::max(m_outcomes[m_outcomeCount - 1].seconds, kNanosecond);
    m_blockSteps = std::max<std::int64_t>(1, std::llround(std::min(kBlockSeconds / typical, 1e6)));
    if (m_settings.share.ranks != nullptr) { // which all make the same blocks
        m_blockSteps = fromFirst(*m_settings.share.ranks, m_blockSteps);
    }
}

/// Tower by tower, of each all steps of the block.
std::vector<TowerTimes> AcceleratorStepper::timesOf(const Block& block) const
{
    std::vector<TowerTimes> times;
    for (std::size_t number = 0; number < m_team.size(); ++number) {
        const DeviceWorker& worker = m_team.at(number);
        for (int tower = 0; tower < worker.towers().range().count; ++tower) {
            for (std::int64_t step = block.first; step < block.first + block.count; ++step) {
                times.push_back(worker.reports().times(step, tower));
                times.back().device = m_team.members().firstOwn + static_cast<int>(number);
            }
        }
    }
    return m_settings.share.ranks == nullptr
               ? times
               : ofAllTowers<TowerTimes>(
                   *m_settings.share.ranks, shape().towers, times, m_outcomeCount);
}

/// A streamed batch that is late leaves the devices without work before the first step of its
/// block; after a pause they are without it anyway.
void AcceleratorStepper::tellPhases(const Block& block)
{
    const std::vector<TowerTimes> times = timesOf(block);
    std::vector<std::vector<TowerTimes>> steps(m_outcomeCount);
    for (std::size_t i = 0; i < times.size(); ++i) {
        steps[i % m_outcomeCount].push_back(times[i]);
    }
    for (const std::vector<TowerTimes>& towers : steps) {
        m_phases.compareClocks(towers);
    }
    m_phases.clocksCompared();
    const double mostInput = block.isAfterIdle ? block.waitSeconds : m_outcomes.front().seconds;
    for (std::size_t i = 0; i < m_outcomeCount; ++i) {
        const bool canWait = i == 0 && m_pipeline;
        const StepReport& report = m_team.front().reports().at(m_outcomes[i].step);
        m_phases.tell(steps[i], report.nanoseconds, canWait ? mostInput : 0.0, m_outcomes[i]);
    }
}

void AcceleratorStepper::stopReplaying()
{
    for (std::size_t number = 0; number < m_team.size(); ++number) {
        m_team.at(number).replay().stop();
    }
}

std::vector<GraphNode> AcceleratorStepper::capturedNodes() const
{
    std::vector<GraphNode> nodes;
    m_team.run([&](std::size_t number) {
        if (number == 0) {
            nodes = m_team.front().capturedNodes();
        }
    });
    return nodes;
}

std::string AcceleratorStepper::describe() const
{
    return m_team.describe()
           + (m_team.front().streamedRows() == nullptr ? "; the data set lies on the device"
                                                       : "; the host feeds the data set");
}

} // namespace lockstep
