// SPDX-License-Identifier: Apache-2.0
// The loop over the cells of pooled tensors, for files that Highway compiles once per instruction
// set: include it after <hwy/highway.h>.
#if defined(LOCKSTEP_POOL_CELLS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LOCKSTEP_POOL_CELLS_INL_H
#undef LOCKSTEP_POOL_CELLS_INL_H
#else
#define LOCKSTEP_POOL_CELLS_INL_H
#endif

#include "device/cpu/pool_windows.h"

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {

/// Calls body(plane, cell of it, cell of all planes) for the cells of the range.
template<class Body>
HWY_INLINE void forEachCell(const PoolRange& range, const PoolMeetings& cells, Body body)
{
    const auto perPlane = static_cast<std::int64_t>(cells.cells());
    std::int64_t i = range.first;
    while (i < range.end) {
        const std::int64_t plane = i / perPlane;
        const std::int64_t begin = plane * perPlane;
        for (; i < std::min(range.end, begin + perPlane); ++i) {
            body(plane, static_cast<std::size_t>(i - begin), i);
        }
    }
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
