// SPDX-License-Identifier: Apache-2.0
#include "interrupt.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <utility>

namespace lockstep::train {
namespace {

// SIGHUP comes when the terminal is closed; SIGUSR1 is what mpirun and Slurm pass on.
constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP, SIGUSR1};
constexpr std::chrono::milliseconds kLookEvery{20};

// Two signals may be handled at the same time, by two threads: only one of them is the first.
std::atomic<int> signalsCome = 0;
static_assert(std::atomic<int>::is_always_lock_free, "set by a signal handler");

std::atomic<bool> isSecondLast = true;

void onSignal(int signal)
{
    if (signalsCome.fetch_add(1) > 0 && isSecondLast) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
}

} // namespace

void catchInterrupts(bool endsAtSecond)
{
    isSecondLast = endsAtSecond;
    std::signal(SIGPIPE, SIG_IGN); // Ctrl-C ends the reader of a pipe, too: there is work to save
    struct sigaction action = {};
    action.sa_handler = onSignal;
    // Calls that wait go on: the flag is looked at between steps.
    action.sa_flags = SA_RESTART;
    for (const int signal : kSignals) {
        struct sigaction before = {};
        sigaction(signal, &action, &before);
        if (before.sa_handler == SIG_IGN) { // as under nohup
            sigaction(signal, &before, nullptr);
        }
    }
}

bool isInterrupted()
{
    return signalsCome > 0;
}

int interrupts()
{
    return signalsCome;
}

InterruptWatch::InterruptWatch(std::function<void()> onInterrupt, std::function<bool()> isWanted)
    : m_thread(
        [call = std::move(onInterrupt), isCome = std::move(isWanted)](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                if (isCome()) {
                    return call();
                }
                std::this_thread::sleep_for(kLookEvery);
            }
        })
{
}

} // namespace lockstep::train
