// SPDX-License-Identifier: Apache-2.0
#include "cuda/fiber.h"

#include <array>
#include <cstdint>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

#if !defined(LOCKSTEP_FIBER_UCONTEXT)
// switchStack(where the stack pointer goes, the one to take): the registers that a call keeps lie
// on the stack that is left (System V ABI; the control words of the floating point units stay the
// same).
extern "C" void lockstepSwitchStack(void** left, void* taken);
__asm__(R"(
    .text
    .globl lockstepSwitchStack
    .hidden lockstepSwitchStack
    .type lockstepSwitchStack, @function
lockstepSwitchStack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size lockstepSwitchStack, . - lockstepSwitchStack
)");
#endif

namespace lockstep::emulation {
namespace {

constexpr std::size_t kStackBytes = std::size_t{256} << 10U;

// Of the switch that is on its way.
thread_local Fiber* leftFiber = nullptr;
thread_local Fiber* takenFiber = nullptr;

} // namespace

Fiber::Fiber(void (*function)())
    : m_stack(std::make_unique_for_overwrite<std::byte[]>(kStackBytes)), m_function(function)
{
#if defined(LOCKSTEP_FIBER_UCONTEXT)
    getcontext(&m_context);
    m_context.uc_stack.ss_sp = m_stack.get();
    m_context.uc_stack.ss_size = kStackBytes;
    m_context.uc_link = nullptr;
    makecontext(&m_context, &Fiber::enter, 0);
#else
    // As if enter() had been called and had switched away at once: six registers, its address to
    // return to, and a return address of its own, of nobody. The stack is then 8 bytes off a
    // multiple of 16, as at the beginning of any function.
    constexpr std::uintptr_t kAlignment = 16;
    std::array<std::uintptr_t, 8> frame{};
    frame[6] = reinterpret_cast<std::uintptr_t>(&Fiber::enter);
    const auto end = reinterpret_cast<std::uintptr_t>(m_stack.get() + kStackBytes);
    std::byte* const top = m_stack.get() + kStackBytes - end % kAlignment;
    std::memcpy(top - sizeof(frame), frame.data(), sizeof(frame));
    m_stackPointer = top - sizeof(frame);
#endif
#if defined(__SANITIZE_ADDRESS__)
    m_bottom = m_stack.get();
    m_bytes = kStackBytes;
#elif defined(__SANITIZE_THREAD__)
    m_forSanitizer = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() // NOLINT(modernize-use-equals-default): not under the thread sanitizer
{
#if defined(__SANITIZE_THREAD__)
    if (m_stack) {
        __tsan_destroy_fiber(m_forSanitizer);
    }
#endif
}

void Fiber::enter()
{
    Fiber& self = *takenFiber;
    arrive(self);
    self.m_function();
}

/// The first thing on a stack after a switch to it.
void Fiber::arrive([[maybe_unused]] Fiber& self)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(self.m_forSanitizer, &leftFiber->m_bottom, &leftFiber->m_bytes);
#endif
}

void Fiber::switchTo(Fiber& next)
{
    leftFiber = this;
    takenFiber = &next;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&m_forSanitizer, next.m_bottom, next.m_bytes);
#elif defined(__SANITIZE_THREAD__)
    if (!m_stack) {
        m_forSanitizer = __tsan_get_current_fiber();
    }
    __tsan_switch_to_fiber(next.m_forSanitizer, 0);
#endif
#if defined(LOCKSTEP_FIBER_UCONTEXT)
    swapcontext(&m_context, &next.m_context);
#else
    lockstepSwitchStack(&m_stackPointer, next.m_stackPointer);
#endif
    arrive(*this);
}

} // namespace lockstep::emulation
