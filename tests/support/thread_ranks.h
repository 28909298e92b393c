// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "ranks/ranks.h"

#include <fmt/core.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lockstep::test {

/// What ranks that are threads of this process share. Stricter than MPI: ranks whose collective
/// calls are not the same are told so, what is received is full of NaN until isDone() said that it
/// is there, and what is sent is read at the last moment. Thread-safe.
class RankMeeting
{
public:
    explicit RankMeeting(int size) : m_moves(static_cast<std::size_t>(size))
    {
        for (int rank = 0; rank < size; ++rank) {
            m_hosts.push_back(fmt::format("node{}", rank / 2));
        }
        m_brought.resize(m_hosts.size());
    }

    [[nodiscard]] const std::vector<std::string>& hosts() const { return m_hosts; }

    using Bytes = std::vector<std::byte>;
    /// What all brought to this call.
    std::vector<Bytes> meet(int rank, const char* call, std::span<const std::byte> own)
    {
        std::unique_lock lock(m_mutex);
        throwIfOver();
        if (m_arrived == 0) {
            m_call = call;
        }
        require(std::string(m_call) == call, "ranks make different collective calls");
        m_brought[static_cast<std::size_t>(rank)].assign(own.begin(), own.end());
        const std::uint64_t meeting = m_meeting;
        if (++m_arrived == m_hosts.size()) {
            m_all = m_brought;
            m_arrived = 0;
            ++m_meeting;
            m_changed.notify_all();
        }
        m_changed.wait(lock, [&] { return m_meeting != meeting || !m_reason.empty(); });
        if (m_meeting == meeting) {
            throwIfOver();
        }
        ++m_moves[static_cast<std::size_t>(rank)];
        for (const Bytes& bytes : m_all) {
            require(bytes.size() == own.size(), "ranks bring another number of bytes");
        }
        return m_all;
    }

    Ranks::Transfer startSend(int from, int to, std::span<const std::byte> bytes)
    {
        const std::scoped_lock lock(m_mutex);
        m_sent[{from, to}].push_back({++m_newest, bytes});
        return m_newest;
    }
    Ranks::Transfer startReceive(int from, int to, std::span<std::byte> bytes)
    {
        std::ranges::fill(bytes, std::byte{0xFF});
        const std::scoped_lock lock(m_mutex);
        m_received[{from, to}].push_back({++m_newest, bytes});
        return m_newest;
    }
    bool isDone(int rank, Ranks::Transfer transfer)
    {
        const std::scoped_lock lock(m_mutex);
        throwIfOver();
        require(transfer <= m_newest, "there is no such transfer");
        for (auto& [way, sent] : m_sent) {
            deliver(sent, m_received[way], transfer);
        }
        const bool isDone = m_done.erase(transfer) > 0;
        m_moves[static_cast<std::size_t>(rank)] += isDone ? 1U : 0U;
        return isDone;
    }

    void setWork(std::vector<std::string> work)
    {
        const std::scoped_lock lock(m_mutex);
        m_work = std::move(work);
    }
    void giveUp(const std::string& why)
    {
        const std::scoped_lock lock(m_mutex);
        const auto last = std::ranges::min_element(m_moves);
        end(static_cast<int>(last - m_moves.begin()), why);
    }
    void tell(int rank, const std::string& failure)
    {
        const std::scoped_lock lock(m_mutex);
        end(rank, failure);
    }
    void askToStop()
    {
        const std::scoped_lock lock(m_mutex);
        m_isStopWanted = true;
    }
    [[nodiscard]] bool isStopWanted() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_isStopWanted;
    }

