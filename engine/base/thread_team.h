// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lockstep {

/// A fixed set of named threads for life, each pinned to a processor of its own where the system
/// allows it. run() hands every thread the same job and waits for all: a fork and a join, so what
/// one job wrote, the next one may read on any thread.
class ThreadTeam
{
public:
    /// Starts `threads` threads named `<name>-<index>`. With `pin`, thread i is bound to the i-th
    /// processor that this process may use, when there are at least as many of them as threads.
    /// Throws Error(OutOfMemory) if the system gives fewer threads.
    ThreadTeam(const std::string& name, int threads, bool pin);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    /// Calls job(index) on every thread and returns when all are done. If some throw, all others
    /// still finish and the exception of the lowest index is thrown here. One caller at a time.
    void run(const std::function<void(int)>& job);

    [[nodiscard]] int size() const noexcept { return static_cast<int>(m_threads.size()); }
    [[nodiscard]] bool isPinned() const noexcept { return m_isPinned; }

    /// Processors that this process may use.
    static int processors();

private:
    void work(int index);
    bool pinToProcessors();
    void stop();

    std::vector<std::exception_ptr> m_failures;
    const std::function<void(int)>* m_job = nullptr;
    std::atomic<std::uint32_t> m_ticket{0};
    std::atomic<int> m_running{0};
    std::atomic<bool> m_stop{false};
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::condition_variable m_done;
    bool m_isPinned = false;
    std::vector<std::thread> m_threads;
};

} // namespace lockstep
