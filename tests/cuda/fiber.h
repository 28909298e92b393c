// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#if !defined(__x86_64__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LOCKSTEP_FIBER_UCONTEXT
#include <ucontext.h>
#endif

namespace lockstep::emulation {

/// A stack of its own to run on, within one thread of the host. Without a function: the stack that
/// the thread has anyway.
///
/// A switch through ucontext costs a call of the system, over 1 us; on x86-64 we exchange the
/// registers ourselves, in some 30 ns. Sanitizers know ucontext only.
class Fiber
{
public:
    Fiber() = default;
    /// `function` must never return.
    explicit Fiber(void (*function)());
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// From this fiber, which runs, to the other one; comes back when one switches here.
    void switchTo(Fiber& next);

private:
    std::unique_ptr<std::byte[]> m_stack;
#if defined(LOCKSTEP_FIBER_UCONTEXT)
    ucontext_t m_context{};
    void* m_forSanitizer = nullptr; ///< what the thread sanitizer calls this stack
#else
    void* m_stackPointer = nullptr; ///< while it does not run
#endif
};

} // namespace lockstep::emulation
