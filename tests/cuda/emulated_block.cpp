// SPDX-License-Identifier: Apache-2.0
#include "cuda/emulated_block.h"

#include "cuda/fiber.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace lockstep::emulation {
namespace {

constexpr unsigned kLanes = 32;
constexpr std::size_t kSlotBytes = 16;

struct Warp
{
    unsigned arrived = 0;
    // What lanes give at exchange k lies in set k % 2: the next exchange writes the other one while
    // slow lanes still read.
    std::array<std::array<std::array<std::byte, kSlotBytes>, kLanes>, 2> slots{};
};

struct Thread
{
    Fiber* fiber = nullptr; ///< what it runs on; threads that have not begun have none
    unsigned exchanges = 0;
    bool hasWaited = false; ///< for the kernel before
};

/// One choice in two, the same at every run of the program.
bool isVaried()
{
    static thread_local unsigned variation = 1;
    variation = variation * 1664525U + 1013904223U;
    return (variation >> 31U) != 0;
}

/// Runs the threads of one block after another's. As many for each thread of the host, for its
/// life, as it ran blocks at once: the stacks are used again.
class BlockRunner
{
public:
    void begin(const GridShape& shape, std::uint64_t number, const std::function<void()>& kernel);
    /// Runs the threads until all have ended or wait for the grid; says whether they have ended.
    bool run();
    void passGridBarrier();
    void waitForBlock();
    void waitForGrid();
    void waitForKernelBefore() { m_threads[m_current].hasWaited = true; }
    void exchange(unsigned mask, const void* own, void* received, const WarpExchange& exchange);

private:
    static void enterFiber();
    void runThreads();
    void runThread(unsigned number);
    Fiber* takeIdle();
    void switchTo(Fiber& next);
    void leaveWaiting();
    void goOn(unsigned first, unsigned count);
    void place() const;

