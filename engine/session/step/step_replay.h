// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// Captures the pieces of a step once and replays them from there on. Steps that differ in what is
/// enqueued, or in how many are enqueued as one, are variants, each captured for itself when there
/// is one. The first step of each runs eagerly, so that libraries load what they need. One thread
/// at a time.
class StepReplay
{
public:
    enum Variant : std::size_t { Plain, Measured, Several, Variants };
    /// What was captured up to a call that can't be, and that call; none: the piece ends there.
    struct Part
    {
        std::unique_ptr<StepGraph> graph;
        std::function<void()> call;
    };

    explicit StepReplay(bool isWanted) : m_isOn(isWanted) {}

    /// Enqueues a piece of a step on `stream`: calls `work`, or replays what that enqueued when it
    /// was captured.
    void run(Variant variant, std::size_t piece, const std::function<void()>& work, Stream& stream);
    /// Within `work`: makes a call that can't be captured, in its place among the rest; `call` is
    /// kept for replays.
    void callBetween(const std::function<void()>& call, Stream& stream);
    /// What `work` enqueues on `stream`, and on streams that wait for it: none of it runs. An error
    /// leaves nothing behind.
    [[nodiscard]] std::vector<Part> captured(const std::function<void()>& work, Stream& stream);
    /// All pieces of a step were enqueued, or of one that needs all that this needs of libraries.
    void stepEnqueued(Variant variant) { m_captured[variant].isWarm = true; }
    /// From now on steps are enqueued anew.
    void stop() { m_isOn = false; }
    /// What went wrong when a step was captured; since then each is enqueued anew. Empty: nothing.
    [[nodiscard]] const std::string& failure() const { return m_failure; }

private:
    struct Captured
    {
        bool isWarm = false; ///< a step was made without capture
        /// By piece, the update's last. Empty before the first step.
        std::vector<std::vector<Part>> pieces;
    };

    bool m_isOn;
    std::array<Captured, Variants> m_captured;
    std::vector<Part>* m_open = nullptr; ///< of what is being captured
    std::string m_failure;
};

} // namespace lockstep
