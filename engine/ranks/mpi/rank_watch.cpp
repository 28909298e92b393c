// SPDX-License-Identifier: Apache-2.0
#include "ranks/mpi/rank_watch.h"

#include "base/error.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <system_error>
#include <utility>

namespace lockstep::mpi {
namespace {

constexpr std::chrono::milliseconds kBetweenBeats{100};
constexpr std::chrono::milliseconds kBetweenLooks{20};
constexpr std::chrono::milliseconds kMostWaitAtEnd{5000};
/// Of those that are left, where one is lost.
constexpr std::chrono::milliseconds kTimeToHear{1500};
/// A launcher that ends all because one is gone leaves the others about a second.
constexpr std::chrono::milliseconds kSilenceAtEnd{700};

constexpr std::chrono::milliseconds kLongAway{1000};
constexpr std::chrono::milliseconds kUnderWay{200};
/// Who waits for another rank asks within milliseconds; longer than that on a busy machine.
constexpr std::chrono::milliseconds kLongWait{500};

constexpr int kBeatTag = 1;
constexpr int kFailureTag = 2;

/// Processes whose machine and name space of process numbers are the same can see each other.
std::uint64_t machineOf()
{
    std::string boot;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
    std::error_code error;
    const auto space = std::filesystem::read_symlink("/proc/self/ns/pid", error);
    return std::hash<std::string>()(boot + space.string());
}

} // namespace

void checkMpi(int result, const char* what)
{
    if (result != MPI_SUCCESS) {
        std::array<char, MPI_MAX_ERROR_STRING> text{};
        int length = 0;
        MPI_Error_string(result, text.data(), &length);
        fail(ErrorCode::Device, "MPI: {}: {}", what, text.data());
    }
}

RankWatch::RankWatch(MPI_Comm ranks, std::vector<std::string> names) : m_names(std::move(names))
{
    checkMpi(MPI_Comm_dup(ranks, &m_comm), "joining the ranks");
    checkMpi(MPI_Comm_set_errhandler(m_comm, MPI_ERRORS_RETURN), "joining the ranks");
    MPI_Comm_rank(m_comm, &m_rank);
    const Place own{machineOf(), ::getpid()};
    std::vector<Place> places(m_names.size());
    checkMpi(
        MPI_Allgather(&own, sizeof(own), MPI_BYTE, places.data(), sizeof(own), MPI_BYTE, m_comm),
        "joining the ranks");
    for (int rank = 0; rank < static_cast<int>(m_names.size()); ++rank) {
        if (rank != m_rank && (rank == 0 || m_rank == 0)) {
            const Place& place = places[static_cast<std::size_t>(rank)];
            Peer& peer = m_peers.emplace_back();
            peer.rank = rank;
            peer.isNear = place.machine == own.machine;
            peer.process = place.process;
        }
    }
    m_thread = std::thread([this] { work(); });
}

RankWatch::~RankWatch()
{
    m_isWanted = false;
    m_thread.join();
    for (Peer& peer : m_peers) {
        if (peer.sending != MPI_REQUEST_NULL) {
            MPI_Request_free(&peer.sending);
        }
    }
}

void RankWatch::setWork(std::vector<std::string> work)
{
    const std::scoped_lock lock(m_mutex);
    m_work = std::move(work);
}

void RankWatch::giveUp(const std::string& why)
{
    const std::scoped_lock lock(m_mutex);
    m_givenUp = why;
}

void RankWatch::tell(const std::string& failure) noexcept
{
    {
        const std::scoped_lock lock(m_mutex);
        if (m_isOver || m_isFailureTold || !m_failure.empty()) {
            return; // the others know
        }
        m_failure = failure;
    }
    const auto since = Clock::now();
    while (Clock::now() - since < kMostWaitAtEnd) {
        {
            const std::scoped_lock lock(m_mutex);
            if (m_isFailureTold) {
                return;
            }
        }
        std::this_thread::sleep_for(kBetweenLooks);
    }
}

bool RankWatch::meetAtEnd()
{
    m_isLeaving = true;
    const auto since = Clock::now();
    while (!m_haveAllLeft
           && Clock::now() - since < (m_lostRank >= 0 ? kTimeToHear : kMostWaitAtEnd)) {
        std::this_thread::sleep_for(kBetweenLooks);
    }
    return m_haveAllLeft;
}

void RankWatch::work()
{
    auto sent = Clock::time_point();
    auto looked = Clock::now();
    while (m_isWanted) {
        try {
            // What the others said while this process was stopped is still to be heard.
            if (Clock::now() - std::exchange(looked, Clock::now()) > kLongAway) {
                for (Peer& peer : m_peers) {
                    peer.heard = Clock::now();
                }
            }
            if (Clock::now() - sent >= kBetweenBeats || m_isLeaving) {
                sendBeats();
                sent = Clock::now();
            }
            hear();
            lookForLost();
            // What the other one sent before it failed may still be on its way: a fault that all
            // find by themselves is told in their own words.
            if (!m_heardFailure.empty() && Clock::now() - m_failureHeard > kUnderWay) {
                end(m_heardFailure);
            }
        } catch (const std::exception& error) {
            end(error.what());
        }
        std::this_thread::sleep_for(kBetweenLooks);
    }
}

void RankWatch::sendBeats()
{
    std::string failure;
    {
        const std::scoped_lock lock(m_mutex);
        failure = m_isFailureTold ? "" : m_failure;
    }
    if (!failure.empty()) {
        m_told = failure;
        for (const Peer& peer : m_peers) {
            MPI_Request request = MPI_REQUEST_NULL; // one that is lost would never take it
            MPI_Isend(
                m_told.data(), static_cast<int>(m_told.size()), MPI_BYTE, peer.rank, kFailureTag,
                m_comm, &request);
            MPI_Request_free(&request);
        }
        const std::scoped_lock lock(m_mutex);
        m_isFailureTold = true;
    }
    // Rank 0 is the last to say that it leaves.
    const auto hasLeft = [](const Peer& peer) { return peer.newest.isLeaving != 0; };
    const bool haveOthersLeft = std::ranges::all_of(m_peers, hasLeft);
    const bool isLeaving = m_isLeaving && (m_rank > 0 || haveOthersLeft);
    bool isSaid = isLeaving && haveOthersLeft;
    for (Peer& peer : m_peers) {
        int isDone = 1;
        MPI_Test(&peer.sending, &isDone, MPI_STATUS_IGNORE);
        if (isDone == 0) {
            isSaid = false;
            continue; // it does not listen
        }
        isSaid = isSaid && (m_rank > 0 || peer.sent.isLeaving != 0);
        peer.sent = {
            static_cast<std::int8_t>(isWaiting() ? 1 : 0),
            static_cast<std::int8_t>(m_isStopWanted ? 1 : 0),
            static_cast<std::int8_t>(isLeaving ? 1 : 0)};
        MPI_Isend(&peer.sent, sizeof(Beat), MPI_BYTE, peer.rank, kBeatTag, m_comm, &peer.sending);
    }
    m_haveAllLeft = isSaid;
}

void RankWatch::hear()
{
    for (;;) {
        int isThere = 0;
        MPI_Status status;
        checkMpi(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, m_comm, &isThere, &status), "listening");
        if (isThere == 0) {
            return;
        }
        if (status.MPI_TAG == kBeatTag) {
            hearBeat(peerOf(status.MPI_SOURCE));
        } else {
            int bytes = 0;
            MPI_Get_count(&status, MPI_BYTE, &bytes);
            hearFailure(status.MPI_SOURCE, bytes);
        }
    }
}