    const std::function<void()>* m_kernel = nullptr;
    GridShape m_shape;
    uint3 m_place{}; ///< of the block
    unsigned m_count = 0;
    unsigned m_started = 0;
    unsigned m_done = 0;
    unsigned m_atBarrier = 0;
    unsigned m_atGridBarrier = 0;
    unsigned m_current = 0;
    std::string m_error;
    std::vector<Thread> m_threads;
    std::vector<Warp> m_warps;
    std::deque<unsigned> m_ready; ///< wait no more
    std::vector<std::unique_ptr<Fiber>> m_fibers;
    std::vector<Fiber*> m_idle;
    Fiber m_main;
    Fiber* m_running = &m_main;
    bool m_isReversed = false; ///< the last thread begins first
};

/// Of the block that runs.
thread_local BlockRunner* current = nullptr;

BlockRunner& runner()
{
    return *current;
}

/// The runner of the block that is number `place` of those that run at once.
BlockRunner& runnerAt(std::size_t place)
{
    static thread_local std::vector<std::unique_ptr<BlockRunner>> all;
    while (all.size() <= place) {
        all.push_back(std::make_unique<BlockRunner>());
    }
    return *all[place];
}

void BlockRunner::begin(
    const GridShape& shape, std::uint64_t number, const std::function<void()>& kernel)
{
    const auto& [grid, block, isCooperative, isDependent] = shape;
    if (m_idle.size() < m_fibers.size()) {
        // Threads of a kernel that failed never end and keep their stacks: they go with them.
        m_fibers.clear();
        m_idle.clear();
    }
    m_shape = shape;
    m_place = {
        static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
        static_cast<unsigned>(number / grid.x / grid.y)};
    m_kernel = &kernel;
    m_count = block.x * block.y * block.z;
    m_started = m_done = m_atBarrier = m_atGridBarrier = 0;
    m_isReversed = isVaried();
    m_error.clear();
    m_ready.clear();
    m_threads.assign(m_count, {});
    m_warps.assign((m_count + kLanes - 1) / kLanes, {});
}

bool BlockRunner::run()
{
    current = this;
    blockIdx = m_place;
    while (m_done < m_count && m_atGridBarrier < m_count && m_error.empty()) {
        if (m_ready.empty() && m_started == m_count) {
            m_error = "some threads of a block wait at a barrier that the others never reach";
            break;
        }
        switchTo(m_ready.empty() ? *takeIdle() : *m_threads[m_ready.front()].fiber);
    }
    if (!m_error.empty()) {
        throw std::runtime_error(m_error);
    }
    return m_done == m_count;
}

void BlockRunner::passGridBarrier()
{
    m_atGridBarrier = 0;
    goOn(0, m_count);
}

void BlockRunner::enterFiber()
{
    for (;;) {
        BlockRunner& self = runner();
        self.runThreads();
        self.m_idle.push_back(self.m_running);
        self.switchTo(self.m_main);
    }
}

/// Begins threads on this stack as long as none waits to go on; threads without barriers all run
/// here, without a switch.
void BlockRunner::runThreads()
{
    while (m_ready.empty() && m_started < m_count && m_error.empty()) {
        const unsigned number = m_started++;
        runThread(m_isReversed ? m_count - 1 - number : number);
    }
}

void BlockRunner::runThread(unsigned number)
{
    m_current = number;
    m_threads[number].fiber = m_running;
    place();
    try {
        (*m_kernel)();
        if (m_shape.isDependent && !m_threads[number].hasWaited) {
            throw std::runtime_error("a thread ends that has not waited for the kernel before");
        }
    } catch (const std::exception& error) {
        m_error = error.what();
    }
    ++m_done;
}

Fiber* BlockRunner::takeIdle()
{
    if (m_idle.empty()) {
        return m_fibers.emplace_back(std::make_unique<Fiber>(&BlockRunner::enterFiber)).get();
    }
    Fiber* fiber = m_idle.back();
    m_idle.pop_back();
    return fiber;
}

void BlockRunner::switchTo(Fiber& next)
{
    Fiber& self = *m_running;
    m_running = &next;
    self.switchTo(next);
}

/// Lets others run until this thread's turn comes again.
void BlockRunner::leaveWaiting()
{
    const unsigned self = m_current;
    const bool canBegin = m_started < m_count;
    if (m_ready.empty() || m_ready.front() != self) {
        switchTo(
            !m_ready.empty() ? *m_threads[m_ready.front()].fiber
            : canBegin       ? *takeIdle()
                             : m_main);
    }
    m_ready.pop_front();
    m_current = self;
    place();
}

void BlockRunner::goOn(unsigned first, unsigned count)
{
    const bool isReversed = isVaried();
    for (unsigned i = 0; i < count; ++i) {
        m_ready.push_back(first + (isReversed ? count - 1 - i : i));
    }
}

void BlockRunner::place() const
{
    threadIdx.x = m_current % blockDim.x;
    threadIdx.y = m_current / blockDim.x % blockDim.y;
    threadIdx.z = m_current / (blockDim.x * blockDim.y);
}

void BlockRunner::waitForBlock()
{
    if (++m_atBarrier == m_count) {
        m_atBarrier = 0;
        goOn(0, m_count);
    }
    leaveWaiting();
}

void BlockRunner::waitForGrid()
{
    if (!m_shape.isCooperative) {
        throw std::runtime_error("a barrier of the grid in a kernel that was not launched for it");
    }
    ++m_atGridBarrier;
    leaveWaiting();
}

void BlockRunner::exchange(
    unsigned mask, const void* own, void* received, const WarpExchange& exchange)
{
    const unsigned first = m_current - m_current % kLanes;
    if (mask != 0xFFFFFFFFU || first + kLanes > m_count || exchange.bytes > kSlotBytes) {
        throw std::runtime_error("a shuffle that is not of a whole warp, or of large values");
    }
    Warp& warp = m_warps[m_current / kLanes];
    auto& slots = warp.slots[m_threads[m_current].exchanges++ % 2];
    std::memcpy(slots[m_current % kLanes].data(), own, exchange.bytes);
    if (++warp.arrived == kLanes) {
        warp.arrived = 0;
        goOn(first, kLanes);
    }
    leaveWaiting();
    std::memcpy(received, slots[exchange.sourceLane].data(), exchange.bytes);
}

} // namespace

void runGrid(const GridShape& shape, const std::function<void()>& kernel)
{
    gridDim = shape.grid;
    blockDim = shape.block;
    const std::uint64_t blocks = std::uint64_t{gridDim.x} * gridDim.y * gridDim.z;
    const std::uint64_t atOnce = shape.isCooperative ? blocks : 1;
    const bool isReversed = isVaried();
    for (std::uint64_t first = 0; first < blocks; first += atOnce) {
        for (std::uint64_t i = first; i < first + atOnce; ++i) {
            runnerAt(i - first).begin(shape, isReversed ? blocks - 1 - i : i, kernel);
        }
        for (std::uint64_t ended = 0; ended < atOnce;) {
            ended = 0;
            for (std::uint64_t i = 0; i < atOnce; ++i) {
                ended += runnerAt(i).run() ? 1 : 0;
            }
            if (ended > 0 && ended < atOnce) {
                throw std::runtime_error("some blocks wait at a barrier that others never reach");
            }
            for (std::uint64_t i = 0; ended == 0 && i < atOnce; ++i) {
                runnerAt(i).passGridBarrier();
            }
        }
    }
}

void blockBarrier()
{
    runner().waitForBlock();
}

void gridBarrier()
{
    runner().waitForGrid();
}

void waitForKernelBefore()
{
    runner().waitForKernelBefore();
}

unsigned laneOfThread()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % kLanes;
}

void exchangeInWarp(unsigned mask, const void* own, void* received, const WarpExchange& exchange)
{
    runner().exchange(mask, own, received, exchange);
}

} // namespace lockstep::emulation
