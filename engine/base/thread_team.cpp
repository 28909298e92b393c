// SPDX-License-Identifier: Apache-2.0
#include "base/thread_team.h"

#include "base/core_groups.h"
#include "base/error.h"
#include "base/processor_quota.h"

#include <fmt/core.h>
#include <pthread.h>
#include <sched.h>

#include <chrono>
#include <new>
#include <system_error>

namespace lockstep {
namespace {

// How long a thread looks for the next job, or a caller for the end of one, before it goes to
// sleep. The gaps between the phases of a step are shorter than this, a person's pause is not.
constexpr std::chrono::microseconds kSpin{50};

template<class Condition>
bool spinUntil(Condition condition)
{
    const auto end = std::chrono::steady_clock::now() + kSpin;
    do {
        for (int i = 0; i < 64; ++i) {
            if (condition()) {
                return true;
            }
            __builtin_ia32_pause();
        }
    } while (std::chrono::steady_clock::now() < end);
    return false;
}

constexpr std::size_t kSignalStackBytes = 64 * 1024; // as the main thread has
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

bool bindTo(std::thread& thread, const std::vector<int>& processors)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int processor : processors) {
        CPU_SET(processor, &set);
    }
    return pthread_setaffinity_np(thread.native_handle(), sizeof set, &set) == 0;
}

} // namespace

SignalStack::SignalStack() noexcept
    : m_memory(kIsSanitized ? nullptr : new (std::nothrow) char[kSignalStackBytes])
{
    stack_t own{};
    own.ss_sp = m_memory.get();
    own.ss_size = kSignalStackBytes;
    if (m_memory != nullptr && ::sigaltstack(&own, &m_before) != 0) {
        m_memory.reset();
    }
}

SignalStack::~SignalStack()
{
    if (m_memory != nullptr) {
        ::sigaltstack(&m_before, nullptr);
    }
}

int ThreadTeam::processors()
{
    const auto usable = usableProcessors();
    return usable.empty() ? 1 : static_cast<int>(usable.size());
}

ThreadTeam::ThreadTeam(const std::string& name, int threads, bool bind)
{
    require(threads > 0, "a thread team needs at least one thread");
    m_failures.resize(static_cast<std::size_t>(threads));
    m_threads.reserve(static_cast<std::size_t>(threads));
    try {
        for (int index = 0; index < threads; ++index) {
            auto& thread = m_threads.emplace_back([this, index] { work(index); });
            // The system keeps 15 characters of a name.
            pthread_setname_np(
                thread.native_handle(),
                fmt::format("{:.11}-{}", name, index).substr(0, 15).c_str());
        }
    } catch (const std::system_error& error) {
        stop();
        fail(
            ErrorCode::OutOfMemory,
            "the system gave {} of {} '{}' threads ({}): use fewer towers or threads",
            m_threads.size(), threads, name, error.code().message());
    }
    m_unboundBecause = bind ? bindToCores() : "left to the system";
}

ThreadTeam::~ThreadTeam()
{
    stop();
}

std::string ThreadTeam::bindToCores()
{
    const auto usable = usableProcessors();
    const auto groups = coreGroups(size(), usable);
    if (groups.empty()) {
        return fmt::format("{} threads, but {} processors may be used", size(), usable.size());
    }
    // Threads that have used up their share stand still: where they may go must not be narrowed.
    const auto quota = processorQuota();
    if (quota && *quota < size()) {
        return fmt::format("the control group grants the time of {:.3g} processors", *quota);
    }
    for (std::size_t index = 0; index < m_threads.size(); ++index) {
        if (!bindTo(m_threads[index], groups[index])) {
            for (auto& thread : m_threads) { // all or none
                bindTo(thread, usable);
            }
            return "the system refuses";
        }
    }
    return {};
}

void ThreadTeam::stop()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_stop = true;
        ++m_ticket;
    }
    m_wake.notify_all();
    for (auto& thread : m_threads) {
        thread.join();
    }
}

void ThreadTeam::runOnAll(const std::function<void(int)>& job)
{
    m_job = &job;
    m_running = size();
    {
        const std::scoped_lock lock(m_mutex);
        ++m_ticket;
    }
    m_wake.notify_all();
    if (!spinUntil([this] { return m_running.load() == 0; })) {
        std::unique_lock lock(m_mutex);
        m_done.wait(lock, [this] { return m_running.load() == 0; });
    }
    std::exception_ptr first;
    for (auto& failure : m_failures) {
        if (failure && !first) {
            first = failure;
        }
        failure = nullptr;
    }
    if (first) {
        std::rethrow_exception(first);
    }
}

void ThreadTeam::work(int index)
{
    const SignalStack stack;
    std::uint32_t seen = 0;
    while (true) {
        if (!spinUntil([&] { return m_ticket.load() != seen; })) {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [&] { return m_ticket.load() != seen; });
        }
        ++seen;
        if (m_stop) {
            return;
        }
        try {
            (*m_job)(index);
        } catch (...) {
            m_failures[static_cast<std::size_t>(index)] = std::current_exception();
        }
        if (--m_running == 0) {
            const std::scoped_lock lock(m_mutex);
            m_done.notify_one();
        }
    }
}

} // namespace lockstep
