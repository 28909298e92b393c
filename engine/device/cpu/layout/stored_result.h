// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/layout/reorder.h"

#include <cstddef>
#include <optional>

namespace lockstep::cpu {

/// What an op makes, and its gradient, where tensors are stored in another number format than it
/// works in: a copy in the scratchpad, which the two share. Elsewhere there is nothing to do.
class StoredResult
{
public:
    /// Dst of an op that makes `made`; adds what the copy takes to the plan's scratchpad.
    TensorPlan plan(OpPlan& plan, const Desc& made, Element stored)
    {
        if (elementOf(made) == stored) {
            return tensorPlan(plan.examples, plan.dstShape, made);
        }
        const Desc dst = operandImage(plan.examples, plan.dstShape, stored);
        m_toStored.emplace(made, dst);
        m_toMade.emplace(dst, made);
        m_place = addPart(plan.scratchpadBytes, made.get_size());
        return tensorPlan(plan.examples, plan.dstShape, dst);
    }

    // As the op works with them.
    [[nodiscard]] std::byte* dst(const OpMemory& memory) const
    {
        return m_toStored ? memory.scratchpad + m_place : memory.dst;
    }
    [[nodiscard]] std::byte* diffDst(const OpMemory& memory) const
    {
        return m_toStored ? memory.scratchpad + m_place : memory.diffDst;
    }

    /// Forward calls it last.
    void store(const OpMemory& memory)
    {
        if (m_toStored) {
            m_toStored->run(dst(memory), memory.dst);
        }
    }
    /// Backward calls it first.
    void load(const OpMemory& memory)
    {
        if (m_toMade) {
            m_toMade->run(memory.diffDst, diffDst(memory));
        }
    }

private:
    std::optional<Reorder> m_toStored;
    std::optional<Reorder> m_toMade;
    std::size_t m_place = 0;
};

} // namespace lockstep::cpu
