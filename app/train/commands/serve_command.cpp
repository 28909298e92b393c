// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "engine/base.h"
#include "engine/machines.h"

#include <unistd.h>

#include <csignal>
#include <string>

namespace lockstep::train {
namespace {

constexpr const char* kServeDescription =
    "Shows the runs of this machine to a window on another one, over ssh";

constexpr const char* kServeExamples = R"(Examples:
  lockstep-train serve --stdio ~/runs

The window starts this by itself, by its own machine's ssh: File, Connect…, or there
  lockstep ssh://user@host/folder/of/runs
Nothing listens on a port; it ends with the connection, while trainings go on. Whoever may log in can see, steer
and start runs, as with the other commands.)";

struct ServeOptions
{
    explicit ServeOptions(Command& program)
    {
        program.option(
            "RUNS", runs, "",
            "Folder of runs, or a run; default $XDG_DATA_HOME/lockstep/runs. ~/… is in the home "
            "folder");
        program.flag(
            "--stdio", isStdio, "Frames on standard input and output, for a program to read");
    }

    std::string runs;
    bool isStdio = false;
};

int serve(const ServeOptions& options)
{
    if (!options.isStdio) {
        fail(
            ErrorCode::BadInput,
            "serve is started by a window on another machine (lockstep ssh://host/folder), not by "
            "hand; it needs --stdio");
    }
    std::signal(SIGHUP, SIG_DFL);
    return serveRuns(options.runs, STDIN_FILENO, STDOUT_FILENO) ? 0 : 1;
}

} // namespace

void addServeCommand(CommandLine& program)
{
    program.add("serve", kServeDescription, kServeExamples, serve);
}

} // namespace lockstep::train
