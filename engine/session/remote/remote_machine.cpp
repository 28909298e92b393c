// SPDX-License-Identifier: Apache-2.0
#include "session/remote/remote_machine.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/user_folder.h"
#include "session/control/control_socket.h"
#include "session/mirror/beginning_checksum.h"
#include "session/remote/machine_line.h"
#include "session/remote/mirror_set.h"
#include "session/remote/remote_frames.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// A part of a file takes about so long to come: then commands don't wait for it.
constexpr double kPartSeconds = 0.25;
constexpr std::int64_t kSmallestPart = 64 << 10;
constexpr std::int64_t kLargestPart = 4 << 20;

template<class Value>
Value valueIn(const Frame& answer)
{
    try {
        return answer.get<Value>();
    } catch (const nlohmann::json::exception&) {
        fail(ErrorCode::Data, "an answer that came over the line is damaged");
    }
}

std::int64_t sizeOf(const fs::path& file)
{
    std::error_code noFile;
    const auto size = fs::file_size(file, noFile);
    return noFile ? 0 : static_cast<std::int64_t>(size);
}

/// A file as its parts come.
class FetchedFile
{
public:
    explicit FetchedFile(fs::path path)
        : m_path(std::move(path)),
          m_file(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666))
    {
        check(m_file.isOpen());
    }

    void write(std::span<const std::uint8_t> bytes, std::int64_t at) const
    {
        check(::pwrite(m_file.get(), bytes.data(), bytes.size(), at) == std::ssize(bytes));
    }
    void finish(const fs::path& name) const
    {
        check(::fsync(m_file.get()) == 0);
        check(m_path == name || ::rename(m_path.c_str(), name.c_str()) == 0);
    }

private:
    void check(bool isGood) const
    {
        if (!isGood) {
            fail(ErrorCode::Io, "{}: can't be written{}", m_path.string(), errnoText());
        }
    }

    fs::path m_path;
    Descriptor m_file;
};

} // namespace

fs::path defaultRemoteCache()
{
    const fs::path cache = userFolder("XDG_CACHE_HOME", ".cache");
    if (cache.empty()) {
        fail(ErrorCode::BadInput, "no folder for runs of other machines: set HOME");
    }
    return cache / "lockstep" / "remote";
}

RemoteMachine::RemoteMachine(RemoteMachineSettings settings, RemoteListener listener)
    : m_line(std::make_unique<MachineLine>(std::move(settings), std::move(listener)))
{
}

RemoteMachine::~RemoteMachine() = default;

const RemoteAddress& RemoteMachine::address() const noexcept
{
    return m_line->address();
}

RemoteState RemoteMachine::state() const
{
    return m_line->state();
}

std::vector<RemoteRun> RemoteMachine::runs() const
{
    return m_line->runs();
}

void RemoteMachine::reconnect()
{
    m_line->reconnect();
}

void RemoteMachine::stop()
{
    m_line->stop();
}

const fs::path& RemoteMachine::mirrors() const noexcept
{
    return m_line->mirrors().folder();
}

fs::path RemoteMachine::mirrorOf(const std::string& run) const
{
    return m_line->mirrors().mirrorOf(run);
}

std::string RemoteMachine::runOf(const fs::path& mirror) const
{
    return mirror.parent_path() == mirrors() ? mirror.filename().string() : std::string();
}

void RemoteMachine::follow(const std::string& run)
{
    m_line->follow(run);
}

RemoteFacts RemoteMachine::facts()
{
    return valueIn<RemoteFacts>(m_line->ask({{"ask", "facts"}}));
}

std::vector<RemoteCheckpoint> RemoteMachine::checkpoints(const std::string& run)
{
    return valueIn<std::vector<RemoteCheckpoint>>(
        m_line->ask({{"ask", "checkpoints"}, {"run", run}}));
}

std::vector<std::string> RemoteMachine::eventFiles(const std::string& run)
{
    return valueIn<std::vector<std::string>>(m_line->ask({{"ask", "event_files"}, {"run", run}}));
}

fs::path RemoteMachine::fetch(
    const std::string& run, const std::string& file, const Progress& progress)
{
    if (!isRunName(run) || !isInside(file)) {
        fail(ErrorCode::BadInput, "{}: not a file of a run", file);
    }
    const std::scoped_lock lock(m_fetching);
    fs::path whole = mirrorOf(run) / file;
    fs::path path = whole;
    std::error_code ignored;
    fs::create_directories(whole.parent_path(), ignored);
    if (!fs::exists(whole, ignored)) {
        path += ".part";
    }
    const auto ask = [&](std::int64_t from, std::int64_t bytes, bool isChecked) {
        return m_line->ask(
            {{"ask", "part"},
             {"run", run},
             {"file", file},
             {"from", from},
             {"bytes", bytes},
             {"is_checked", isChecked}});
    };
    std::int64_t have = sizeOf(path);
    if (have > 0) {
        const Frame there = ask(have, 0, true);
        if (valueIn<std::uint32_t>(there.value("checksum", Frame()))
            != beginningChecksum(path, have)) {
            path = whole.string() + ".part"; // another file of this name
            fs::remove(path, ignored);
            have = 0;
        }
    }
    FetchedFile target(path);
    std::int64_t total = 0;
    std::int64_t bytes = kSmallestPart;
    do {
        const Stopwatch watch;
        const Frame answer = ask(have, bytes, false);
        total = valueIn<std::int64_t>(answer.value("total", Frame()));
        const Frame content = answer.value("bytes", Frame());
        if (bytesOf(content).empty() && have != total) {
            fail(ErrorCode::Io, "{}: it became shorter while it was fetched", file);
        }
        target.write(bytesOf(content), have);
        have += std::ssize(bytesOf(content));
        bytes = std::clamp(
            watch.seconds() < kPartSeconds ? 2 * bytes : bytes / 2, kSmallestPart, kLargestPart);
        if (progress && !progress(have, total)) {
            fail(ErrorCode::Cancelled, "{}: not fetched to its end", file);
        }
    } while (have < total);
    target.finish(whole);
    return whole;
}

std::string RemoteMachine::start(const RemoteStart& wanted)
{
    return valueIn<std::string>(m_line->ask(
        {{"ask", "start"},
         {"configuration", wanted.configuration},
         {"name", wanted.name},
         {"resume", wanted.isResume}}));
}

RemotePredicted RemoteMachine::predict(const RemotePrediction& wanted)
{
    Frame question{
        {"ask", "predict"},
        {"run", wanted.run},
        {"step", wanted.step},
        {"weights", static_cast<int>(wanted.weights)}};
    if (const auto* const path = std::get_if<fs::path>(&wanted.image)) {
        std::ifstream file(*path, std::ios::binary);
        std::vector<std::uint8_t> bytes(
            (std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        if (!file.is_open() || file.bad()) {
            fail(ErrorCode::Io, "{}: can't read it{}", path->string(), errnoText());
        }
        question["name"] = path->filename().string();
        question["bytes"] = Frame::binary(std::move(bytes));
    } else {
        question["example"] = std::get<std::int64_t>(wanted.image);
    }
    const Frame answer = m_line->ask(std::move(question));
    return {
        valueIn<PredictedImage>(answer.value("image", Frame())),
        valueIn<std::int64_t>(answer.value("step", Frame()))};
}

RemoteExample RemoteMachine::example(
    const std::string& configuration, Split split, std::int64_t index)
{
    return valueIn<RemoteExample>(m_line->ask(
        {{"ask", "example"},
         {"configuration", configuration},
         {"split", split == Split::Train ? 0 : 1},
         {"index", index}}));
}

} // namespace lockstep
