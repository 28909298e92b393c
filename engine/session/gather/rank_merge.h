// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/gather/rank_file.h"
#include "session/gather/rank_step.h"
#include "storage/store/run_store_record.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// Makes records for a run store out of what all ranks of a training tell, step by step. A step is
/// there when every rank has told it; a rank that has ended, or is silent while the others go on,
/// is not waited for: it is missing in the steps from there on, and an event says so. Each start of
/// the training begins a branch. One thread.
class RankMerge
{
public:
    /// For so long a rank may be silent once others have told the next step.
    static constexpr double kPatienceSeconds = 10.0;

    using Write = std::function<void(RunRecord)>;
    /// Asked now and then while there is much to merge: false ends the merging for now.
    using GoesOn = std::function<bool()>;

    explicit RankMerge(Write write, GoesOn goesOn = {})
        : m_write(std::move(write)), m_goesOn(std::move(goesOn))
    {
    }

    void add(std::unique_ptr<RankSource> source);

    /// Merges what is complete. `isLast`: what is there is all there will be, nobody is waited for.
    /// `now`: steady, in seconds. False where it was ended before that. Errors of the sources as
    /// they are.
    bool merge(bool isLast, double now);

    /// By rank, of the current start; empty before it.
    [[nodiscard]] const std::vector<RankStart>& starts() const { return m_starts; }
    /// Of the current start; null before its first step.
    [[nodiscard]] const RankSteps* steps() const { return m_steps ? &*m_steps : nullptr; }
    [[nodiscard]] std::int64_t nextStep() const { return m_next; }
    /// Steps of single ranks that were merged.
    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    /// Whether every rank has said that it ended.
    [[nodiscard]] bool areAllEnded() const;
    /// How the training ended by the words of its ranks: "failed" if one says so; empty: one has
    /// not ended, or not said so.
    [[nodiscard]] std::string endState() const;
    /// Steps that came after they had been merged without that rank: merging all anew has them.
    [[nodiscard]] std::int64_t lateSteps() const { return m_late; }

private:
    struct Rank
    {
        std::unique_ptr<RankSource> source;
        int number = -1;                ///< of the rank; -1: it takes no part (yet)
        std::optional<RankStart> start; ///< of the current start of the training
        std::optional<RankStart> again; ///< of a later one: nothing behind it is read yet
        std::optional<RankStep> step;   ///< the next one
        std::optional<RankEnd> end;
        bool isLeftOut = false;   ///< the others go on without it, and that was told
        bool isNotFinite = false; ///< its loss, or its gradient; that was told
    };
    /// At the end of a step.
    struct Progress
    {
        std::int64_t step = 0;
        double wallSeconds = 0.0;
        std::int64_t examples = 0;
    };

    void read(Rank& rank);
    void take(Rank& rank, RankStart start);
    void take(Rank& rank, RankStep step);
    void take(Rank& rank, RankGradients gradients);
    void take(Rank& rank, const RankEvent& event);
    void take(Rank& rank, RankEnd end);
    /// As it says, or as its source is named; -1: neither.
    static int numberOf(const Rank& rank)
    {
        return rank.start ? rank.start->rank : rank.source->namedRank();
    }
    bool mergeNext(bool isLast, double now);
    bool begin(bool isLast, double now);
    bool beginAgain(bool isLast, double now);
    bool passOver();
    void startBranch(std::int64_t step);
    void place(std::size_t ranks);
    [[nodiscard]] std::optional<std::int64_t> leastStep() const;
    bool isWaitedFor(Rank& rank, bool isLast, double now);
    void writeStep();
    void writeGradients();
    void tellDamage(bool isLast);
    void tell(const char* level, const std::string& text, int rank = -1, const char* kind = "");

    Write m_write;
    GoesOn m_goesOn;
    std::vector<Rank> m_ranks; ///< in the order in which their sources came
    std::vector<RankStart> m_starts;
    std::optional<RankSteps> m_steps;
    std::vector<std::optional<RankGradients>> m_gradients; ///< by rank, of the step before m_next
    std::optional<double> m_beganWaiting;                  ///< for the next step, or for a start
    std::int64_t m_next = 0;
    std::vector<Progress> m_progress; ///< by ascending step
    std::int64_t m_rows = 0;
    std::int64_t m_late = 0;
};

} // namespace lockstep