RankWatch::Peer& RankWatch::peerOf(int rank)
{
    return *std::ranges::find(m_peers, rank, &Peer::rank);
}

void RankWatch::hearBeat(Peer& peer)
{
    MPI_Recv(&peer.newest, sizeof(Beat), MPI_BYTE, peer.rank, kBeatTag, m_comm, MPI_STATUS_IGNORE);
    peer.heard = Clock::now();
    if (peer.newest.isStopWanted != 0) {
        m_isStopWanted = true;
    }
}

void RankWatch::hearFailure(int source, int bytes)
{
    std::string text(static_cast<std::size_t>(bytes), '\0');
    MPI_Recv(text.data(), bytes, MPI_BYTE, source, kFailureTag, m_comm, MPI_STATUS_IGNORE);
    if (m_heardFailure.empty()) {
        m_heardFailure = source == 0 ? text : fmt::format("{}: {}", nameOf(source), text);
        m_failureHeard = Clock::now();
    }
}

void RankWatch::lookForLost()
{
    const auto now = Clock::now();
    std::string givenUp;
    {
        const std::scoped_lock lock(m_mutex);
        givenUp = m_givenUp;
    }
    for (const Peer& peer : m_peers) {
        const std::chrono::duration<double> silence = now - peer.heard;
        if (peer.newest.isLeaving != 0) {
            continue;
        }
        if (isGone(peer)) {
            m_lostRank = peer.rank;
            end(fmt::format("{} is gone: its process has ended", nameOf(peer.rank)));
        } else if (
            silence.count() > m_silence
            || (m_rank == 0 && m_isStopWanted && !peer.isNear && silence > kSilenceAtEnd)) {
            m_lostRank = peer.rank;
            end(fmt::format(
                "{} is lost: nothing was heard of it for {:.1f} s", nameOf(peer.rank),
                silence.count()));
        }
    }
    if (!givenUp.empty() && !m_peers.empty()) {
        nameWhoIsBehind(givenUp);
    }
}

