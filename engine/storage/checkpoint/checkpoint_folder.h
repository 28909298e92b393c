// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/checkpoint/checkpoint.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockstep {

/// A file of a checkpoint folder, `step-000001000.safetensors`. Nothing is said of its content.
struct CheckpointFile
{
    std::int64_t step = 0;
    std::filesystem::path path;
    bool isPinned = false;
};

/// Pins a checkpoint, so that its run never deletes it, or takes the pin off: an empty file
/// `step-000001000.pin` beside it. Works on any run, also while another process trains it.
/// Error(BadInput) if there is no such checkpoint (any more), Error(Io); both name the file.
void setPinned(const std::filesystem::path& checkpoint, bool isPinned);

/// The checkpoints of a folder by ascending step; none if there is no such folder. Error(Io) if the
/// folder can't be read. Changes nothing, so it may be called beside a running training.
std::vector<CheckpointFile> listCheckpoints(const std::filesystem::path& folder);

/// A checkpoint and the file it came from.
struct LoadedCheckpoint
{
    CheckpointFile file;
    Checkpoint checkpoint;
};

/// The newest checkpoint of a folder that is whole. Each damaged or unreadable one that is skipped
/// on the way is told to `onSkipped` in one line. Empty if there is no good one.
std::optional<LoadedCheckpoint> newestGoodCheckpoint(
    const std::filesystem::path& folder, const std::function<void(const std::string&)>& onSkipped);

/// Which checkpoints a run keeps, besides those that are pinned.
struct CheckpointRetention
{
    int newest = 5; ///< at least 1
    int best = 0;   ///< those with the highest score, however old
};

/// The checkpoints of a run that is being written. One per folder at a time (the run folder's lock
/// sees to that). Not thread-safe.
class CheckpointFolder
{
public:
    /// Makes the folder if need be and removes temporary files that an earlier, killed run left.
    /// Error(BadInput) for a retention out of range, Error(Io) naming the folder.
    CheckpointFolder(std::filesystem::path folder, const CheckpointRetention& retention);

    /// Writes a checkpoint, then deletes those that are not to be kept: never before the new one is
    /// safely on disk, and never the new one. On Error(Io), say of a full disk, the older ones are
    /// untouched. Returns the file.
    std::filesystem::path save(const Checkpoint& checkpoint);

    /// Writes a checkpoint and deletes none.
    [[nodiscard]] std::filesystem::path add(const Checkpoint& checkpoint) const;

    /// Says how good the state after `step` updates is: more is better; what is not a number is
    /// never kept for it. Returns whether it is one of the best so far.
    bool rate(std::int64_t step, double score);

    /// Writes a checkpoint, reads it back, compares it bit for bit and removes it. Returns its
    /// size. Error(Io) or Error(Data) says what this folder can't do.
    [[nodiscard]] std::uintmax_t probe(const Checkpoint& checkpoint) const;

    /// Moves the checkpoints that `isLeft` chooses into a folder `abandoned-<n>` of their own,
    /// where they are neither counted nor deleted: for a run that goes on from another one. Returns
    /// that folder, empty if there was nothing to move.
    std::optional<std::filesystem::path> setAside(
        const std::function<bool(const CheckpointFile&)>& isLeft);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_folder; }

private:
    void removeLeftovers() const;
    void removeSuperseded(const std::filesystem::path& justWritten) const;
    [[nodiscard]] std::set<std::int64_t> bestOf(const std::vector<CheckpointFile>& files) const;

    std::filesystem::path m_folder;
    CheckpointRetention m_retention;
    std::map<std::int64_t, double> m_scores; ///< by step
};

} // namespace lockstep
