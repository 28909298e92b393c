// SPDX-License-Identifier: Apache-2.0
#include "session/remote/ssh_process.h"

#include "base/clock.h"
#include "base/error.h"

#include <fmt/core.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

constexpr std::size_t kMostMessages = 16384;
constexpr double kPatienceSeconds = 2.0;
constexpr int kLookMilliseconds = 10;
// What a shell says by its exit status of a program that it does not find, or can't start.
constexpr int kNotFound = 127;
constexpr int kNotExecutable = 126;

/// In single quotes, for a shell.
std::string quoted(const std::string& text)
{
    std::string quoted = "'";
    for (const char c : text) {
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    }
    quoted += '\'';
    return quoted;
}

std::vector<std::string> commandOf(const RemoteMachineSettings& settings)
{
    const RemoteAddress& address = settings.address;
    std::vector<std::string> words = settings.ssh;
    // No terminal, no question that nobody could answer, and a dead line is noticed.
    for (const char* option :
         {"-T", "-oBatchMode=yes", "-oConnectTimeout=20", "-oServerAliveInterval=10",
          "-oServerAliveCountMax=3"}) {
        words.emplace_back(option);
    }
    if (address.port != 0) {
        words.insert(words.end(), {"-p", std::to_string(address.port)});
    }
    if (!address.user.empty()) {
        words.insert(words.end(), {"-l", address.user});
    }
    words.push_back(address.host);
    const std::string path = address.path.empty() ? "" : quoted(address.path);
    words.push_back(
        fmt::format("exec {} serve --stdio{}{}", settings.program, path.empty() ? "" : " ", path));
    return words;
}

bool holds(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

/// The last line that says something.
std::string lastLine(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) {
        text.pop_back();
    }
    const std::size_t end = text.find_last_of("\r\n");
    text = end == std::string::npos ? text : text.substr(end + 1);
    std::erase_if(text, [](unsigned char c) { return c < ' '; });
    return text;
}

} // namespace

SshProcess::SshProcess(const RemoteMachineSettings& settings)
{
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        fail(ErrorCode::Io, "no connection to ssh can be made{}", errnoText());
    }
    m_stream = Descriptor(ends[0]);
    const Descriptor theirs(ends[1]);
    m_messages = Descriptor(::memfd_create("ssh", MFD_CLOEXEC));

    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_adddup2(&files, theirs.get(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&files, theirs.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&files, m_messages.get(), STDERR_FILENO);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    // A group of its own: what a terminal sends to this program is not meant for it.
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    std::vector<std::string> words = commandOf(settings);
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    const int error = ::posix_spawnp(
        &m_process, arguments.front(), &files, &attributes, arguments.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    if (error != 0) {
        m_process = -1;
        errno = error;
        fail(
            ErrorCode::Io, "{}: can't be started{}; install an SSH client", words.front(),
            errnoText());
    }
}

SshProcess::~SshProcess()
{
    m_stream = Descriptor();
    if (m_process > 0) {
        ::kill(-m_process, SIGTERM);
        end();
    }
}

void SshProcess::hangUp() const
{
    ::shutdown(m_stream.get(), SHUT_RDWR);
}

int SshProcess::end()
{
    const Stopwatch watch;
    while (m_process > 0) {
        int status = 0;
        const bool isLate = watch.seconds() > kPatienceSeconds;
        if (isLate) {
            ::kill(-m_process, SIGKILL);
        }
        const pid_t ended = ::waitpid(m_process, &status, isLate ? 0 : WNOHANG);
        if (ended != 0) {
            m_status = ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
            m_process = -1;
        } else {
            ::poll(nullptr, 0, kLookMilliseconds);
        }
    }
    return m_status;
}

std::string SshProcess::messages() const
{
    const off_t size = ::lseek(m_messages.get(), 0, SEEK_END);
    std::string text(std::min<std::size_t>(kMostMessages, static_cast<std::size_t>(size)), '\0');
    const ssize_t count =
        ::pread(m_messages.get(), text.data(), text.size(), size - static_cast<off_t>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    return text;
}

ConnectionFailure explainEnd(
    const RemoteMachineSettings& settings, int exitStatus, const std::string& messages,
    const std::string& printed)
{
    const std::string& host = settings.address.host;
    const std::string machine = settings.address.machine();
    if (exitStatus == kNotFound || exitStatus == kNotExecutable
        || holds(messages, "ommand not found")) {
        return {
            fmt::format(
                "{}: the shell there does not find {}; install it there, or name its path there",
                machine, settings.program),
            true};
    }
    if (holds(messages, "Could not resolve hostname")) {
        return {
            fmt::format(
                "{}: no machine of this name is known; check the name, or give it a Host "
                "entry in ~/.ssh/config",
                host),
            false};
    }
    if (holds(messages, "IDENTIFICATION HAS CHANGED")) {
        return {
            fmt::format(
                "{}: it is not the machine that it was: its host key has changed; if that is "
                "meant to be, remove the old one with: ssh-keygen -R '{}'",
                machine, host),
            true};
    }
    if (holds(messages, "Host key verification failed")) {
        return {
            fmt::format(
                "{}: its host key is not known yet; connect once in a terminal, with ssh {}, "
                "and accept it",
                machine, host),
            true};
    }
    if (holds(messages, "Permission denied")) {
        return {
            fmt::format(
                "{}: it accepts none of your keys (and passwords are not asked for); put one "
                "there with ssh-copy-id, or start the ssh-agent that holds it",
                machine),
            true};
    }
    if (holds(messages, "Connection refused")) {
        return {
            fmt::format(
                "{}: it refuses the connection: check the port, and that an SSH server runs "
                "there",
                machine),
            false};
    }
    if (holds(messages, "unknown command 'serve'")) {
        return {
            fmt::format(
                "{}: {} there is of an older version, which can't serve; install the same version "
                "on both machines",
                machine, settings.program),
            true};
    }
    const std::string said = lastLine(messages.empty() ? printed : messages);
    return {
        said.empty() ? fmt::format("{}: the line was cut", machine)
                     : fmt::format("{}: the line was cut: {}", machine, said),
        false};
}

} // namespace lockstep
