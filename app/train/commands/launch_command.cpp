// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "console.h"
#include "engine/base.h"
#include "engine/storage.h"
#include "interrupt.h"
#include "launch/launch_hosts.h"
#include "launch/launcher_line.h"
#include "launch/mpirun.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace lockstep::train {
namespace {

constexpr const char* kLaunchDescription =
    "Starts a training on several ranks, on one machine or many, with Open MPI's mpirun";

constexpr const char* kLaunchExamples = R"(Examples:
  lockstep-train launch -n 2 -- train --towers 8 --run runs/a
  lockstep-train launch --hosts node1,node2 -- train --towers 8 --device cuda --run /shared/runs/a
  lockstep-train launch --hostfile hosts --elastic -- train --towers 16 --run /shared/runs/a

The towers are spread over the ranks in order; a run has the same bits on any number of ranks. All
machines need this program and the data in the same places, and a way to log in without a password
(ssh). Each rank takes its share of its machine's processors.
Ctrl-C, SIGTERM or SIGUSR1 has the ranks save a checkpoint and end (exit status 1), however long that
takes; twice ends at once.
--elastic: when a rank is lost, the run goes on from its newest checkpoint with the ranks that are left:
without the lost one's host, or where there is but one host, with a rank less. The towers, and so the
global batch, stay the same. It gives up after 3 losses without a new checkpoint between them.)";

/// In a row, without a new checkpoint.
constexpr int kMostLosses = 3;

struct LaunchOptions
{
    explicit LaunchOptions(Command& command)
    {
        command.option("-n", ranks, "RANKS", "How many ranks; default: a rank for each slot")
            .isPositive();
        const Option file = command.option(
            "--hostfile", hostFile, "FILE", "The machines, a line each: NAME slots=RANKS");
        command.option("--hosts", hosts, "LIST", "The machines, as NAME:RANKS or NAME, with commas")
            .excludes(file);
        command.flag("--elastic", isElastic, "Goes on without ranks that are lost");
        command.option("--mpirun", mpirun, "PATH", "Open MPI's mpirun; default: that of $PATH");
        command.option("arguments", arguments, "-- train …", "What each rank runs").isRequired();
    }

    int ranks = 0;
    std::string hostFile;
    std::string hosts;
    bool isElastic = false;
    std::string mpirun = "mpirun";
    std::vector<std::string> arguments;
};

/// The value of an option among arguments; empty: it is not there.
std::string valueOf(const std::vector<std::string>& arguments, const std::string& name)
{
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == name && i + 1 < arguments.size()) {
            return arguments[i + 1];
        }
        if (arguments[i].starts_with(name + "=")) {
            return arguments[i].substr(name.size() + 1);
        }
    }
    return {};
}

/// When the configuration of a run was written; the least value: there is none.
std::filesystem::file_time_type configuredAt(const std::filesystem::path& run)
{
    std::error_code ignored; // gives the least value
    return std::filesystem::last_write_time(RunFolder::configurationFileOf(run), ignored);
}

/// The same training, going on from its newest checkpoint: by the configuration of the run, if it
/// has one since it was launched, which may have been changed meanwhile.
std::vector<std::string> resumed(
    const std::vector<std::string>& arguments, const std::string& note, bool isConfigured)
{
    std::vector<std::string> kept;
    if (isConfigured) {
        const std::string run = valueOf(arguments, "--run");
        kept = {"train", "--run", run, "--resume", "--note", note};
        if (std::ranges::find(arguments, "--json") != arguments.end()) {
            kept.emplace_back("--json");
        }
        return kept;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string name = arguments[i].substr(0, arguments[i].find('='));
        if (name != "--resume" && name != "--weights-from" && name != "--fresh-layer"
            && name != "--note") {
            kept.push_back(arguments[i]);
        } else if (
            name == arguments[i] && i + 1 < arguments.size()
            && !arguments[i + 1].starts_with('-')) {
            ++i;
        }
    }
    kept.insert(kept.end(), {"--resume", "--note", note});
    return kept;
}

std::vector<LaunchHost> hostsFor(const LaunchOptions& options)
{
    if (!options.hostFile.empty()) {
        return spreadRanks(hostsInFile(options.hostFile), options.ranks);
    }
    if (!options.hosts.empty()) {
        return spreadRanks(hostsOf(options.hosts), options.ranks);
    }
    if (options.ranks == 0) {
        fail(ErrorCode::BadInput, "say how many ranks (-n), or on which machines (--hosts)");
    }
    return {{"localhost", options.ranks}};
}

/// Ranks in the order of the hosts; each binds its threads itself.
std::vector<std::string> commandFor(
    const LaunchOptions& options, const std::vector<LaunchHost>& hosts,
    const std::vector<std::string>& arguments)
{
    std::string list;
    for (const LaunchHost& host : hosts) {
        list += fmt::format("{}{}:{}", list.empty() ? "" : ",", host.name, host.ranks);
    }
    std::vector<std::string> command{
        options.mpirun, "--quiet", "--host",
        list,           "-n",      std::to_string(ranksOf(hosts)),
        "--map-by",     "slot",    "--bind-to",
        "none",         "-x",      fmt::format("{}=1", kLauncherVariable)};
    if (geteuid() == 0) {
        command.emplace_back("--allow-run-as-root");
    }
    command.push_back(programFile().string());
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

/// -1: none.
std::int64_t newestCheckpoint(const std::filesystem::path& run)
{
    const auto files = listCheckpoints(RunFolder::checkpointsOf(run));
    return files.empty() ? -1 : files.back().step;
}

int launch(const LaunchOptions& options)
{
    if (options.arguments.front() != "train") {
        fail(
            ErrorCode::BadInput, "what is launched begins with train, not '{}'",
            options.arguments.front());
    }
    const std::filesystem::path run = valueOf(options.arguments, "--run");
    if (options.isElastic && run.empty()) {
        fail(ErrorCode::BadInput, "--elastic needs train --run DIR: it goes on with that run");
    }
    catchInterrupts(false);
    auto hosts = hostsFor(options);
    auto arguments = options.arguments;
    const auto configuredBefore = configuredAt(run);
    int losses = 0;
    for (std::int64_t newest = newestCheckpoint(run);;) {
        const MpirunEnd end = runMpirun(commandFor(options, hosts, arguments));
        if (!options.isElastic || !end.lostRank || isInterrupted()) {
            return end.status;
        }
        losses = newestCheckpoint(run) > newest ? 1 : losses + 1;
        newest = std::max(newest, newestCheckpoint(run));
        const std::string lost = takeAway(hosts, *end.lostRank);
        if (ranksOf(hosts) == 0 || losses >= kMostLosses) {
            writeError(fmt::format(
                "{} was lost: {}; go on with: lockstep-train train --run '{}' --resume", lost,
                ranksOf(hosts) == 0 ? "no rank is left"
                                    : "the run does not get on without losing ranks",
                run.string()));
            return 1;
        }
        const std::string note = fmt::format(
            "{} was lost: going on from the newest checkpoint with {} rank{}", lost, ranksOf(hosts),
            ranksOf(hosts) == 1 ? "" : "s");
        writeError(note);
        arguments = resumed(options.arguments, note, configuredAt(run) != configuredBefore);
    }
}

} // namespace

void addLaunchCommand(CommandLine& program)
{
    program.add("launch", kLaunchDescription, kLaunchExamples, launch);
}

} // namespace lockstep::train
