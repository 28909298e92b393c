// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/control/control_socket.h"
#include "session/control/run_remote.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

namespace lockstep {

/// What a run does for those who attach to it. Called on a thread of the server; an exception's
/// text goes back to the one who asked.
struct ControlHandlers
{
    std::function<RunStatus()> status;
    std::function<void()> pause;
    std::function<void()> resume;
    std::function<void()> stepOnce;
    std::function<void()> stop;
    std::function<void()> saveCheckpoint;
    std::function<void()> evaluate;
    std::function<void(double rate)> setLearningRate;
    std::function<void(std::int64_t steps)> setSteps;
    std::function<void(bool isWanted)> stopAfterEpoch;
};

/// Lets other processes of the same user pause, save and stop the run in a folder, while this
/// object lives. A connection carries one line, a command (status, pause, resume, step, stop, save,
/// evaluate, learning-rate RATE, steps NUMBER, stop-epoch [off]), and one line back, a JSON object:
/// `{"state": "running", "step": 12, "steps": 1000, "process": 4711, "stop_step": null}`, or
/// `{"error": "…", "is_bad_input": true}`. Anybody else is refused.
class ControlServer
{
public:
    /// The run must be locked by this process. Error(Io) if no socket can be made;
    /// std::system_error if no thread is to be had.
    ControlServer(const std::filesystem::path& runFolder, ControlHandlers handlers);
    /// Takes the socket away.
    ~ControlServer();
    ControlServer(const ControlServer&) = delete;
    ControlServer& operator=(const ControlServer&) = delete;

private:
    void work();
    void serve(const Descriptor& connection) const;
    [[nodiscard]] std::string answer(const std::string& line) const;
    bool obey(const std::string& command, const std::string& value) const;

    ControlHandlers m_handlers;
    ControlListener m_listener;
    Descriptor m_stopReader;
    Descriptor m_stopWriter;
    std::thread m_thread;
};

} // namespace lockstep
