// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// Captures the pieces of a step once and replays them from there on. The first step runs eagerly,
/// so that libraries load what they need. One thread at a time.
class StepReplay
{
public:
    explicit StepReplay(bool isWanted) : m_isOn(isWanted) {}

    /// Enqueues a piece on `stream`: calls `work`, or replays what that enqueued when it was
    /// captured.
    void run(std::size_t piece, const std::function<void()>& work, Stream& stream);
    /// All pieces of a step were enqueued.
    void stepEnqueued() { m_isWarm = true; }
    /// From now on steps are enqueued anew.
    void stop() { m_isOn = false; }
    /// What went wrong when a step was captured; since then each is enqueued anew. Empty: nothing.
    [[nodiscard]] const std::string& failure() const { return m_failure; }

private:
    void capture(const std::function<void()>& work, Stream& stream);

    bool m_isOn;
    bool m_isWarm = false; ///< a step was made without capture
    /// The parts of a step between sums, the update last. Empty before the first step.
    std::vector<std::unique_ptr<StepGraph>> m_graphs;
    std::string m_failure;
};

} // namespace lockstep
