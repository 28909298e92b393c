// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/interface.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

/// How the own steady clock stands to that of rank 0.
struct RankClock
{
    double offset = 0.0;      ///< seconds to add to the own clock
    double uncertainty = 0.0; ///< seconds that it may be wrong by: half of the quickest round trip
};

/// The processes of one training, its *ranks*, on one machine or several: 0 .. size() - 1. Rank 0
/// decides, and writes the run; all others do as it says.
///
/// Collective calls are made by all ranks in the same order, by one thread of each; transfers by
/// another one. Whoever waits for a rank that is lost, or that tell()s a failure, gets
/// Error(Device) that names it. Of the other methods setWork() and keepUntilEnd()
/// belong to the thread of the collective calls; the rest to any.
class Ranks : public Interface
{
public:
    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;
    /// The name of the machine that a rank runs on.
    [[nodiscard]] virtual const std::string& hostOf(int rank) const = 0;
    /// What they speak through, for the record: "Open MPI v4.1.4".
    [[nodiscard]] virtual const std::string& library() const = 0;

    /// `all` becomes the bytes of all ranks, in their order: as many from each. Collective.
    virtual void allGather(std::span<const std::byte> own, std::span<std::byte> all) = 0;
    /// `bytes` become those of rank 0. Collective.
    virtual void broadcast(std::span<std::byte> bytes) = 0;
    /// Brings the clocks together; clock() tells. Collective.
    virtual void compareClocks() = 0;
    [[nodiscard]] virtual RankClock clock() const = 0;

    /// A transfer that is under way; its bytes must stay until isDone() was true.
    using Transfer = std::uint64_t;
    [[nodiscard]] virtual Transfer startSend(int to, std::span<const std::byte> bytes) = 0;
    /// Of what the other rank sends this one, in its order.
    [[nodiscard]] virtual Transfer startReceive(int from, std::span<std::byte> bytes) = 0;
    [[nodiscard]] virtual bool isDone(Transfer transfer) = 0;

    /// Memory of transfers that were broken off, into which another rank may still write.
    void keepUntilEnd(std::shared_ptr<const void> memory) { m_kept.push_back(std::move(memory)); }

    /// What each rank works on, for messages that name it: "towers 2 to 3".
    virtual void setWork(std::vector<std::string> work) = 0;
    /// A rank whose process says nothing for so many seconds is lost.
    virtual void setSilence(double seconds) = 0;
    /// The training does not get on: whoever waits, or will, gets an error that names the rank that
    /// is behind.
    virtual void giveUp(const std::string& why) = 0;
    /// Tells all others why this rank ends: they end too, with this text and the name of the rank.
    virtual void tell(const std::string& failure) noexcept = 0;
    /// Asks rank 0 to end the training in good order; there isStopWanted() becomes true.
    virtual void askToStop() = 0;
    [[nodiscard]] virtual bool isStopWanted() const = 0;
    /// The rank that this one found lost, or behind all others for too long; -1: none. Ranks beside
    /// the first one watch that one alone.
    [[nodiscard]] virtual int lostRank() const = 0;
    /// The last call: waits for all others, some seconds at most, and ends those that don't come.
    /// May end this process, too, with this exit status.
    virtual void leave(int status) = 0;

private:
    std::vector<std::shared_ptr<const void>> m_kept;
};

/// The values of all ranks, in their order. T: bytes without pointers. Collective.
template<class T>
std::vector<T> gathered(Ranks& ranks, const T& own)
{
    std::vector<T> all(static_cast<std::size_t>(ranks.size()));
    ranks.allGather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)));
    return all;
}

/// Completes `whole`, of which this rank has values [begins[rank], begins[rank + 1]), with those of
/// all others. T: bytes without pointers. Collective.
template<class T>
void shareSlices(Ranks& ranks, std::span<T> whole, std::span<const std::size_t> begins)
{
    std::size_t room = 0; // each sends room for the most
    for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
        room = std::max(room, begins[i + 1] - begins[i]);
    }
    const auto slice = [&](std::size_t rank) {
        return whole.subspan(begins[rank], begins[rank + 1] - begins[rank]);
    };
    std::vector<T> sent(room);
    std::vector<T> received(room * (begins.size() - 1));
    std::ranges::copy(slice(static_cast<std::size_t>(ranks.rank())), sent.begin());
    ranks.allGather(std::as_bytes(std::span(sent)), std::as_writable_bytes(std::span(received)));
    for (std::size_t rank = 0; rank + 1 < begins.size(); ++rank) {
        const auto values = slice(rank);
        std::copy_n(received.data() + rank * room, values.size(), values.begin());
    }
}

/// The texts of all ranks, in their order. Collective.
std::vector<std::string> gatheredTexts(Ranks& ranks, const std::string& own);

/// That of rank 0. Collective.
template<class T>
T fromFirst(Ranks& ranks, T value)
{
    ranks.broadcast(std::as_writable_bytes(std::span(&value, 1)));
    return value;
}
std::string textFromFirst(Ranks& ranks, const std::string& text);

} // namespace lockstep
