// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/control/control_server.h"
#include "storage/store/run_lock.h"

#include <filesystem>
#include <utility>

namespace lockstep {

/// Stands in a mirror for the process that trains its run elsewhere: holds the lock, so that the
/// mirror is a run that is being trained, and answers at the control socket with what `pass` gives
/// back for a line.
class ControlRelay
{
public:
    /// Errors of RunLock and ControlServer.
    ControlRelay(const std::filesystem::path& mirror, ControlServer::Answer pass)
        : m_lock(mirror), m_server(mirror, std::move(pass))
    {
    }

private:
    RunLock m_lock;
    ControlServer m_server;
};

} // namespace lockstep
