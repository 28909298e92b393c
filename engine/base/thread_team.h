// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lockstep {

/// For the beginning of a thread: while it lives, handlers of signals that ask for it run in this
/// thread on a stack of their own, so that traceCrashes() tells of a thread whose stack is full,
/// too. Does nothing where a sanitizer has such stacks, or there is no memory for it.
class SignalStack
{
public:
    SignalStack() noexcept;
    ~SignalStack();
    SignalStack(const SignalStack&) = delete;
    SignalStack& operator=(const SignalStack&) = delete;

private:
    std::unique_ptr<char[]> m_memory;
    stack_t m_before{};
};

/// A fixed set of named threads for life, each bound to a group of cores where the system allows
/// it. run() hands every thread the same job and waits for all: a fork and a join, so what one job
/// wrote, the next one may read on any thread.
class ThreadTeam
{
public:
    /// Starts `threads` threads named `<name>-<index>`. With `bind`, each keeps to cores that
    /// share a cache, neighbours close to each other (see coreGroups()), unless the process may use
    /// fewer processors, or less of their time, than there are threads.
    /// Throws Error(OutOfMemory) if the system gives fewer threads.
    ThreadTeam(const std::string& name, int threads, bool bind);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    /// Calls job(index) on every thread and returns when all are done. If some throw, all others
    /// still finish and the exception of the lowest index is thrown here. One caller at a time.
    /// Allocates nothing: of the job only its address is kept.
    template<class Job>
    void run(const Job& job)
    {
        runOnAll(std::cref(job));
    }

    [[nodiscard]] int size() const noexcept { return static_cast<int>(m_threads.size()); }
    [[nodiscard]] bool isBound() const noexcept { return m_unboundBecause.empty(); }
    /// For people; empty if the threads are bound to cores.
    [[nodiscard]] const std::string& unboundBecause() const noexcept { return m_unboundBecause; }

    /// Processors that this process may use.
    static int processors();

private:
    void runOnAll(const std::function<void(int)>& job);
    void work(int index);
    /// Why it could not be done; empty if it was.
    std::string bindToCores();
    void stop();

    std::vector<std::exception_ptr> m_failures;
    const std::function<void(int)>* m_job = nullptr;
    std::atomic<std::uint32_t> m_ticket{0};
    std::atomic<int> m_running{0};
    std::atomic<bool> m_stop{false};
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::condition_variable m_done;
    std::string m_unboundBecause;
    std::vector<std::thread> m_threads;
};

} // namespace lockstep
