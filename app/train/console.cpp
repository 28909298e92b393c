// SPDX-License-Identifier: Apache-2.0
#include "console.h"

#include "engine/base.h"
#include "engine/ranks.h"

#include <fmt/core.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace lockstep::train {
namespace {

using namespace std::chrono_literals;

/// A longer line would wrap, and the next one could not take its place.
std::size_t columns()
{
    constexpr std::size_t kUsual = 80;
    winsize size{};
    const bool isKnown = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return isKnown ? size.ws_col : kUsual;
}

} // namespace

// mpirun gives a rank a terminal of its own, which nobody looks at.
Console::Console() : m_isTerminal(isatty(STDOUT_FILENO) == 1 && !isRankOfSeveral()) {}

Console::~Console()
{
    clearProgress();
}

void Console::result(const std::string& line)
{
    const std::scoped_lock lock(m_mutex);
    takeProgressAway();
    // A file or another program gets names as they are.
    const std::string text = m_isTerminal ? printable(line) : line;
    const bool isWritten = std::fwrite(text.data(), 1, text.size(), stdout) == text.size()
                           && std::fputc('\n', stdout) != EOF && std::fflush(stdout) == 0;
    if (!isWritten) {
        fail(ErrorCode::Io, "standard output: can't write to it{}", errnoText());
    }
}

void Console::tell(const std::string& line)
{
    if (!m_isHeard) {
        return;
    }
    try {
        result(line);
    } catch (const Error& error) {
        if (m_isHeard.exchange(false)) {
            note(fmt::format("{}; the training goes on, its run folder has it all", error.what()));
        }
    }
}

void Console::note(const std::string& line)
{
    const std::scoped_lock lock(m_mutex);
    takeProgressAway();
    writeError(line);
}

void Console::progress(const std::string& line)
{
    const std::scoped_lock lock(m_mutex);
    const auto now = Clock::now();
    if (!m_isTerminal || (m_isShown && now - m_shownAt < 100ms)) {
        return;
    }
    std::fputs(fmt::format("\r{}\033[K", line.substr(0, columns() - 1)).c_str(), stdout);
    std::fflush(stdout);
    m_isShown = true;
    m_shownAt = now;
}

void Console::clearProgress()
{
    const std::scoped_lock lock(m_mutex);
    takeProgressAway();
}

void Console::takeProgressAway()
{
    if (m_isShown) {
        std::fputs("\r\033[K", stdout);
        std::fflush(stdout);
        m_isShown = false;
    }
}

void writeError(const std::string& text)
{
    std::string line = printable(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    // fmt::print() throws where nobody reads, say of a terminal that is closed.
    std::fputs(fmt::format("lockstep-train: {}\n", line).c_str(), stderr);
}

} // namespace lockstep::train
