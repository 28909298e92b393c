// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/control/control_socket.h"
#include "session/remote/remote_machine.h"

#include <sys/types.h>

#include <optional>
#include <string>

namespace lockstep {

/// ssh, as it runs lockstep-train on another machine: a child with a socket for its input and
/// output. One thread, but for hangUp().
class SshProcess
{
public:
    /// Error(Io) names the program if it can't be started.
    explicit SshProcess(const RemoteMachineSettings& settings);
    /// Ends it, and what it has started.
    ~SshProcess();
    SshProcess(const SshProcess&) = delete;
    SshProcess& operator=(const SshProcess&) = delete;

    [[nodiscard]] int stream() const noexcept { return m_stream.get(); }
    /// Ends what is read from the stream. Any thread.
    void hangUp() const;
    /// Waits until it has ended; its exit status, -1 if a signal ended it.
    int end();
    /// What it has said on standard error, the last of it.
    [[nodiscard]] std::string messages() const;

private:
    Descriptor m_stream;
    Descriptor m_messages;
    pid_t m_process = -1;
    int m_status = -1;
};

/// Why there is no connection, and whether trying again is of no use.
struct ConnectionFailure
{
    std::string reason; ///< one sentence
    bool isFinal = false;
};

/// What an ended ssh means. `printed` is what came instead of frames.
ConnectionFailure explainEnd(
    const RemoteMachineSettings& settings, int exitStatus, const std::string& messages,
    const std::string& printed);

} // namespace lockstep
