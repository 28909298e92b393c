// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/device_clocks.h"
#include "metrics/step_record.h"
#include "session/gather/rank_frames.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

/// Makes records of the steps of a training out of what each rank saw of them: one tower a rank.
/// Clocks are brought together by the sums that all ranks share (DeviceClocks), before the first
/// one by the time of day. One thread.
///
/// Every rank loads its own batch. What all of them waited for theirs is the step's inputSeconds;
/// the tower's startSeconds is by how much later than the first rank it began the step, its
/// copySeconds how much longer it waited for its batch. What it waited for other ranks within its
/// pass (RankStep::waited) is no work: it counts as waiting at the barrier.
class RankSteps
{
public:
    /// By rank. A rank that nothing is known of has an empty start.
    explicit RankSteps(const std::vector<RankStart>& starts);

    /// Those of the same training before this start of it.
    void goOnFrom(double wallSeconds, std::int64_t examples);

    /// `ranks` by number, empty where one is missing: then its loss is not a number, its phases are
    /// not known and it has no examples. The means are of those that are there.
    StepRecord record(std::int64_t step, std::span<const std::optional<RankStep>> ranks);

    /// "rank0@node7:cuda:0"
    [[nodiscard]] const std::vector<std::string>& places() const { return m_places; }
    /// By how many seconds the clock of each rank may differ from that of rank 0.
    [[nodiscard]] std::vector<double> clockUncertainties() const;

private:
    void alignClocks(std::span<const std::optional<RankStep>> ranks);
    [[nodiscard]] std::int64_t toReference(std::size_t rank, std::int64_t time) const;
    void fillPhases(StepRecord& record, std::span<const std::optional<RankStep>> ranks) const;
    void fillTimes(StepRecord& record, std::span<const std::optional<RankStep>> ranks);

    std::vector<std::string> m_places;
    std::vector<int> m_devices;
    std::vector<std::int64_t> m_batches;
    std::vector<std::size_t> m_clockOf; ///< ranks of a machine share one
    std::vector<std::int64_t> m_ahead;  ///< of each clock, by the time of day
    DeviceClocks m_clocks;
    std::int64_t m_trainingExamples = 0;
    std::int64_t m_aligned = 0;            ///< steps
    std::optional<std::int64_t> m_lastEnd; ///< of the step before, by the reference
    double m_wallSeconds = 0.0;
    std::int64_t m_examples = 0;
};

} // namespace lockstep
