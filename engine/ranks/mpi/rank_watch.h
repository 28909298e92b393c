// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lockstep::mpi {

/// Error(Device) if MPI refused something; `what` says what.
void checkMpi(int result, const char* what);

/// What the ranks say to each other beside the training, on a communicator and a thread of its own:
/// that they live, how far they are, that one ends and why. Rank 0 hears all others, these hear
/// rank 0. Notices a rank that is gone within half a second on its own machine, elsewhere when
/// nothing was heard of it for too long. Thread-safe.
class RankWatch
{
    using Clock = std::chrono::steady_clock;

public:
    /// `names`: of all ranks, for messages. Collective.
    RankWatch(MPI_Comm ranks, std::vector<std::string> names);
    ~RankWatch();
    RankWatch(const RankWatch&) = delete;
    RankWatch& operator=(const RankWatch&) = delete;

    void setWork(std::vector<std::string> work);
    void setSilence(double seconds) { m_silence = seconds; }
    /// Whoever waits for another rank, again and again: throws why the training can't go on, once
    /// that is known.
    void throwIfOver()
    {
        m_waited.store(Clock::now().time_since_epoch().count(), std::memory_order_relaxed);
        if (m_isOver.load(std::memory_order_acquire)) {
            throwOver();
        }
    }
    void giveUp(const std::string& why);
    void tell(const std::string& failure) noexcept;
    void askToStop() { m_isStopWanted = true; }
    [[nodiscard]] bool isStopWanted() const { return m_isStopWanted; }
    [[nodiscard]] int lostRank() const { return m_lostRank; }
    /// Whether all ranks are leaving; waits for them, some seconds at most.
    [[nodiscard]] bool meetAtEnd();

private:
    /// What is said, again and again. Bytes.
    struct Beat
    {
        std::int8_t isWaiting = 0; ///< for another rank
        std::int8_t isStopWanted = 0;
        std::int8_t isLeaving = 0;
    };
    /// Where a process is: its machine, boot and numbers of processes there.
    struct Place
    {
        std::uint64_t machine = 0;
        int process = 0;
    };
    struct Peer
    {
        int rank = 0;
        Clock::time_point heard = Clock::now();
        Beat newest;
        Beat sent; ///< until m_sending is done
        MPI_Request sending = MPI_REQUEST_NULL;
        bool isNear = false; ///< its process can be looked at
        int process = 0;
    };

    void work();
    void sendBeats();
    void hear();
    void hearBeat(Peer& peer);
    void hearFailure(int source, int bytes);
    void lookForLost();
    void nameWhoIsBehind(const std::string& why);
    [[nodiscard]] bool isWaiting() const;
    [[nodiscard]] bool isGone(const Peer& peer) const;
    [[nodiscard]] std::string nameOf(int rank) const;
    void end(const std::string& reason);
    [[noreturn]] void throwOver() const;
    Peer& peerOf(int rank);

    MPI_Comm m_comm = MPI_COMM_NULL;
    int m_rank = 0;
    std::vector<std::string> m_names;
    // Of the thread.
    std::vector<Peer> m_peers;
    std::string m_heardFailure; ///< of another rank; empty: none
    Clock::time_point m_failureHeard;
    std::atomic<Clock::rep> m_waited{0}; ///< when a thread last waited for another rank
    std::atomic<double> m_silence{30.0};
    std::atomic<bool> m_isStopWanted{false};
    std::atomic<bool> m_isLeaving{false};
    std::atomic<bool> m_haveAllLeft{false};
    std::atomic<bool> m_isOver{false};
    std::atomic<int> m_lostRank{-1};
    std::atomic<bool> m_isWanted{true};
    mutable std::mutex m_mutex;
    std::vector<std::string> m_work;
    std::string m_reason;  ///< why it is over
    std::string m_failure; ///< of this rank, to be told
    bool m_isFailureTold = false;
    std::string m_told;    ///< the bytes that are on their way
    std::string m_givenUp; ///< why; empty: not
    std::thread m_thread;
};

} // namespace lockstep::mpi
