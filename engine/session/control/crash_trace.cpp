// SPDX-License-Identifier: Apache-2.0
#include "session/control/crash_trace.h"

#include "base/user_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <execinfo.h>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr std::array kSignals{SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
constexpr std::size_t kStackBytes = 64 * 1024;
constexpr int kMostFrames = 100;

// All that the handler reads, made before it can be called.
std::atomic<const CrashPlace*> crashPlace = nullptr;
std::string programVersion;
std::string crashElsewhere;
std::array<char, 512> crashReason{}; // of an exception
std::array<char, kStackBytes> handlerStack;
std::atomic<pid_t> crashed = 0; // the first thread that did

/// A text in a fixed place; what is too long is cut.
class CrashText
{
public:
    CrashText& operator<<(std::string_view text) noexcept
    {
        const std::size_t count = std::min(text.size(), m_text.size() - 1 - m_size);
        std::memcpy(m_text.data() + m_size, text.data(), count);
        m_size += count;
        return *this;
    }
    /// At least so many digits.
    CrashText& number(std::int64_t value, std::size_t digits = 1) noexcept
    {
        std::array<char, 24> figures{};
        const auto end = std::to_chars(figures.data(), figures.data() + figures.size(), value).ptr;
        const auto count = static_cast<std::size_t>(end - figures.data());
        for (std::size_t i = count; i < digits; ++i) {
            *this << "0";
        }
        return *this << std::string_view(figures.data(), count);
    }
    [[nodiscard]] char* data() noexcept { return m_text.data(); }
    void writeTo(int file) const noexcept
    {
        [[maybe_unused]] const auto written = ::write(file, m_text.data(), m_size);
    }

private:
    std::array<char, PATH_MAX + 1024> m_text{}; // ends with a zero
    std::size_t m_size = 0;
};

struct CrashMoment
{
    std::chrono::year_month_day day;
    std::chrono::hh_mm_ss<std::chrono::seconds> time;
};

/// UTC, by arithmetic alone.
CrashMoment thisMoment() noexcept
{
    const std::chrono::sys_seconds seconds{std::chrono::seconds(::time(nullptr))};
    const auto day = std::chrono::floor<std::chrono::days>(seconds);
    return {day, std::chrono::hh_mm_ss(seconds - day)};
}

CrashText& addTime(
    CrashText& text, const CrashMoment& at, const std::array<std::string_view, 3>& between) noexcept
{
    text.number(static_cast<int>(at.day.year()), 4) << between[0];
    text.number(static_cast<unsigned>(at.day.month()), 2) << between[0];
    text.number(static_cast<unsigned>(at.day.day()), 2) << between[1];
    text.number(at.time.hours().count(), 2) << between[2];
    text.number(at.time.minutes().count(), 2) << between[2];
    return text.number(at.time.seconds().count(), 2);
}

/// The folder may be missing, with those above it.
int makeFile(std::string_view folder, const CrashMoment& at) noexcept
{
    CrashText path;
    path << folder << "/crash-";
    addTime(path, at, {"", "-", ""}) << "-";
    path.number(::getpid()) << ".txt";
    for (std::size_t i = 1; i <= folder.size(); ++i) {
        if (path.data()[i] == '/') {
            path.data()[i] = '\0';
            ::mkdir(path.data(), 0777);
            path.data()[i] = '/';
        }
    }
    return ::open(path.data(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

std::string_view signalName(int signal) noexcept
{
    switch (signal) {
    case SIGSEGV:
        return "SIGSEGV";
    case SIGABRT:
        return "SIGABRT";
    case SIGBUS:
        return "SIGBUS";
    case SIGFPE:
        return "SIGFPE";
    default:
        return "SIGILL";
    }
}

void writeTrace(int signal) noexcept
{
    const CrashPlace* const run = crashPlace;
    const CrashMoment at = thisMoment();
    int file = run != nullptr ? makeFile(run->run(), at) : -1;
    if (file < 0 && !crashElsewhere.empty()) { // or the run's disk is full
        file = makeFile(crashElsewhere, at);
    }
    if (file < 0) {
        return;
    }
    CrashText text;
    text << "Lockstep " << programVersion << " crashed: " << signalName(signal) << "\nTime: ";
    addTime(text, at, {"-", " ", ":"}) << " UTC\nProcess: ";
    text.number(::getpid()) << "\n";
    if (crashReason[0] != '\0') {
        text << "Exception: " << crashReason.data() << "\n";
    }
    if (run != nullptr) {
        text << "Run: " << run->run() << "\nLast step: ";
        (run->step() < 0 ? text << "none yet" : text.number(run->step())) << "\n";
    } else {
        text << "Run: none\n";
    }
    text << "Backtrace (addr2line -Cfpe FILE +0xADDRESS names the lines):\n";
    text.writeTo(file);
    std::array<void*, kMostFrames> frames{};
    ::backtrace_symbols_fd(frames.data(), ::backtrace(frames.data(), kMostFrames), file);
    ::fsync(file);
    ::close(file);
}

extern "C" void onCrash(int signal)
{
    const int error = errno;
    pid_t nobody = 0;
    const pid_t self = ::gettid();
    if (crashed.compare_exchange_strong(nobody, self)) {
        writeTrace(signal);
    } else if (nobody != self) {
        while (true) {
            ::pause(); // the other one ends the process, once it has told
        }
    }
    ::signal(signal, SIG_DFL);
    ::raise(signal); // as soon as this handler returns
    errno = error;
}

[[noreturn]] void onTerminate() noexcept
{
    if (const std::exception_ptr caught = std::current_exception()) {
        try {
            std::rethrow_exception(caught);
        } catch (const std::exception& error) {
            std::strncpy(crashReason.data(), error.what(), crashReason.size() - 1);
        } catch (...) {
            std::strncpy(crashReason.data(), "of no known kind", crashReason.size() - 1);
        }
    }
    std::abort();
}

} // namespace

void traceCrashes(const std::string& version)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    programVersion = version;
    crashElsewhere = crashFolder().string();
    std::array<void*, 1> frame{};
    ::backtrace(frame.data(), 1); // the first call loads a library, which a handler must not
    stack_t stack{};
    stack.ss_sp = handlerStack.data();
    stack.ss_size = handlerStack.size();
    ::sigaltstack(&stack, nullptr);
    struct sigaction action = {};
    action.sa_handler = onCrash;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : kSignals) {
        ::sigaction(signal, &action, nullptr);
    }
    std::set_terminate(onTerminate);
#endif
}

fs::path crashFolder()
{
    const fs::path data = userFolder("XDG_DATA_HOME", ".local/share");
    return data.empty() ? data : data / "lockstep";
}

std::optional<fs::path> newestCrashTrace(const std::vector<fs::path>& folders)
{
    std::optional<fs::path> newest;
    for (const fs::path& folder : folders) {
        std::error_code error;
        fs::directory_iterator each(folder, error);
        for (; !error && each != fs::end(each); each.increment(error)) {
            const fs::path name = each->path().filename();
            const bool isTrace = name.string().starts_with("crash-") && name.extension() == ".txt";
            if (isTrace && (!newest || newest->filename() < name)) {
                newest = each->path();
            }
        }
    }
    return newest;
}

CrashPlace::CrashPlace(const fs::path& run) : m_run(fs::absolute(run).string())
{
    crashPlace = this;
}

CrashPlace::~CrashPlace()
{
    const CrashPlace* self = this;
    crashPlace.compare_exchange_strong(self, nullptr);
}

} // namespace lockstep
