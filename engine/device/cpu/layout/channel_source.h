// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/layout/reorder.h"
#include "device/op.h"

#include <cstddef>
#include <optional>

namespace lockstep::cpu {

/// The source of an op as its kernels read it: with the channels of a cell side by side. Read in
/// place where the layer before left it so, else moved there and, for its gradient, back.
class ChannelSource
{
public:
    enum class Order {
        Any,   ///< whatever has a channelLayout()
        Plain, ///< all channels of a cell, and nothing between the cells
    };
    /// What can read it.
    enum class Reader {
        Own,
        Library, ///< oneDNN: bfloat16 only where the processor multiplies it, else float32
    };

    /// Adds what it needs to the plan's memory.
    void plan(OpPlan& plan, Order order, Reader reader = Reader::Own);
    /// The same, to be read as `tensor` lies.
    void planAs(OpPlan& plan, const TensorPlan& tensor);
    /// As it is read; its gradient, too.
    [[nodiscard]] const TensorPlan& tensor() const { return m_tensor; }

    /// Forward calls it first.
    void take(const OpMemory& memory);
    /// Backward calls it before it reads the source.
    void takeAgain(const OpMemory& memory)
    {
        if (!m_isKept) {
            take(memory);
        }
    }
    [[nodiscard]] std::byte* src(const OpMemory& memory) const
    {
        return m_toRows ? placeOfRows(memory) : memory.src();
    }
    /// Where backward leaves the gradient; then it calls give().
    [[nodiscard]] std::byte* diffSrc(const OpMemory& memory) const
    {
        return m_fromRows ? memory.scratchpad + m_diffRows : memory.diffSrc();
    }
    void give(const OpMemory& memory);

private:
    [[nodiscard]] std::byte* placeOfRows(const OpMemory& memory) const
    {
        return (m_isKept ? memory.workspace : memory.scratchpad) + m_rows;
    }

    TensorPlan m_tensor;
    std::optional<Reorder> m_toRows;
    std::optional<Reorder> m_fromRows;
    bool m_isKept = true; ///< in the workspace, for backward
    std::size_t m_rows = 0;
    std::size_t m_diffRows = 0;
};

} // namespace lockstep::cpu
