// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/store/run_lock.h"

#include <filesystem>
#include <string>

namespace lockstep {

/// A run on disk: run.toml (its configuration), run.db (RunStore), checkpoints/ (CheckpointFolder),
/// events/ (EventRecorder).
/// An object of this class is the right to write it, held until its end; reading needs none, only
/// the paths. Nothing that is there is ever deleted or overwritten.
class RunFolder
{
public:
    /// Makes a new run. `folder` may exist if it is empty. Error(BadInput) if a run or anything
    /// else is there, Error(Io) naming the folder if it can't be written.
    static RunFolder create(const std::filesystem::path& folder, const std::string& configuration);

    /// Makes a new run at `<date>-<model>` in defaultRunsFolder(), with -2, -3, … behind it where
    /// that is taken. Errors as create().
    static RunFolder createDefault(const std::string& model, const std::string& configuration);

    /// Opens a run to go on with it and removes temporary files of an earlier process.
    /// Error(BadInput) if there is no run, or if another process is writing it (names it).
    static RunFolder resume(const std::filesystem::path& folder);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_path; }
    [[nodiscard]] std::filesystem::path storeFile() const { return storeFileOf(m_path); }
    [[nodiscard]] std::filesystem::path checkpoints() const { return checkpointsOf(m_path); }
    /// Text of run.toml. Error(Io) if it can't be read.
    [[nodiscard]] std::string configuration() const { return configurationOf(m_path); }

    /// Makes a run in a folder with other things, or makes one anew that can be made again: what
    /// its store held goes. Error(BadInput) if another process is writing it.
    static RunFolder remake(const std::filesystem::path& folder, const std::string& configuration);

    /// Replaces run.toml: a resumed run may go on with other settings.
    void saveConfiguration(const std::string& configuration) const;

    /// Takes back a run that was made just now and can't be begun. What is not of a new run stays.
    void discard() const;

    /// Whether create() would make a run there: its Error(BadInput).
    static void checkFree(const std::filesystem::path& folder);

    // Paths and contents for readers, who hold no lock.
    static bool isRun(const std::filesystem::path& folder);
    static std::filesystem::path configurationFileOf(const std::filesystem::path& folder);
    static std::filesystem::path storeFileOf(const std::filesystem::path& folder);
    /// What a person calls it; there only where somebody does.
    static std::filesystem::path titleFileOf(const std::filesystem::path& folder);
    static std::filesystem::path checkpointsOf(const std::filesystem::path& folder);
    static std::filesystem::path eventsOf(const std::filesystem::path& folder);
    /// Of a network that a program gave as text (engine/api): may be there before the run is.
    static std::filesystem::path modelFileOf(const std::filesystem::path& folder);
    static std::string configurationOf(const std::filesystem::path& folder);

    /// `$XDG_DATA_HOME/lockstep/runs`, or `~/.local/share/lockstep/runs` where that is not set.
    /// Error(BadInput) if there is no home folder either.
    static std::filesystem::path defaultRunsFolder();

private:
    RunFolder(std::filesystem::path path, RunLock lock);
    static RunFolder fill(const std::filesystem::path& folder, const std::string& configuration);
    void removeStore() const;

    std::filesystem::path m_path;
    RunLock m_lock;
};

} // namespace lockstep
