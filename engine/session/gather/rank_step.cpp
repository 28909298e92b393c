// SPDX-License-Identifier: Apache-2.0
#include "session/gather/rank_step.h"

#include "base/clock.h"
#include "metrics/throughput.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {
namespace {

using Ranks = std::span<const std::optional<RankStep>>;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
/// A line through hundreds of sums hardly changes with the next one.
constexpr std::int64_t kAlignEvery = 16;

/// Where each name stood first.
std::vector<std::size_t> numbersOf(const std::vector<std::string>& names)
{
    std::vector<std::string> known;
    std::vector<std::size_t> numbers;
    for (const std::string& name : names) {
        const auto found = std::ranges::find(known, name);
        numbers.push_back(static_cast<std::size_t>(found - known.begin()));
        if (found == known.end()) {
            known.push_back(name);
        }
    }
    return numbers;
}

std::vector<std::string> clockNames(const std::vector<RankStart>& starts)
{
    std::vector<std::string> names;
    for (std::size_t rank = 0; rank < starts.size(); ++rank) {
        const std::string& name = starts[rank].clock;
        names.push_back(name.empty() ? fmt::format("of rank {}", rank) : name);
    }
    return names;
}

double seconds(std::int64_t nanoseconds)
{
    return kNanosecond * static_cast<double>(nanoseconds);
}

template<class TimeOf>
std::optional<std::int64_t> latest(Ranks ranks, TimeOf timeOf)
{
    std::optional<std::int64_t> last;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        if (const auto time = ranks[rank] ? timeOf(rank, *ranks[rank]) : std::nullopt) {
            last = std::max(last.value_or(*time), *time);
        }
    }
    return last;
}

} // namespace

RankSteps::RankSteps(const std::vector<RankStart>& starts)
    : m_clockOf(numbersOf(clockNames(starts))), m_clocks(std::ranges::max(m_clockOf) + 1)
{
    m_ahead.resize(std::ranges::max(m_clockOf) + 1);
    for (std::size_t rank = 0; rank < starts.size(); ++rank) {
        const RankStart& start = starts[rank];
        m_places.push_back(fmt::format(
            "rank{}@{}:{}", rank, start.host.empty() ? "unknown" : start.host,
            start.device.empty() ? "cpu" : start.device));
        m_batches.push_back(start.batch);
        m_trainingExamples = std::max(m_trainingExamples, start.trainingExamples);
        if (start.time > 0.0) {
            m_ahead[m_clockOf[rank]] = start.nanoseconds - std::llround(start.time / kNanosecond);
        }
    }
    m_devices = deviceNumbers(m_places);
}

void RankSteps::goOnFrom(double wallSeconds, std::int64_t examples)
{
    m_wallSeconds = wallSeconds;
    m_examples = examples;
}

StepRecord RankSteps::record(std::int64_t step, Ranks ranks)
{
    alignClocks(ranks);
    StepRecord record;
    record.step = step;
    record.learningRate = kUnknown;
    record.queueFilled = kUnknown;
    record.towers.resize(ranks.size());
    double losses = 0.0;
    int withLoss = 0;
    std::int64_t examples = 0;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        TowerRecord& tower = record.towers[rank];
        tower.device = m_devices[rank];
        tower.loss = kUnknown;
        if (!ranks[rank]) {
            continue;
        }
        const RankStep& told = *ranks[rank];
        if (told.loss) {
            tower.loss = *told.loss;
            losses += *told.loss;
            ++withLoss;
        }
        tower.examples = told.examples >= 0 ? told.examples : m_batches[rank];
        tower.correct = told.correct;
        examples += tower.examples;
        if (std::isnan(record.learningRate)) {
            record.learningRate = told.learningRate;
        }
    }
    record.lossMean = withLoss > 0 ? losses / withLoss : kUnknown;
    record.lossLast = record.towers.back().loss;
    fillPhases(record, ranks);
    fillTimes(record, ranks);
    m_examples += examples;
    record.examples = m_examples;
    record.epoch = m_trainingExamples > 0
                       ? static_cast<double>(m_examples) / static_cast<double>(m_trainingExamples)
                       : 0.0;
    record.examplesPerSecond = examplesPerSecond(examples, record.stepSeconds);
    record.secondsPerBatch = secondsPerBatch(record.stepSeconds, static_cast<int>(ranks.size()));
    return record;
}

