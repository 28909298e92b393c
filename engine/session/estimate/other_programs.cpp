// SPDX-License-Identifier: Apache-2.0
#include "session/estimate/other_programs.h"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <system_error>

namespace lockstep {
namespace {

constexpr double kMost = 0.1;

/// Of all processors and programs, since the machine started.
double busySeconds()
{
    std::ifstream stat("/proc/stat");
    std::string name;
    std::array<double, 8> ticks{}; // user, nice, system, idle, iowait, irq, softirq, steal
    stat >> name;
    for (double& some : ticks) {
        stat >> some;
    }
    const double all = std::accumulate(ticks.begin(), ticks.end(), 0.0) - ticks[3] - ticks[4];
    return all / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double ownSeconds()
{
    constexpr double kMicro = 1e-6;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + kMicro * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Of their time, what the threads have waited for a processor.
double waitingShare()
{
    double running = 0.0;
    double waiting = 0.0;
    std::error_code ignored;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
        double ran = 0.0;
        double waited = 0.0;
        if (std::ifstream(thread.path() / "schedstat") >> ran >> waited) {
            running += ran;
            waiting += waited;
        }
    }
    return running + waiting > 0.0 ? waiting / (running + waiting) : 0.0;
}

} // namespace

OtherPrograms::OtherPrograms() : m_all(busySeconds()), m_own(ownSeconds()) {}

bool OtherPrograms::areInTheWay() const
{
    const double own = ownSeconds() - m_own;
    return waitingShare() > kMost && busySeconds() - m_all - own > kMost * own;
}

} // namespace lockstep