private:
    using Way = std::pair<int, int>; ///< from, to
    template<class T>
    struct Posted
    {
        Ranks::Transfer transfer = 0;
        std::span<T> bytes;
    };
    template<class T>
    using Queue = std::deque<Posted<T>>;

    /// Those of a way up to the one that is asked for.
    void deliver(Queue<const std::byte>& sent, Queue<std::byte>& received, Ranks::Transfer asked)
    {
        const auto isAsked = [asked](const auto& posted) { return posted.transfer == asked; };
        while ((std::ranges::any_of(sent, isAsked) || std::ranges::any_of(received, isAsked))
               && !sent.empty() && !received.empty()) {
            const auto from = sent.front();
            const auto to = received.front();
            require(from.bytes.size() == to.bytes.size(), "a message of another size");
            std::ranges::copy(from.bytes, to.bytes.begin());
            m_done[from.transfer] = m_done[to.transfer] = true;
            sent.pop_front();
            received.pop_front();
        }
    }
    void end(int rank, const std::string& reason)
    {
        if (m_reason.empty()) {
            const auto number = static_cast<std::size_t>(rank);
            m_reason = fmt::format(
                "rank {} on {}{}: {}", rank, m_hosts[number],
                m_work.empty() ? "" : fmt::format(" ({})", m_work[number]), reason);
        }
        m_changed.notify_all();
    }
    void throwIfOver() const
    {
        if (!m_reason.empty()) {
            throw Error(ErrorCode::Device, m_reason);
        }
    }

    std::vector<std::string> m_hosts;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    const char* m_call = "";
    std::vector<Bytes> m_brought;
    std::vector<Bytes> m_all; ///< of the last meeting
    std::size_t m_arrived = 0;
    std::uint64_t m_meeting = 0;
    Ranks::Transfer m_newest = 0;
    std::map<Way, Queue<const std::byte>> m_sent;
    std::map<Way, Queue<std::byte>> m_received;
    std::map<Ranks::Transfer, bool> m_done; ///< and not yet asked for
    std::vector<std::uint64_t> m_moves;     ///< by rank
    std::vector<std::string> m_work;
    std::string m_reason; ///< why it is over
    bool m_isStopWanted = false;
};

/// One of them.
class ThreadRank final : public Ranks
{
public:
    ThreadRank(RankMeeting& meeting, int rank) : m_meeting(meeting), m_rank(rank) {}

    [[nodiscard]] int rank() const override { return m_rank; }
    [[nodiscard]] int size() const override { return static_cast<int>(m_meeting.hosts().size()); }
    [[nodiscard]] const std::string& hostOf(int rank) const override
    {
        return m_meeting.hosts()[static_cast<std::size_t>(rank)];
    }
    [[nodiscard]] const std::string& library() const override { return m_library; }

    void allGather(std::span<const std::byte> own, std::span<std::byte> all) override
    {
        require(all.size() == own.size() * m_meeting.hosts().size(), "room for other ranks");
        auto place = all.begin();
        for (const auto& bytes : m_meeting.meet(m_rank, "allGather", own)) {
            place = std::ranges::copy(bytes, place).out;
        }
    }
    void broadcast(std::span<std::byte> bytes) override
    {
        std::ranges::copy(m_meeting.meet(m_rank, "broadcast", bytes).front(), bytes.begin());
    }
    void compareClocks() override { m_meeting.meet(m_rank, "compareClocks", {}); }
    [[nodiscard]] RankClock clock() const override { return {}; }

    [[nodiscard]] Transfer startSend(int to, std::span<const std::byte> bytes) override
    {
        return m_meeting.startSend(m_rank, to, bytes);
    }
    [[nodiscard]] Transfer startReceive(int from, std::span<std::byte> bytes) override
    {
        return m_meeting.startReceive(from, m_rank, bytes);
    }
    [[nodiscard]] bool isDone(Transfer transfer) override
    {
        return m_meeting.isDone(m_rank, transfer);
    }

    void setWork(std::vector<std::string> work) override { m_meeting.setWork(std::move(work)); }
    void setSilence(double /*seconds*/) override {}
    void giveUp(const std::string& why) override { m_meeting.giveUp(why); }
    void tell(const std::string& failure) noexcept override { m_meeting.tell(m_rank, failure); }
    void askToStop() override { m_meeting.askToStop(); }
    [[nodiscard]] bool isStopWanted() const override { return m_meeting.isStopWanted(); }
    [[nodiscard]] int lostRank() const override { return -1; }
    void leave(int /*status*/) override {}

private:
    RankMeeting& m_meeting;
    int m_rank;
    std::string m_library = "threads";
};

/// Calls `work` as each of so many ranks, two of which share a machine, on a thread each, and waits
/// for all. An error of one ends all; it is thrown, the first one first.
inline void runRanks(int size, const std::function<void(Ranks&)>& work)
{
    RankMeeting meeting(size);
    std::deque<ThreadRank> ranks; // until all are done: they keep memory
    std::mutex mutex;
    std::exception_ptr failure;
    {
        std::vector<std::jthread> threads;
        for (int rank = 0; rank < size; ++rank) {
            ranks.emplace_back(meeting, rank);
            threads.emplace_back([&, &own = ranks.back()] {
                try {
                    work(own);
                } catch (const std::exception& error) {
                    {
                        const std::scoped_lock lock(mutex);
                        failure = failure ? failure : std::current_exception();
                    }
                    own.tell(error.what());
                }
            });
        }
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

} // namespace lockstep::test
