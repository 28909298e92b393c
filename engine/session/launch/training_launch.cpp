// SPDX-License-Identifier: Apache-2.0
#include "session/launch/training_launch.h"

#include "base/error.h"
#include "base/text_bytes.h"
#include "base/this_program.h"
#include "session/launch/launched_training.h"
#include "session/launch/run_request_text.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

constexpr const char* kProgram = "lockstep-train";
constexpr std::string_view kSpeaker = "lockstep-train: ";

/// A file that nobody else can open and that goes with the last process that has it.
Descriptor namelessFile(const char* name)
{
    Descriptor file(::memfd_create(name, MFD_CLOEXEC));
    if (!file.isOpen()) {
        fail(ErrorCode::Io, "no training can be started: no memory for its request{}", errnoText());
    }
    return file;
}

Descriptor fileOf(const std::string& text)
{
    Descriptor file = namelessFile("lockstep-request");
    const ssize_t written = ::pwrite(file.get(), text.data(), text.size(), 0);
    if (written != static_cast<ssize_t>(text.size())) {
        fail(ErrorCode::Io, "no training can be started: no memory for its request{}", errnoText());
    }
    return file;
}

/// How a process is started: its streams, no other file of ours, our signals forgotten.
class SpawnSettings
{
public:
    SpawnSettings(int in, int messages, int answers)
    {
        ::posix_spawn_file_actions_init(&m_files);
        ::posix_spawn_file_actions_adddup2(&m_files, in, STDIN_FILENO);
        ::posix_spawn_file_actions_adddup2(&m_files, messages, STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(&m_files, messages, STDERR_FILENO);
        ::posix_spawn_file_actions_adddup2(&m_files, answers, kLaunchAnswers);
        ::posix_spawn_file_actions_addclosefrom_np(&m_files, kLaunchAnswers + 1);
        ::posix_spawnattr_init(&m_attributes);
        sigset_t signals;
        sigemptyset(&signals);
        ::posix_spawnattr_setsigmask(&m_attributes, &signals);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
            sigaddset(&signals, signal);
        }
        ::posix_spawnattr_setsigdefault(&m_attributes, &signals);
        ::posix_spawnattr_setflags(
            &m_attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    ~SpawnSettings()
    {
        ::posix_spawn_file_actions_destroy(&m_files);
        ::posix_spawnattr_destroy(&m_attributes);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;

    [[nodiscard]] pid_t start(const fs::path& program, std::vector<std::string> arguments) const
    {
        std::string file = program.string();
        std::vector<char*> words{file.data()};
        std::ranges::transform(
            arguments, std::back_inserter(words), [](std::string& word) { return word.data(); });
        words.push_back(nullptr);
        pid_t process = 0;
        const int error = ::posix_spawn(
            &process, program.c_str(), &m_files, &m_attributes, words.data(), ::environ);
        if (error != 0) {
            fail(
                ErrorCode::Io,
                "{}: the program that trains can't be started ({}); it belongs beside this one",
                file, std::generic_category().message(error));
        }
        return process;
    }

private:
    posix_spawn_file_actions_t m_files{};
    posix_spawnattr_t m_attributes{};
};

} // namespace

fs::path trainingProgram()
{
    std::error_code error;
    const fs::path folder = programFile().parent_path();
    const fs::path elsewhere = folder.parent_path() / "bin" / kProgram;
    return fs::exists(elsewhere, error) ? elsewhere : folder / kProgram;
}

TrainingLaunch::TrainingLaunch(const RunRequest& request, const fs::path& program)
    : m_messages(namelessFile("lockstep-messages"))
{
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        fail(ErrorCode::Io, "no training can be started: no pipe for its answer{}", errnoText());
    }
    m_answers = Descriptor(ends[0]);
    const Descriptor writer(ends[1]);
    ::fcntl(m_answers.get(), F_SETFL, O_NONBLOCK);
    const Descriptor text = fileOf(toText(request));
    const SpawnSettings settings(text.get(), m_messages.get(), writer.get());
    m_starter = settings.start(program, {"train", "--launched"});
    m_group = m_starter;
}

/// The one that starts the training ends within moments of its own start.
TrainingLaunch::~TrainingLaunch()
{
    reap(0);
}

void TrainingLaunch::reap(int options)
{
    if (m_starter > 0 && ::waitpid(m_starter, nullptr, options) != 0) {
        m_starter = 0;
    }
}

void TrainingLaunch::cancel()
{
    m_isCancelled = true;
    if (!m_folder) {
        ::kill(-m_group, SIGTERM);
    }
}

std::optional<fs::path> TrainingLaunch::poll(std::chrono::milliseconds patience)
{
    reap(WNOHANG);
    pollfd wanted{m_answers.get(), POLLIN, 0};
    if (!m_folder && ::poll(&wanted, 1, static_cast<int>(patience.count())) > 0) {
        readAnswer();
    }
    return m_folder;
}

void TrainingLaunch::readAnswer()
{
    std::array<char, 4096> part{};
    ssize_t count = 0;
    while ((count = ::read(m_answers.get(), part.data(), part.size())) > 0) {
        m_line.append(part.data(), static_cast<std::size_t>(count));
    }
    const bool isOver = count == 0;
    if (m_line.ends_with('\n')) {
        const nlohmann::json json = nlohmann::json::parse(m_line);
        if (const auto run = json.find("run"); run != json.end()) {
            m_folder = fromUtf8(run->get<std::string>());
            return;
        }
        throw Error(json.at("code").get<ErrorCode>(), json.at("error").get<std::string>());
    }
    if (isOver && m_isCancelled) {
        fail(ErrorCode::Cancelled, "the training was cancelled before it began");
    }
    if (isOver) {
        fail(
            ErrorCode::Internal, "the training's process ended before its run was up: {}",
            lastWords());
    }
}

std::string TrainingLaunch::lastWords() const
{
    std::array<char, 4096> end{};
    const off_t size = ::lseek(m_messages.get(), 0, SEEK_END);
    const ssize_t count = ::pread(
        m_messages.get(), end.data(), end.size(),
        std::max<off_t>(0, size - static_cast<off_t>(end.size())));
    std::string text(end.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    text.erase(text.find_last_not_of('\n') + 1);
    text.erase(0, text.find_last_of('\n') + 1);
    if (text.starts_with(kSpeaker)) {
        text.erase(0, kSpeaker.size());
    }
    return text.empty() ? "it said nothing; perhaps the memory was not enough" : text;
}

fs::path launchTraining(const RunRequest& request)
{
    constexpr std::chrono::milliseconds kPatience{1000};
    TrainingLaunch launch(request);
    while (true) {
        if (const std::optional<fs::path> folder = launch.poll(kPatience)) {
            return *folder;
        }
    }
}

} // namespace lockstep