/// By the sum that took the shortest time: it says most.
void RankSteps::alignClocks(Ranks ranks)
{
    const auto clocks = m_ahead.size();
    if (clocks == 1 || !std::ranges::all_of(ranks, [&](const auto& rank) {
            return rank && rank->sums.size() == ranks.front()->sums.size();
        })) {
        return;
    }
    std::vector<DeviceClocks::Sum> best;
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    for (std::size_t sum = 0; sum < ranks.front()->sums.size(); ++sum) {
        // Of ranks that share a clock, the last one's part completes theirs.
        std::vector<DeviceClocks::Sum> seen(
            clocks,
            {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()});
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            DeviceClocks::Sum& own = seen[m_clockOf[rank]];
            const std::int64_t ahead = m_ahead[m_clockOf[rank]];
            own.begin = std::max(own.begin, ranks[rank]->sums[sum].ready - ahead);
            own.end = std::min(own.end, ranks[rank]->sums[sum].done - ahead);
        }
        const auto lengthOf = [](const DeviceClocks::Sum& one) { return one.end - one.begin; };
        const std::int64_t length = lengthOf(std::ranges::min(seen, {}, lengthOf));
        if (length >= 0 && length < shortest) {
            shortest = length;
            best = std::move(seen);
        }
    }
    if (!best.empty()) {
        m_clocks.add(best);
        if (m_aligned < kAlignEvery || m_aligned % kAlignEvery == 0) {
            m_clocks.update();
        }
        ++m_aligned;
    }
}

std::int64_t RankSteps::toReference(std::size_t rank, std::int64_t time) const
{
    const std::size_t clock = m_clockOf[rank];
    const std::int64_t byDay = time - m_ahead[clock];
    return clock == 0 ? byDay : m_clocks.toReference(clock, byDay);
}

void RankSteps::fillPhases(StepRecord& record, Ranks ranks) const
{
    std::int64_t begin = std::numeric_limits<std::int64_t>::max();
    std::int64_t data = begin;
    bool areKnown = false;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        if (ranks[rank] && ranks[rank]->hasPhases()) {
            begin = std::min(begin, toReference(rank, ranks[rank]->begin));
            data = std::min(data, ranks[rank]->forward - ranks[rank]->begin);
            areKnown = true;
        }
    }
    if (!areKnown) {
        return;
    }
    std::int64_t lastArrival = 0;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        if (!ranks[rank] || !ranks[rank]->hasPhases()) {
            continue;
        }
        const RankStep& told = *ranks[rank];
        const std::int64_t start = toReference(rank, told.begin) - begin;
        const std::int64_t copy = told.forward - told.begin - data;
        const std::int64_t waited =
            std::clamp<std::int64_t>(told.waited, 0, told.arrival - told.forward);
        // It waits where its pass begins, for buffers that rank 0 sends.
        const std::int64_t waitedForward = std::min(waited, told.backward - told.forward);
        const std::int64_t forward = told.backward - told.forward - waitedForward;
        const std::int64_t backward = told.arrival - told.backward - (waited - waitedForward);
        lastArrival = std::max(lastArrival, start + copy + forward + backward);
        TowerRecord& tower = record.towers[rank];
        tower.startSeconds = seconds(start);
        tower.copySeconds = seconds(copy);
        tower.forwardSeconds = seconds(forward);
        tower.backwardSeconds = seconds(backward);
    }
    const auto timeOf = [&](auto member) {
        return latest(ranks, [&](std::size_t rank, const RankStep& told) {
            return told.hasPhases() ? std::optional(toReference(rank, told.*member)) : std::nullopt;
        });
    };
    const std::int64_t done = *timeOf(&RankStep::done);
    record.inputSeconds = seconds(data);
    record.computeSeconds = seconds(lastArrival);
    record.averagingSeconds =
        seconds(std::max<std::int64_t>(0, done - (begin + data + lastArrival)));
    record.updateSeconds = seconds(std::max<std::int64_t>(0, *timeOf(&RankStep::end) - done));
}

void RankSteps::fillTimes(StepRecord& record, Ranks ranks)
{
    const auto end = latest(ranks, [&](std::size_t rank, const RankStep& told) {
        return told.end == kNotTold ? std::nullopt : std::optional(toReference(rank, told.end));
    });
    if (!end) {
        record.wallSeconds = m_wallSeconds;
        return;
    }
    if (!m_lastEnd) { // the first step
        m_lastEnd = latest(ranks, [&](std::size_t rank, const RankStep& told) {
            return told.begin == kNotTold ? std::nullopt
                                          : std::optional(toReference(rank, told.begin));
        });
    }
    record.stepSeconds = seconds(std::max<std::int64_t>(0, *end - m_lastEnd.value_or(*end)));
    m_lastEnd = end;
    m_wallSeconds += record.stepSeconds;
    record.wallSeconds = m_wallSeconds;
}

std::vector<double> RankSteps::clockUncertainties() const
{
    std::vector<double> uncertainties;
    for (const std::size_t clock : m_clockOf) {
        uncertainties.push_back(clock == 0 ? 0.0 : m_clocks.uncertaintySeconds());
    }
    return uncertainties;
}

} // namespace lockstep
