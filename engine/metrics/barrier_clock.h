// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/step_record.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace lockstep {

/// What a tower's work consists of: TowerRecord::copySeconds and those after it.
enum class WorkPhase { Copy, Forward, Backward };
inline constexpr std::size_t kWorkPhases = 3;

/// The tower that a step waited for at its barrier.
struct Straggler
{
    int tower = 0;
    /// By how much earlier all towers had arrived, had this one worked as fast as the median of
    /// the others; 0 if it was no slower, or if others arrived just as late.
    double costSeconds = 0.0;
    /// By how much longer each phase of its work took than the median of the others.
    std::array<double, kWorkPhases> excessSeconds{};

    /// The phase in which it lost most.
    [[nodiscard]] WorkPhase phase() const;
};

/// Names the tower that opened the barrier last. Without turns that is the one that arrived last.
/// Where towers share a processor, the last one is only last in the queue: then, of the towers that
/// ran one after another until that arrival, it is the one that worked longest. Its cost is
///
///     min(work(k) - median of work(others), last arrival - last arrival of the towers not in that
///         queue), at least 0
///
/// so neither waiting for data (before all of it) nor waiting for a turn (before the work) counts
/// as being slow, no two towers are charged for the same time, and two equally slow ones are
/// charged nothing: making one of them faster would save nothing. A queue is read from the times: a
/// tower follows another that arrived within 50 us of its start.
///
/// Towers that share an accelerator work all at once, without turns. Where there are several of
/// these, the one that is done last is held against the others: its last tower is named, and both
/// median and last arrival are those of the towers elsewhere, so that an accelerator which is slow
/// as a whole is charged for it. On one alone towers are held against each other.
///
/// Empty for a single tower, or if a device does not tell the phases of its towers.
std::optional<Straggler> stragglerOf(const StepRecord& step);

/// What the barrier made of one tower over a window of steps.
struct TowerBarrierShare
{
    std::int64_t stepsLast = 0; ///< in which it was the straggler
    /// Sum of its costs / sum of the step times: the share of the time by which it alone makes
    /// everyone wait.
    double costShare = 0.0;
    double costSeconds = 0.0; ///< of a step, mean over all steps of the window
    /// Mean of Straggler::excessSeconds over the steps in which it was the straggler.
    std::array<double, kWorkPhases> excessSeconds{};
    double waitingSeconds = 0.0;  ///< at the barrier, mean
    double turnSeconds = 0.0;     ///< until it began, mean; 0 on accelerators
    double backwardSeconds = 0.0; ///< of its own, mean
    /// What the backward pass seems to take where it ends with the mean of all gradients: its own,
    /// waiting and averaging. Mean.
    double outsideSeconds = 0.0;
    /// Of stepsLast those in which it cost a fortieth of the step at least.
    std::int64_t stepsCostly = 0;

    /// As Straggler::phase().
    [[nodiscard]] WorkPhase phase() const;
};

/// Over a window of steps. Means are over its steps.
struct BarrierSummary
{
    std::int64_t steps = 0; ///< of the window; 0: nothing is known
    double stepSeconds = 0.0;
    double inputSeconds = 0.0;  ///< waiting for data
    double spreadSeconds = 0.0; ///< between the first arrival and the last
    std::vector<TowerBarrierShare> towers;
};

/// The share of a step that the tower waits for its turn that waits longest for it. Empty where the
/// towers take no turns: below a tenth threads only wake up late.
std::optional<double> turnShare(const BarrierSummary& summary);

/// The tower that makes the others wait: it comes last in clearly more steps than in one of N, by
/// more than so many standard deviations of the binomial distribution, and costs `leastShare` of
/// the time at least; of several the costliest. Empty where it is chance who comes last.
std::optional<int> clearStraggler(
    const BarrierSummary& summary, double leastShare, double deviations = 3.0);

/// Watches who arrives last over the latest steps. Steps of which a device does not tell the phases
/// are left out; a step with another number of towers begins a new window. Sums are of
/// whole nanoseconds, and exact. add() takes below a microsecond for a few towers.
/// Not thread-safe.
class BarrierClock
{
public:
    explicit BarrierClock(std::size_t windowSteps = 1000);

    void add(const StepRecord& step);
    void clear();

    [[nodiscard]] BarrierSummary summary() const;

private:
    /// Whole nanoseconds, as all that follow.
    struct TowerWaits
    {
        std::int64_t waiting = 0;
        std::int64_t turn = 0;
        std::int64_t backward = 0;
        std::int64_t outside = 0;
    };
    struct Judged
    {
        int tower = 0;
        std::int64_t cost = 0;
        std::array<std::int64_t, kWorkPhases> excess{};
        std::int64_t step = 0;
        std::int64_t input = 0;
        std::int64_t spread = 0;
        std::vector<TowerWaits> waits; ///< by tower
    };

    std::size_t m_windowSteps;
    std::deque<Judged> m_steps;
};

} // namespace lockstep
