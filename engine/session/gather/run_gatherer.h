// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/barrier_clock.h"
#include "metrics/verdicts/step_alerts.h"
#include "session/control/run_state.h"
#include "session/gather/log_sources.h"
#include "session/gather/rank_merge.h"
#include "storage/store/run_folder.h"
#include "storage/store/run_store.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace lockstep {

/// Makes a run of what the ranks of a training record, whatever trains: RUN/ranks/*.lsr (format:
/// app/recorder/FORMAT.md) becomes RUN/run.toml and RUN/run.db, with one tower a rank. Both are
/// always made anew, from the first step on, since the rank files have it all. Holds the run's
/// lock. What a training of our own tells by itself is told here of its steps: alerts. One thread.
class RunGatherer
{
public:
    /// What who gathers is told and asked; either may be empty.
    struct Listener
    {
        std::function<void(const RunEvent&)> onEvent;
        /// Now and then while much is merged: false ends it, see poll().
        std::function<bool(std::int64_t nextStep)> goesOn;
    };

    /// Of RUN/ranks, or of other sources, where there are some. Error(BadInput) if there is nothing
    /// to gather, if the folder holds a training of our own, or if another process gathers it.
    explicit RunGatherer(
        std::filesystem::path run, RankSources sources = {}, Listener listener = {});

    /// Merges what the ranks have told since. False if the listener ended that before. Errors of
    /// files and store name them.
    bool poll() { return gather(false); }
    /// Whether all ranks have ended, by their own words.
    [[nodiscard]] bool isOver() const { return m_merge.areAllEnded(); }
    /// Merges what is left, whether complete or not, and ends the store. False as above: then the
    /// run is one that is behind.
    bool finish();

    [[nodiscard]] const RankMerge& merge() const { return m_merge; }
    /// Of the last thousand steps.
    [[nodiscard]] BarrierSummary barrier() const { return m_barrier.summary(); }
    /// Null before the first step.
    [[nodiscard]] const RunVerdicts* verdicts() const
    {
        return m_alerts ? &m_alerts->verdicts() : nullptr;
    }

    /// Whether ranks recorded something there.
    static bool isRecorded(const std::filesystem::path& run);
    /// Whether the rank files hold more than what the run was made of, or it was not made yet, or
    /// not to the end.
    static bool isBehind(const std::filesystem::path& run);
    /// When a rank wrote something last: seconds ago.
    static double secondsSinceWritten(const std::filesystem::path& run);

private:
    bool gather(bool isLast);
    void addNewFiles();
    void write(const RunRecord& record);
    void writeFacts();
    void alert(const AlertRecord& alert);

    std::filesystem::path m_run;
    Listener m_listener;
    RunFolder m_folder;
    RunStore m_store;
    const bool m_isOfFiles; ///< of RUN/ranks, where more may appear
    RankMerge m_merge;
    std::set<std::filesystem::path> m_files; ///< that were added
    std::optional<StepAlerts> m_alerts;
    BarrierClock m_barrier;
};

/// The rank files of these folders, as sources. Error(BadInput) for a folder without one.
RankSources rankFileSources(const std::vector<std::filesystem::path>& folders);

} // namespace lockstep
