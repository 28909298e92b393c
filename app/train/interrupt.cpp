// SPDX-License-Identifier: Apache-2.0
#include "interrupt.h"

#include <array>
#include <csignal>

namespace lockstep::train {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM};

volatile std::sig_atomic_t wasInterrupted = 0;

void onSignal(int /*signal*/)
{
    wasInterrupted = 1;
    for (const int signal : kSignals) {
        std::signal(signal, SIG_DFL);
    }
}

} // namespace

void catchInterrupts()
{
    struct sigaction action = {};
    action.sa_handler = onSignal;
    // Calls that wait go on: the flag is looked at between steps.
    action.sa_flags = SA_RESTART;
    for (const int signal : kSignals) {
        sigaction(signal, &action, nullptr);
    }
}

bool isInterrupted()
{
    return wasInterrupted != 0;
}

} // namespace lockstep::train
