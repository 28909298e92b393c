// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "base/error.h"
#include "ranks/mpi/rank_watch.h"
#include "ranks/open_ranks.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <thread>

namespace lockstep::mpi {
namespace {

/// MPI counts in int.
constexpr std::size_t kMostBytes = std::size_t{1} << 30U;
/// Of what passes through the staging memory at once.
constexpr std::size_t kStagedBytes = std::size_t{1} << 24U;

int countOf(std::span<const std::byte> bytes)
{
    require(bytes.size() <= kMostBytes, "too much for one message between ranks");
    return static_cast<int>(bytes.size());
}

/// Waits a moment longer the longer it has waited: what the ranks exchange comes within
/// microseconds, or after a part of a step.
class Patience
{
public:
    void wait()
    {
        constexpr int kYields = 200;
        constexpr int kNaps = 20000; // a second or two: the run is paused, or evaluated
        constexpr std::chrono::microseconds kNap{20};
        constexpr std::chrono::milliseconds kRest{1};
        if (++m_waits < kYields) {
            std::this_thread::yield();
        } else {
            std::this_thread::sleep_for(m_waits < kNaps ? kNap : kRest);
        }
    }

private:
    int m_waits = 0;
};

class MpiRanks final : public Ranks
{
public:
    MpiRanks();
    ~MpiRanks() override = default;

    [[nodiscard]] int rank() const override { return m_rank; }
    [[nodiscard]] int size() const override { return static_cast<int>(m_hosts.size()); }
    [[nodiscard]] const std::string& hostOf(int rank) const override
    {
        return m_hosts[static_cast<std::size_t>(rank)];
    }
    [[nodiscard]] const std::string& library() const override { return m_library; }

    void allGather(std::span<const std::byte> own, std::span<std::byte> all) override;
    void broadcast(std::span<std::byte> bytes) override;
    void compareClocks() override;
    [[nodiscard]] RankClock clock() const override { return m_clock; }

    [[nodiscard]] Transfer startSend(int to, std::span<const std::byte> bytes) override;
    [[nodiscard]] Transfer startReceive(int from, std::span<std::byte> bytes) override;
    [[nodiscard]] bool isDone(Transfer transfer) override;

    void setWork(std::vector<std::string> work) override { m_watch->setWork(std::move(work)); }
    void setSilence(double seconds) override { m_watch->setSilence(seconds); }
    void giveUp(const std::string& why) override { m_watch->giveUp(why); }
    void tell(const std::string& failure) noexcept override { m_watch->tell(failure); }
    void askToStop() override { m_watch->askToStop(); }
    [[nodiscard]] bool isStopWanted() const override { return m_watch->isStopWanted(); }
    [[nodiscard]] int lostRank() const override { return m_watch->lostRank(); }
    void leave(int status) override;

private:
    std::span<std::byte> stage(std::size_t bytes);
    void wait(MPI_Request& request, const char* what);
    double askForTime(int of);
    void answerTime(int to);
    Transfer add(MPI_Request request);

    MPI_Comm m_control = MPI_COMM_NULL;
    MPI_Comm m_transfers = MPI_COMM_NULL;
    int m_rank = 0;
    std::vector<std::string> m_hosts;
    std::string m_library;
    RankClock m_clock;
    std::vector<MPI_Request> m_requests; ///< of transfers; null: free
    /// What collective calls send and receive: one that is broken off may still be written to, when
    /// the caller's memory is gone.
    std::vector<std::byte> m_staging;
    std::unique_ptr<RankWatch> m_watch;
};

/// Of Open MPI over TCP, unless somebody else says so: whole pieces of gradients leave at once, to
/// receives that are posted already. Else a piece waits until its receiver has looked twice, and
/// that rank is computing.
void sendPiecesAtOnce()
{
    constexpr const char* kPieceAndHeader = "264192"; // bytes: 258 KiB
    ::setenv("OMPI_MCA_btl_tcp_eager_limit", kPieceAndHeader, 0);
}

void startMpi()
{
    sendPiecesAtOnce();
    int granted = 0;
    checkMpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &granted), "starting");
    if (granted < MPI_THREAD_MULTIPLE) {
        fail(
            ErrorCode::BadInput, "this MPI can't be used by several threads "
                                 "(MPI_THREAD_MULTIPLE): use one that can, such as Open MPI 4");
    }
}

