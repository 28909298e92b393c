// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/checkpoint.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// A file of a checkpoint folder, `step-000001000.safetensors`. Nothing is said of its content.
struct CheckpointFile
{
    std::int64_t step = 0;
    std::filesystem::path path;
};

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

/// The checkpoints of a run that is being written. One per folder at a time (the run folder's lock
/// sees to that). Not thread-safe.
class CheckpointFolder
{
public:
    /// Makes the folder if need be and removes temporary files that an earlier, killed run left.
    /// Keeps the newest `keep` checkpoints; Error(BadInput) if keep < 1, Error(Io) naming the
    /// folder.
    CheckpointFolder(std::filesystem::path folder, int keep);

    /// Writes a checkpoint, then deletes the oldest ones beyond `keep`: never before the new one is
    /// safely on disk, and never the new one. On Error(Io), say of a full disk, the older ones are
    /// untouched. Returns the file.
    std::filesystem::path save(const Checkpoint& checkpoint);

    /// Moves the checkpoints after `step` into a folder `abandoned-<n>` of their own, where they
    /// are neither counted nor deleted: for a run that goes on from an earlier checkpoint. Returns
    /// that folder, empty if there was nothing to move.
    std::optional<std::filesystem::path> setAsideAfter(std::int64_t step);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_folder; }

private:
    void removeLeftovers() const;
    void removeOldest(const std::filesystem::path& justWritten) const;

    std::filesystem::path m_folder;
    std::size_t m_keep;
};

} // namespace lockstep
