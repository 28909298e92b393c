// SPDX-License-Identifier: Apache-2.0
#include "session/gather/rank_merge.h"

#include "base/error.h"
#include "session/control/run_state.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lockstep {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

bool isFinite(const RankGradients& gradients)
{
    return std::ranges::all_of(
        gradients.own, [](const auto& own) { return std::isfinite(own.squares); });
}

} // namespace

void RankMerge::add(std::unique_ptr<RankSource> source)
{
    m_ranks.emplace_back().source = std::move(source);
}

bool RankMerge::merge(bool isLast, double now)
{
    constexpr std::int64_t kAskEvery = 256; // steps
    while (mergeNext(isLast, now)) {
        if (m_goesOn && m_next % kAskEvery == 0 && !m_goesOn()) {
            return false;
        }
    }
    tellDamage(isLast);
    const auto hasEnded = [](const Rank& rank) { return rank.end.has_value(); };
    if (!isLast || std::ranges::none_of(m_ranks, hasEnded)) {
        return true; // it goes on, or all of it was killed
    }
    for (const Rank& rank : m_ranks) {
        if (rank.number >= 0 && !rank.end) {
            tell(
                "warning",
                fmt::format(
                    "rank {} has not said that it ended: it was killed, or its file is not whole",
                    rank.number),
                rank.number);
        }
    }
    return true;
}

/// Up to the next step.
void RankMerge::read(Rank& rank)
{
    while (!rank.step && !rank.again) {
        auto frame = rank.source->next();
        if (!frame) {
            return;
        }
        std::visit([&](auto& told) { take(rank, std::move(told)); }, *frame);
    }
}

void RankMerge::take(Rank& rank, RankStart start)
{
    (rank.start ? rank.again : rank.start) = std::move(start);
    rank.end.reset();
}

void RankMerge::take(Rank& rank, RankStep step)
{
    if (!rank.start) {
        rank.start.emplace().rank = std::max(0, rank.source->namedRank());
        tell(
            "warning", fmt::format(
                           "{}: its start can't be read; it is taken for rank {}",
                           rank.source->name(), rank.start->rank));
    }
    if (m_steps && step.step < m_next) {
        ++m_late;
        return;
    }
    if (rank.isLeftOut) {
        rank.isLeftOut = false;
        tell("info", fmt::format("rank {} is there again", rank.number), rank.number);
    }
    rank.step = std::move(step);
}

void RankMerge::take(Rank& rank, RankGradients gradients)
{
    const int number = rank.number;
    if (!m_steps || number < 0) {
        return;
    }
    if (!isFinite(gradients) && !std::exchange(rank.isNotFinite, true)) {
        tell(
            "warning",
            fmt::format(
                "the gradient of rank {} is not finite in step {}, before it is averaged", number,
                gradients.step),
            number, "not_finite");
    }
    if (gradients.step != m_next - 1) {
        return; // it came too late, or its step is lost
    }
    m_gradients.resize(m_starts.size());
    m_gradients[static_cast<std::size_t>(number)] = std::move(gradients);
    if (std::ranges::all_of(m_gradients, [](const auto& each) { return each.has_value(); })) {
        writeGradients();
        m_gradients.clear();
    }
}

void RankMerge::take(Rank& rank, const RankEvent& event)
{
    const int number = numberOf(rank);
    tell(event.level.c_str(), fmt::format("rank {}: {}", number, event.text), number);
}

void RankMerge::take(Rank& rank, RankEnd end)
{
    if (end.state == toString(RunState::Failed)) {
        const int number = numberOf(rank);
        tell("error", fmt::format("rank {} failed: {}", number, end.text), number);
    }
    rank.end = std::move(end);
}

/// Whether there may be more.
bool RankMerge::mergeNext(bool isLast, double now)
{
    for (Rank& rank : m_ranks) {
        read(rank);
    }
    const auto isNew = [](const Rank& rank) { return rank.start && rank.number < 0; };
    if (!m_steps || std::ranges::any_of(m_ranks, isNew)) {
        return begin(isLast, now);
    }
    if (!leastStep()) {
        return beginAgain(isLast, now);
    }
    m_beganWaiting = m_beganWaiting.value_or(now);
    for (Rank& rank : m_ranks) {
        if (rank.number >= 0 && !rank.step && isWaitedFor(rank, isLast, now)) {
            return false;
        }
    }
    if (const std::int64_t least = *leastStep(); least > m_next) {
        startBranch(least); // nobody has those before any more
    }
    writeStep();
    return true;
}

