// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

namespace lockstep::train {

/// From now on the first SIGINT, SIGTERM or SIGHUP (unless it is ignored) only raises a flag, so
/// that a run can end in good order; the second one ends the program at once.
void catchInterrupts();

/// Whether a signal came since catchInterrupts().
bool isInterrupted();

/// Calls a function once when a signal has come, within some hundredths of a second, on a thread of
/// its own: for work that can't look at isInterrupted() itself, say because it waits.
class InterruptWatch
{
public:
    explicit InterruptWatch(std::function<void()> onInterrupt);

private:
    std::jthread m_thread;
};

} // namespace lockstep::train
