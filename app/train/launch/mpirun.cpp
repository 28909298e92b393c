// SPDX-License-Identifier: Apache-2.0
#include "launch/mpirun.h"

#include "engine/base.h"
#include "interrupt.h"
#include "launch/launcher_line.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace lockstep::train {
namespace {

constexpr int kLookEveryMilliseconds = 50;
/// For mpirun to end once a rank is lost: it may wait for a machine that is gone.
constexpr double kMostSecondsAfterLoss = 10.0;

/// A process whose notes are read.
class Child
{
public:
    explicit Child(const std::vector<std::string>& arguments)
    {
        std::array<int, 2> pipe{};
        if (pipe2(pipe.data(), O_CLOEXEC) != 0) {
            fail(ErrorCode::Io, "there is no pipe for {}{}", arguments.front(), errnoText());
        }
        m_notes = pipe[0];
        const int failure = spawn(arguments, pipe[1]);
        close(pipe[1]);
        if (failure != 0) {
            close(m_notes);
            fail(
                ErrorCode::BadInput,
                "{} can't be started ({}): install Open MPI (openmpi-bin), or name its mpirun "
                "with --mpirun",
                arguments.front(), std::strerror(failure)); // NOLINT(concurrency-mt-unsafe)
        }
    }
    ~Child() { close(m_notes); }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    void signal(int number) const { kill(m_process, number); }
    /// Ends it at once, and what it started here to reach others.
    void end() const { kill(-m_process, SIGKILL); }
    /// Appends what it wrote, within a moment; false once it has closed its end.
    bool read(std::string& text) const
    {
        pollfd wait{m_notes, POLLIN, 0};
        if (poll(&wait, 1, kLookEveryMilliseconds) <= 0) {
            return true;
        }
        std::array<char, 4096> piece{};
        const ssize_t count = ::read(m_notes, piece.data(), piece.size());
        text.append(piece.data(), static_cast<std::size_t>(count < 0 ? 0 : count));
        return count != 0;
    }
    [[nodiscard]] int finish() const
    {
        int status = 0;
        while (waitpid(m_process, &status, 0) < 0 && errno == EINTR) {
        }
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

private:
    /// In a group of its own: a terminal's Ctrl-C is ours to pass on. So it can't read the
    /// terminal.
    int spawn(const std::vector<std::string>& arguments, int notes)
    {
        std::vector<char*> words;
        words.reserve(arguments.size() + 1);
        for (const std::string& argument : arguments) {
            words.push_back(const_cast<char*>(argument.c_str()));
        }
        words.push_back(nullptr);
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&files, notes, STDERR_FILENO);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        const int failure =
            posix_spawnp(&m_process, words.front(), &files, &attributes, words.data(), environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&files);
        return failure;
    }

    int m_notes = -1;
    pid_t m_process = -1;
};

/// Whole lines, so that ours are found.
void passOn(std::string& text, MpirunEnd& end, bool isLast)
{
    if (const auto rank = takeLostRank(text)) {
        end.lostRank = rank;
    }
    const std::size_t count = isLast ? text.size() : text.rfind('\n') + 1; // npos + 1: none
    std::fwrite(text.data(), 1, count, stderr);
    std::fflush(stderr);
    text.erase(0, count);
}

} // namespace

MpirunEnd runMpirun(const std::vector<std::string>& arguments)
{
    MpirunEnd end;
    const Child child(arguments);
    std::string text;
    Stopwatch sinceLoss;
    int passed = interrupts();
    for (bool isOpen = true; isOpen;) {
        isOpen = child.read(text);
        passOn(text, end, !isOpen);
        if (!end.lostRank) {
            sinceLoss.restart();
        } else if (sinceLoss.seconds() > kMostSecondsAfterLoss) {
            child.end();
        }
        for (; passed < interrupts(); ++passed) {
            child.signal(passed == 0 ? SIGUSR1 : SIGTERM);
        }
    }
    end.status = child.finish();
    return end;
}

} // namespace lockstep::train