std::optional<std::int64_t> RankMerge::leastStep() const
{
    std::optional<std::int64_t> least;
    for (const Rank& rank : m_ranks) {
        if (rank.step) {
            least = std::min(least.value_or(rank.step->step), rank.step->step);
        }
    }
    return least;
}

/// Once all ranks have told their first step, or those that will.
bool RankMerge::begin(bool isLast, double now)
{
    const auto least = leastStep();
    if (!least) {
        return beginAgain(isLast, now);
    }
    if (passOver()) {
        return true;
    }
    std::size_t ranks = 0;
    for (const Rank& rank : m_ranks) {
        if (rank.start) {
            ranks = std::max(
                {ranks, static_cast<std::size_t>(rank.start->ranks),
                 static_cast<std::size_t>(rank.start->rank) + 1});
        }
    }
    const auto ready = static_cast<std::size_t>(std::ranges::count_if(
        m_ranks, [](const Rank& rank) { return rank.step || rank.end || rank.again; }));
    m_beganWaiting = m_beganWaiting.value_or(now);
    if (ready < ranks && !isLast && now - *m_beganWaiting < kPatienceSeconds) {
        return false;
    }
    m_beganWaiting.reset();
    place(ranks);
    m_gradients.clear();
    m_steps.emplace(m_starts);
    startBranch(*least);
    return true;
}

/// A start that others were killed before they had written: theirs is of the time of a later one.
bool RankMerge::passOver()
{
    const auto hasStep = [](const Rank& rank) { return rank.step.has_value(); };
    const double time = std::ranges::find_if(m_ranks, hasStep)->start->time;
    for (Rank& rank : m_ranks) {
        if (rank.again && std::abs(rank.again->time - time) < std::abs(rank.start->time - time)) {
            rank.start = std::exchange(rank.again, std::nullopt);
            m_steps.reset();
            return true;
        }
    }
    return false;
}

/// Which source is which rank's.
void RankMerge::place(std::size_t ranks)
{
    std::vector<Rank*> owners(ranks, nullptr);
    for (Rank& rank : m_ranks) {
        Rank*& owner = owners[rank.start ? static_cast<std::size_t>(rank.start->rank) : 0];
        if (rank.start && owner == nullptr) {
            owner = &rank;
            rank.number = rank.start->rank;
        } else if (rank.start) {
            tell(
                "warning", fmt::format(
                               "{} and {} are both of rank {}: the second one is left out",
                               owner->source->name(), rank.source->name(), rank.start->rank));
            rank.number = -1;
        }
    }
    std::erase_if(m_ranks, [](const Rank& rank) { return rank.start && rank.number < 0; });
    m_starts.assign(ranks, {});
    for (const Rank& rank : m_ranks) {
        if (rank.number >= 0) {
            m_starts[static_cast<std::size_t>(rank.number)] = *rank.start;
        }
    }
    for (std::size_t number = 0; number < ranks; ++number) {
        m_starts[number].rank = static_cast<int>(number);
        if (owners[number] == nullptr) {
            tell(
                "warning", fmt::format("there is nothing of rank {}", number),
                static_cast<int>(number));
        }
    }
}

/// Once the ranks have been started again: what they tell from there on is another branch.
bool RankMerge::beginAgain(bool isLast, double now)
{
    const auto isAgain = [](const Rank& rank) { return rank.again || !rank.start; };
    if (std::ranges::all_of(m_ranks, [](const Rank& rank) { return !rank.again; })) {
        return false;
    }
    m_beganWaiting = m_beganWaiting.value_or(now);
    const bool isPatient = !isLast && now - *m_beganWaiting < kPatienceSeconds;
    if (isPatient && !std::ranges::all_of(m_ranks, isAgain)) {
        return false;
    }
    m_beganWaiting.reset();
    for (Rank& rank : m_ranks) {
        rank.start = std::exchange(rank.again, std::nullopt);
        rank.number = -1;
        rank.isLeftOut = false;
        rank.isNotFinite = false;
    }
    m_steps.reset();
    return true;
}

void RankMerge::startBranch(std::int64_t step)
{
    RunBranch branch;
    branch.fromStep = step;
    branch.towers = static_cast<int>(m_starts.size());
    for (const RankStart& start : m_starts) {
        branch.batchPerTower = std::max(branch.batchPerTower, start.batch);
        branch.trainingExamples = std::max(branch.trainingExamples, start.trainingExamples);
    }
    while (!m_progress.empty() && m_progress.back().step >= step) {
        m_progress.pop_back();
    }
    if (!m_progress.empty()) {
        m_steps->goOnFrom(m_progress.back().wallSeconds, m_progress.back().examples);
    }
    m_next = step;
    m_write(branch);
}

