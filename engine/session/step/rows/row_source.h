// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/interface.h"
#include "device/accelerator.h"

#include <cstdint>

namespace lockstep {

/// Where the rows of the steps of one accelerator come from. A ring of slots on the device holds
/// what the steps that are under way need; step k uses slot k % slotCount().
class RowSource : public Interface
{
public:
    [[nodiscard]] virtual std::int64_t slotCount() const = 0;
    /// What the input ops are told. The same for the life of the source.
    [[nodiscard]] virtual DeviceInput input() const = 0;

    /// Begins at a step, whose first row is at `position` of the stream of examples. Nothing may be
    /// under way.
    virtual void start(std::int64_t step, std::int64_t position) = 0;
    /// Enqueues what steps [first, first + count) need, before they are. At most slotCount() steps
    /// may be under way, these among them.
    virtual void enqueue(Stream& stream, std::int64_t first, std::int64_t count) = 0;
    /// Called when the work of a step was enqueued.
    virtual void stepEnqueued(Stream& stream, std::int64_t step) = 0;
};

} // namespace lockstep