/// One that says nothing, or waits for nobody: all others wait for it.
void RankWatch::nameWhoIsBehind(const std::string& why)
{
    const auto behind = std::ranges::find_if(m_peers, [now = Clock::now()](const Peer& peer) {
        return now - peer.heard > kLongAway || peer.newest.isWaiting == 0;
    });
    m_lostRank = !isWaiting() || behind == m_peers.end() ? m_rank : behind->rank;
    end(fmt::format("{}: {}", nameOf(m_lostRank), why));
}

bool RankWatch::isWaiting() const
{
    const Clock::time_point waited{Clock::duration(m_waited.load(std::memory_order_relaxed))};
    return Clock::now() - waited < kLongWait;
}

bool RankWatch::isGone(const Peer& peer) const
{
    if (!peer.isNear) {
        return false;
    }
    if (::kill(peer.process, 0) != 0 && errno == ESRCH) {
        return true;
    }
    // Ended, and not yet asked for by the process that started it.
    std::ifstream file(fmt::format("/proc/{}/stat", peer.process));
    std::string text;
    std::getline(file, text);
    const std::size_t name = text.rfind(')');
    return name != std::string::npos && name + 2 < text.size() && text[name + 2] == 'Z';
}

std::string RankWatch::nameOf(int rank) const
{
    const std::scoped_lock lock(m_mutex);
    const auto number = static_cast<std::size_t>(rank);
    return m_work.empty() ? m_names[number]
                          : fmt::format("{} ({})", m_names[number], m_work[number]);
}

void RankWatch::end(const std::string& reason)
{
    {
        const std::scoped_lock lock(m_mutex);
        if (m_isOver) {
            return;
        }
        m_reason = reason;
        if (m_rank == 0 && m_failure.empty()) {
            m_failure = reason; // the others hear rank 0 alone
        }
    }
    m_isOver.store(true, std::memory_order_release);
}

void RankWatch::throwOver() const
{
    const std::scoped_lock lock(m_mutex);
    throw Error(ErrorCode::Device, m_reason);
}

} // namespace lockstep::mpi
