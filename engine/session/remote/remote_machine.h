// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/remote/remote_address.h"
#include "session/remote/remote_values.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace lockstep {

class MachineLine;

/// How a machine is reached.
struct RemoteMachineSettings
{
    RemoteAddress address;
    /// The user's own ssh, with options before those that it is given here.
    std::vector<std::string> ssh = {"ssh"};
    /// What the shell there finds the program by; a path where PATH lacks it.
    std::string program = "lockstep-train";
    /// Folder for mirrors of runs, see RemoteMachine; empty: defaultRemoteCache().
    std::filesystem::path cache = {};
};

/// `$XDG_CACHE_HOME/lockstep/remote`, or `~/.cache/lockstep/remote`. Error(BadInput) without a
/// home.
std::filesystem::path defaultRemoteCache();

/// How the connection stands.
struct RemoteState
{
    enum class Kind {
        Connecting, ///< for the first time
        Connected,
        Lost,    ///< tries again by itself, with growing pauses
        Refused, ///< and trying again would not help: the last word
    };
    Kind kind = Kind::Connecting;
    /// Of Lost and Refused: why, and what to do, one sentence.
    std::string reason;
    /// Of Lost: seconds until the next attempt began or begins.
    double retrySeconds = 0.0;
    /// Where the address names a run and not a folder of runs: that run. Known from Connected on.
    std::string run;
};

/// What happens on a machine. Called on the machine's own thread, which waits: be quick, and ask
/// nothing of the machine. Each may be empty.
struct RemoteListener
{
    std::function<void(const RemoteState& state)> onState;
    /// All runs, whenever something about one has changed; the one written to last comes first.
    std::function<void(const std::vector<RemoteRun>& runs)> onRuns;
    /// Rows were added to the mirror of a run that is followed.
    std::function<void(const std::string& run)> onGrown;
    /// The mirror of a run that is followed is complete: it has all that was there when this was
    /// last said of it to begin.
    std::function<void(const std::string& run)> onCaughtUp;
};

/// The runs on another machine, by way of `lockstep-train serve --stdio` that the user's own ssh
/// starts there: with their keys, their configuration, their jump hosts, and no password. Nothing
/// listens on a port. Reconnects by itself and goes on where the mirrors end.
///
/// Each run that is there has a run folder here, its *mirror*: run.toml at once; once the run is
/// followed also run.db, row for row that of the run, a moment later. Whoever reads run folders
/// reads mirrors. While the run is trained there, this process holds the mirror's run lock and
/// listens at its control socket, and passes every line to the process that trains: RunRemote on
/// the mirror reaches it. While the line is down such a line is answered with an error that says
/// so. Checkpoints and event files come on demand, see fetch(). A second program that connects to
/// the same place gets mirrors of its own.
///
/// Thread-safe. What asks the machine waits for its answer: not on a thread that must not wait.
/// Such a call throws Error(Io) while the machine is not connected, or if the line is lost
/// meanwhile, and else the error that happened there, with its code; Error(Cancelled) once stop()
/// was called.
class RemoteMachine
{
public:
    /// Starts to connect, and returns at once. Error(Io) if the mirrors' folder can't be made.
    RemoteMachine(RemoteMachineSettings settings, RemoteListener listener);
    /// Ends ssh; what is trained there goes on.
    ~RemoteMachine();
    RemoteMachine(const RemoteMachine&) = delete;
    RemoteMachine& operator=(const RemoteMachine&) = delete;

    [[nodiscard]] const RemoteAddress& address() const noexcept;
    [[nodiscard]] RemoteState state() const;
    [[nodiscard]] std::vector<RemoteRun> runs() const;
    /// Tries now, if it is lost or refused, instead of after the pause.
    void reconnect();
    /// Lets every call that waits return, and connects no more: before the end, from any thread.
    void stop();

    /// The folder that holds the mirrors.
    [[nodiscard]] const std::filesystem::path& mirrors() const noexcept;
    /// The mirror of a run. It is there once the run was listed.
    [[nodiscard]] std::filesystem::path mirrorOf(const std::string& run) const;
    /// The run whose mirror this is; empty: none of this machine.
    [[nodiscard]] std::string runOf(const std::filesystem::path& mirror) const;
    /// Keeps the mirror's run.db up to date from now on, over all reconnections; also of a run that
    /// is listed only later.
    void follow(const std::string& run);

    /// Takes up to some seconds the first time: GPUs are woken.
    [[nodiscard]] RemoteFacts facts();
    /// By ascending step.
    [[nodiscard]] std::vector<RemoteCheckpoint> checkpoints(const std::string& run);
    /// Names of the files for TensorBoard within the run's folder, "events/…".
    [[nodiscard]] std::vector<std::string> eventFiles(const std::string& run);
    /// Told bytes that are here and bytes in all; false: enough, Error(Cancelled).
    using Progress = std::function<bool(std::int64_t bytes, std::int64_t total)>;
    /// Brings a file of a run, named within its folder, to the same place in the mirror, and
    /// returns that. Goes on where an earlier call was cut off. One that is here whole is not
    /// fetched again, unless it has grown there: then only its new end is.
    std::filesystem::path fetch(
        const std::string& run, const std::string& file, const Progress& progress = {});
    /// Starts a training there, in a process of its own that outlives the connection, and waits
    /// until it trains. Returns the run's name. The training's own error, where it can't begin.
    std::string start(const RemoteStart& wanted);
    /// One image and what the network makes of it, computed there. The network stays open there for
    /// the next image of the same checkpoint.
    [[nodiscard]] RemotePredicted predict(const RemotePrediction& wanted);
    /// An example of the data set of a configuration (TOML; its paths are paths there).
    [[nodiscard]] RemoteExample example(
        const std::string& configuration, Split split, std::int64_t index);

private:
    std::unique_ptr<MachineLine> m_line;
    std::mutex m_fetching; ///< a file at a time
};

} // namespace lockstep
