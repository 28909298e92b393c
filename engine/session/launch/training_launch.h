// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/control/control_socket.h"
#include "session/run/training_run.h"

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace lockstep {

/// lockstep-train beside this program, which it may be itself.
std::filesystem::path trainingProgram();

/// Starts a training as a process of its own: without a terminal, in a session of its own and with
/// none of the streams and files of this process, so that it goes on however this one ends. Once
/// its run is up it is one like any other: its folder is locked, RunStoreReader reads it, RunRemote
/// commands it. Its messages are added to RUN/messages.log. One thread; nothing but poll() waits.
class TrainingLaunch
{
public:
    /// Relative paths of the request are those of this process. Error(Io) names the program if it
    /// can't be started.
    explicit TrainingLaunch(
        const RunRequest& request, const std::filesystem::path& program = trainingProgram());
    /// Leaves the training alone, up or not.
    ~TrainingLaunch();
    TrainingLaunch(const TrainingLaunch&) = delete;
    TrainingLaunch& operator=(const TrainingLaunch&) = delete;

    /// The folder of the run once it is up, which means that its data are open, its memory is
    /// there, its folder is locked and its control socket answers; empty if it is not within this
    /// time. Throws the training's own error if it can't begin, Error(Internal) with its last words
    /// if it died; then it left no folder, and nothing more can be asked.
    std::optional<std::filesystem::path> poll(std::chrono::milliseconds patience = {});
    /// Readable when poll() has an answer.
    [[nodiscard]] int descriptor() const noexcept { return m_answers.get(); }
    /// The training is not wanted any more: poll() throws Error(Cancelled) soon; or it was up just
    /// then, and stops and saves.
    void cancel();

private:
    void readAnswer();
    [[nodiscard]] std::string lastWords() const;
    void reap(int options);

    Descriptor m_answers;
    Descriptor m_messages; ///< what it says on standard error until it is up
    pid_t m_starter = 0;   ///< leads the group of the training's process; 0: seen off
    pid_t m_group = 0;
    bool m_isCancelled = false;
    std::string m_line;
    std::optional<std::filesystem::path> m_folder;
};

/// Starts it and waits until it is up, however long its data take. Errors as of TrainingLaunch.
std::filesystem::path launchTraining(const RunRequest& request);

} // namespace lockstep