std::string ownHost()
{
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    return name.data();
}

/// The first line of what it says of itself, up to a comma: the rest is how it was built.
std::string libraryName()
{
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const std::string whole = text.data();
    return whole.substr(0, whole.find_first_of(",\n"));
}

MPI_Comm copyOfWorld()
{
    MPI_Comm copy = MPI_COMM_NULL;
    checkMpi(MPI_Comm_dup(MPI_COMM_WORLD, &copy), "joining the ranks");
    checkMpi(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN), "joining the ranks");
    return copy;
}

MpiRanks::MpiRanks()
{
    startMpi();
    m_control = copyOfWorld();
    m_transfers = copyOfWorld();
    int size = 0;
    MPI_Comm_size(m_control, &size);
    MPI_Comm_rank(m_control, &m_rank);
    m_library = libraryName();
    std::array<char, MPI_MAX_PROCESSOR_NAME> own{};
    std::ranges::copy(ownHost(), own.begin());
    std::vector<std::array<char, MPI_MAX_PROCESSOR_NAME>> hosts(static_cast<std::size_t>(size));
    checkMpi(
        MPI_Allgather(
            own.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, hosts.data(), MPI_MAX_PROCESSOR_NAME,
            MPI_CHAR, m_control),
        "joining the ranks");
    std::vector<std::string> names;
    for (const auto& host : hosts) {
        m_hosts.emplace_back(host.data());
        names.push_back(fmt::format("rank {} on {}", names.size(), m_hosts.back()));
    }
    m_watch = std::make_unique<RankWatch>(MPI_COMM_WORLD, std::move(names));
}

void MpiRanks::wait(MPI_Request& request, const char* what)
{
    Patience patience;
    for (int isDone = 0; isDone == 0;) {
        checkMpi(MPI_Test(&request, &isDone, MPI_STATUS_IGNORE), what);
        if (isDone == 0) {
            m_watch->throwIfOver();
            patience.wait();
        }
    }
}

void MpiRanks::allGather(std::span<const std::byte> own, std::span<std::byte> all)
{
    require(all.size() == own.size() * m_hosts.size(), "room for another number of ranks");
    const auto staged = stage(own.size() + all.size());
    const auto sent = staged.first(own.size());
    const auto received = staged.subspan(own.size());
    std::ranges::copy(own, sent.begin());
    MPI_Request request = MPI_REQUEST_NULL;
    checkMpi(
        MPI_Iallgather(
            sent.data(), countOf(own), MPI_BYTE, received.data(), countOf(own), MPI_BYTE, m_control,
            &request),
        "gathering");
    wait(request, "gathering");
    std::ranges::copy(received, all.begin());
}

std::span<std::byte> MpiRanks::stage(std::size_t bytes)
{
    m_watch->throwIfOver();
    m_staging.resize(std::max(m_staging.size(), bytes));
    return std::span(m_staging).first(bytes);
}

void MpiRanks::broadcast(std::span<std::byte> bytes)
{
    for (std::size_t first = 0; first < bytes.size(); first += kStagedBytes) {
        const auto part = bytes.subspan(first, std::min(kStagedBytes, bytes.size() - first));
        const auto staged = stage(part.size());
        std::ranges::copy(part, staged.begin());
        MPI_Request request = MPI_REQUEST_NULL;
        checkMpi(
            MPI_Ibcast(staged.data(), countOf(part), MPI_BYTE, 0, m_control, &request),
            "telling all");
        wait(request, "telling all");
        std::ranges::copy(staged, part.begin());
    }
}

