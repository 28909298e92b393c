// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/move_kernel.h"

// Highway compiles the part between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once per
// instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/kernels/move_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two above, which the order of the alphabet would not keep.
#include "device/cpu/kernels/elements-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {

void move(Element fromElement, Element toElement, const ValueRuns& runs)
{
    withElement(fromElement, [&](auto read) HWY_ATTR {
        withElement(toElement, [&](auto written) HWY_ATTR {
            const auto* from = reinterpret_cast<const decltype(read)*>(runs.from);
            auto* to = reinterpret_cast<decltype(written)*>(runs.to);
            for (std::int64_t i = 0; i < runs.runs; ++i) {
                forEachVector(runs.run, [&](auto d, std::int64_t j) HWY_ATTR {
                    storeElements(d, loadElements(d, from + j), to + j);
                });
                from += runs.fromStride;
                to += runs.toStride;
            }
        });
    });
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep::cpu {

HWY_EXPORT(move);

void moveRuns(Element from, Element to, const ValueRuns& runs)
{
    HWY_DYNAMIC_DISPATCH(move)(from, to, runs);
}

} // namespace lockstep::cpu
#endif