/// Whether its next step, which it has not told, will still come; says so once when it is given up.
bool RankMerge::isWaitedFor(Rank& rank, bool isLast, double now)
{
    const bool isOver = rank.end || rank.again || isLast;
    if (!isOver && !rank.isLeftOut && now - *m_beganWaiting < kPatienceSeconds) {
        return true;
    }
    if (!std::exchange(rank.isLeftOut, true)) {
        tell(
            "warning",
            isOver
                ? fmt::format("rank {} ends before step {}; the others go on", rank.number, m_next)
                : fmt::format(
                    "rank {} fell silent before step {}; the others go on", rank.number, m_next),
            rank.number);
    }
    return false;
}

void RankMerge::writeStep()
{
    m_beganWaiting.reset();
    m_gradients.clear(); // of the step before: who has not told them will not
    std::vector<std::optional<RankStep>> told(m_starts.size());
    for (Rank& rank : m_ranks) {
        if (rank.number < 0 || !rank.step || rank.step->step != m_next) {
            continue;
        }
        const bool isFinite = !rank.step->loss || std::isfinite(*rank.step->loss);
        if (!isFinite && !std::exchange(rank.isNotFinite, true)) {
            tell(
                "warning",
                fmt::format("the loss of rank {} is not finite in step {}", rank.number, m_next),
                rank.number, "not_finite");
        }
        told[static_cast<std::size_t>(rank.number)] = std::exchange(rank.step, std::nullopt);
        ++m_rows;
    }
    StepRecord record = m_steps->record(m_next, told);
    m_progress.push_back({m_next, record.wallSeconds, record.examples});
    m_write(std::move(record));
    ++m_next;
}

void RankMerge::writeGradients()
{
    const std::vector<std::string>& names = m_starts.front().parameters;
    if (!std::ranges::all_of(
            m_gradients, [&](const auto& rank) { return rank->own.size() == names.size(); })) {
        return; // of an unknown network
    }
    const auto mean =
        std::ranges::find_if(m_gradients, [](const auto& rank) { return !rank->mean.empty(); });
    GradientRecord record;
    record.step = m_next - 1;
    record.batchPerTower = m_starts.front().batch;
    for (std::size_t i = 0; i < names.size(); ++i) {
        ParameterGradientRecord& parameter = record.parameters.emplace_back();
        parameter.name = names[i];
        for (const auto& rank : m_gradients) {
            parameter.towers.push_back({rank->own[i].squares, rank->own[i].dotMean});
            // The mean's product with itself is the mean of the products of its parts with it.
            parameter.gradientSquares +=
                rank->own[i].dotMean / static_cast<double>(m_gradients.size());
        }
        parameter.weightSquares = kNotKnown;
        parameter.updateSquares = kNotKnown;
        if (mean != m_gradients.end()) {
            if (!std::isnan((*mean)->mean[i].squares)) {
                parameter.gradientSquares = (*mean)->mean[i].squares;
            }
            parameter.weightSquares = (*mean)->mean[i].weightSquares;
            parameter.updateSquares = (*mean)->mean[i].updateSquares;
        }
    }
    m_write(std::move(record));
}

void RankMerge::tellDamage(bool isLast)
{
    for (const Rank& rank : m_ranks) {
        for (const std::string& line : rank.source->takeDamage(isLast)) {
            tell("warning", line, rank.number);
        }
    }
}

void RankMerge::tell(const char* level, const std::string& text, int rank, const char* kind)
{
    m_write(RunEvent{.level = level, .text = text, .kind = kind, .tower = rank});
}

bool RankMerge::areAllEnded() const
{
    return m_steps && std::ranges::all_of(m_ranks, [](const Rank& rank) {
               return rank.number < 0 || (rank.end && !rank.step && !rank.again);
           });
}

std::string RankMerge::endState() const
{
    if (!areAllEnded()) {
        return {};
    }
    for (const char* state : {"failed", "stopped"}) {
        if (std::ranges::any_of(
                m_ranks, [&](const Rank& rank) { return rank.end && rank.end->state == state; })) {
            return state;
        }
    }
    return "finished";
}

} // namespace lockstep
