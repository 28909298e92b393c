// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/mirror/store_mirror.h"
#include "session/remote/control_relay.h"
#include "session/remote/remote_address.h"
#include "session/remote/remote_values.h"
#include "storage/store/run_lock.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace lockstep {

/// The mirrors of the runs in one place of another machine, in a folder of their own that no other
/// process writes. One thread, but for what is const.
class MirrorSet
{
public:
    /// What the process that trains a run answers to a line; called on threads of the relays.
    using Pass = std::function<std::string(const std::string& run, const std::string& line)>;

    /// Error(Io) if the folder can't be made.
    MirrorSet(const std::filesystem::path& cache, const RemoteAddress& address, Pass pass);

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return m_folder; }
    [[nodiscard]] std::filesystem::path mirrorOf(const std::string& run) const
    {
        return m_folder / run;
    }
    /// Makes the mirror's run.toml and title, or brings them up to date.
    void describe(const RemoteRun& run) const;
    /// Opens the mirror's store; what it has, for the other end.
    Frame follow(const std::string& run);
    [[nodiscard]] bool isFollowed(const std::string& run) const { return m_stores.contains(run); }
    /// A page of rows of a run that is followed; of others nothing happens.
    void apply(const std::string& run, const Frame& page);
    /// Whether a process trains the run that is followed: the mirror is locked and listens, or not.
    void setTrained(const std::string& run, bool isTrained);

private:
    std::filesystem::path m_folder;
    std::optional<RunLock> m_lock;
    Pass m_pass;
    std::map<std::string, StoreMirror> m_stores;
    std::map<std::string, ControlRelay> m_relays;
};

} // namespace lockstep
