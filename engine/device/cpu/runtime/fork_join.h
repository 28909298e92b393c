// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

// What the thread sanitizer has to be told of OpenMP, whose library is not built for it: how
// threads wait for each other. The code that forks is left out of it (LOCKSTEP_FORKS), because the
// compiler writes what the threads share after the last place where we could say so; what they call
// is not (LOCKSTEP_FORKED). In other builds all of it is nothing.
#ifdef __SANITIZE_THREAD__
#define LOCKSTEP_FORKS __attribute__((no_sanitize("thread"), noinline))
#define LOCKSTEP_FORKED __attribute__((noinline))
#else
#define LOCKSTEP_FORKS
#define LOCKSTEP_FORKED
#endif

namespace lockstep::cpu {

class ForkJoin
{
public:
    /// By the thread that forks, before and after.
    static void fork() { release(forkPlace); }
    static void joined() { acquire(joinPlace); }
    /// By every thread in between, first and last.
    static void begin() { acquire(forkPlace); }
    static void end() { release(joinPlace); }

private:
#ifdef __SANITIZE_THREAD__
    static void acquire(char& place)
    {
        __tsan_acquire(&place);
    }
    static void release(char& place)
    {
        __tsan_release(&place);
    }
#else
    static void acquire(char& /*place*/) {}
    static void release(char& /*place*/) {}
#endif

    static inline char forkPlace = 0;
    static inline char joinPlace = 0;
};

} // namespace lockstep::cpu
