// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

namespace lockstep::train {

/// From now on the first SIGINT, SIGTERM, SIGHUP or SIGUSR1 (unless it is ignored) only raises a
/// flag, so that a run can end in good order; the second one ends the program at once, unless a
/// launcher sends several.
void catchInterrupts(bool endsAtSecond = true);

/// Whether a signal came since catchInterrupts().
bool isInterrupted();
/// How many came.
int interrupts();

/// Calls a function once when a signal has come, or another thing that is looked for, within some
/// hundredths of a second, on a thread of its own: for work that can't look at isInterrupted()
/// itself, say because it waits.
class InterruptWatch
{
public:
    explicit InterruptWatch(
        std::function<void()> onInterrupt, std::function<bool()> isWanted = isInterrupted);

private:
    std::jthread m_thread;
};

} // namespace lockstep::train