/// As NTP does it (Mills, "Internet time synchronization: the network time protocol", 1991): of
/// several round trips the quickest one.
void MpiRanks::compareClocks()
{
    constexpr int kRounds = 16;
    for (int other = 1; other < size(); ++other) {
        for (int round = 0; round < kRounds; ++round) {
            if (m_rank == 0) {
                answerTime(other);
            } else if (m_rank == other) {
                const double begin = steadySeconds();
                const double first = askForTime(0);
                const double end = steadySeconds();
                const double uncertainty = (end - begin) / 2.0;
                if (round == 0 || uncertainty < m_clock.uncertainty) {
                    m_clock = {first - (begin + end) / 2.0, uncertainty};
                }
            }
        }
    }
}

double MpiRanks::askForTime(int of)
{
    auto* const time = reinterpret_cast<double*>(stage(sizeof(double)).data());
    MPI_Request request = MPI_REQUEST_NULL;
    checkMpi(MPI_Irecv(time, 1, MPI_DOUBLE, of, 0, m_control, &request), "comparing the clocks");
    MPI_Request question = MPI_REQUEST_NULL;
    checkMpi(
        MPI_Isend(nullptr, 0, MPI_DOUBLE, of, 0, m_control, &question), "comparing the clocks");
    wait(request, "comparing the clocks");
    wait(question, "comparing the clocks");
    return *time;
}

void MpiRanks::answerTime(int to)
{
    MPI_Request question = MPI_REQUEST_NULL;
    checkMpi(
        MPI_Irecv(nullptr, 0, MPI_DOUBLE, to, 0, m_control, &question), "comparing the clocks");
    wait(question, "comparing the clocks");
    const double time = steadySeconds();
    MPI_Request answer = MPI_REQUEST_NULL;
    checkMpi(MPI_Isend(&time, 1, MPI_DOUBLE, to, 0, m_control, &answer), "comparing the clocks");
    wait(answer, "comparing the clocks");
}

Ranks::Transfer MpiRanks::add(MPI_Request request)
{
    auto place = std::ranges::find(m_requests, MPI_REQUEST_NULL);
    if (place == m_requests.end()) {
        place = m_requests.insert(place, request);
    }
    *place = request;
    return static_cast<Transfer>(place - m_requests.begin());
}

Ranks::Transfer MpiRanks::startSend(int to, std::span<const std::byte> bytes)
{
    MPI_Request request = MPI_REQUEST_NULL;
    checkMpi(
        MPI_Isend(bytes.data(), countOf(bytes), MPI_BYTE, to, 0, m_transfers, &request),
        "sending gradients");
    return add(request);
}

Ranks::Transfer MpiRanks::startReceive(int from, std::span<std::byte> bytes)
{
    MPI_Request request = MPI_REQUEST_NULL;
    checkMpi(
        MPI_Irecv(bytes.data(), countOf(bytes), MPI_BYTE, from, 0, m_transfers, &request),
        "receiving gradients");
    return add(request);
}

bool MpiRanks::isDone(Transfer transfer)
{
    m_watch->throwIfOver();
    int isDone = 0;
    checkMpi(MPI_Test(&m_requests[transfer], &isDone, MPI_STATUS_IGNORE), "exchanging gradients");
    return isDone != 0;
}

void MpiRanks::leave(int status)
{
    const bool haveAllLeft = m_watch->meetAtEnd();
    m_watch.reset(); // its thread must not be in MPI when that ends
    if (!haveAllLeft) {
        MPI_Abort(MPI_COMM_WORLD, std::max(status, 1));
    }
    MPI_Finalize();
}

} // namespace
} // namespace lockstep::mpi

extern "C" const lockstep::RanksPlugin* lockstepRanksPlugin()
{
    static const lockstep::RanksPlugin plugin{.open = []() -> std::unique_ptr<lockstep::Ranks> {
        return std::make_unique<lockstep::mpi::MpiRanks>();
    }};
    return &plugin;
}
