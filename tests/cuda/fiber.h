// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#if !defined(__x86_64__)
#define LOCKSTEP_FIBER_UCONTEXT
#include <ucontext.h>
#endif

namespace lockstep::emulation {

/// A stack of its own to run on, within one thread of the host. Without a function: the stack that
/// the thread has anyway.
///
/// A switch through ucontext costs a call of the system, over 1 us; on x86-64 we exchange the
/// registers ourselves, in some 30 ns, and tell the sanitizers.
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
    static void enter();
    static void arrive(Fiber& self);

    std::unique_ptr<std::byte[]> m_stack;
    void (*m_function)() = nullptr;
#if defined(__SANITIZE_ADDRESS__)
    void* m_forSanitizer = nullptr; ///< what it keeps beside the stack while another one runs
    const void* m_bottom = nullptr; ///< of the stack; of the thread's own once it was left
    std::size_t m_bytes = 0;
#elif defined(__SANITIZE_THREAD__)
    void* m_forSanitizer = nullptr; ///< what it calls this stack
#endif
#if defined(LOCKSTEP_FIBER_UCONTEXT)
    ucontext_t m_context{};
#else
    void* m_stackPointer = nullptr; ///< while it does not run
#endif
};

} // namespace lockstep::emulation
