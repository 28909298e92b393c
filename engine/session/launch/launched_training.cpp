// SPDX-License-Identifier: Apache-2.0
#include "session/launch/launched_training.h"

#include "base/error.h"
#include "base/text_bytes.h"
#include "session/launch/run_request_text.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <iterator>
#include <new>

namespace lockstep {
namespace {

/// The other end may be gone: that is no matter of the training.
void answer(const nlohmann::json& json)
{
    const std::string line =
        json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    static_cast<void>(!::write(kLaunchAnswers, line.data(), line.size()));
}

void redirect(int stream, const char* file, int flags)
{
    const int opened = ::open(file, flags | O_CLOEXEC, S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
    if (opened >= 0) {
        ::dup2(opened, stream);
        ::close(opened);
    }
}

} // namespace

RunRequest takeLaunchRequest()
{
    std::signal(SIGPIPE, SIG_IGN);
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    RunRequest request = runRequestFrom(text);
    // Nobody has to wait for a grandchild, which can't get a terminal either: it leads no session.
    const pid_t child = ::fork();
    if (child > 0) {
        std::_Exit(0);
    }
    if (child < 0) {
        fail(ErrorCode::Io, "no process can be started for the training{}", errnoText());
    }
    return request;
}

void tellLaunched(const std::filesystem::path& folder)
{
    answer({{"run", toUtf8(folder.string())}});
    ::close(kLaunchAnswers);
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, "/dev/null", O_WRONLY);
    redirect(STDERR_FILENO, "/dev/null", O_WRONLY);
    redirect(STDERR_FILENO, (folder / "messages.log").c_str(), O_WRONLY | O_CREAT | O_APPEND);
}

void tellLaunchFailed()
{
    const auto tell = [](const std::string& text, ErrorCode code) {
        answer({{"error", text}, {"code", code}});
    };
    try {
        throw;
    } catch (const Error& error) {
        tell(error.what(), error.code());
    } catch (const std::bad_alloc&) {
        tell("there is not enough memory for this run", ErrorCode::OutOfMemory);
    } catch (const std::exception& error) {
        tell(error.what(), ErrorCode::Internal);
    }
}

} // namespace lockstep
