// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep {

/// Several short measurements of one rate. The highest is the ceiling; how far the lowest lies
/// below tells how quiet the machine was.
struct RateRange
{
    double minimum = 0.0;
    double maximum = 0.0; ///< 0: unknown

    /// Takes in one measurement more, or all of another range.
    void add(double rate);
    void add(const RateRange& other);
};

/// What processors of the host reach at best, `threads` threads at work at once.
struct HostCeilings
{
    int threads = 0;
    RateRange float32; ///< FLOP/s of multiply-adds from register to register
    /// FLOP/s of bfloat16 products summed in float32; float32's where the processor has none, as
    /// they are made in float32 there.
    RateRange bfloat16;
    RateRange copy; ///< bytes/s, those read and those written, of arrays that no cache holds

    /// Takes in what was measured at another time with as many threads.
    void add(const HostCeilings& other);
};

/// Measures for about 0.15 s, on threads of its own, pinned one to a processor. More threads than
/// processors are as good as processors. bfloat16 is the better of dot product instructions and a
/// large matrix product of the library below, which uses a matrix unit if there is one.
/// Error(OutOfMemory) if there is no room for the arrays.
HostCeilings measureHostCeilings(int threads);

} // namespace lockstep
