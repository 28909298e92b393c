// SPDX-License-Identifier: Apache-2.0
// What two ranks, each on one processor, have of the link between them by MPI, as `lockstep-train
// scaling --simulate` takes it: prints the latency of a message, the bandwidth of pieces that go
// both ways at once, and the work that a byte is, sent or received: what a thread that computes on
// the same processor gets done less meanwhile. Looks for what has come as RankAllReduce does.
// "9.6us 117.5MB/s 0.52": the work in nanoseconds.
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

constexpr int kRounds = 501;
constexpr int kPieces = 16;
constexpr int kPieceBytes = 256 * 1024;
constexpr int kStreams = 40;

/// Half of a round trip, in seconds: the median.
double latency(int rank)
{
    std::vector<double> rounds;
    char byte = 0;
    for (int round = 0; round < kRounds; ++round) {
        const double begin = MPI_Wtime();
        for (const bool isMine : {rank == 0, rank == 1}) {
            if (isMine) {
                MPI_Send(&byte, 1, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
            } else {
                MPI_Recv(&byte, 1, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
        }
        rounds.push_back((MPI_Wtime() - begin) / 2.0);
    }
    std::sort(rounds.begin(), rounds.end());
    return rounds[rounds.size() / 2];
}

/// Computes in the first-level and second-level cache as long as it lives.
class Tower
{
public:
    Tower() : m_thread([this] { work(); }) {}
    ~Tower()
    {
        m_isWanted = false;
        m_thread.join();
    }
    [[nodiscard]] long passes() const { return m_passes; }

private:
    void work()
    {
        std::vector<float> values(65536, 1.0F);
        while (m_isWanted) {
            for (float& value : values) {
                value = value * 0.5F + 1.0F;
            }
            m_sum = m_sum + values[1];
            ++m_passes;
        }
    }

    volatile float m_sum = 0.0F; // somebody wants it
    std::atomic<bool> m_isWanted{true};
    std::atomic<long> m_passes{0};
    std::thread m_thread;
};

void exchange(int rank, std::vector<char>& out, std::vector<char>& in)
{
    std::vector<MPI_Request> requests;
    for (int piece = 0; piece < kPieces; ++piece) {
        const auto offset = static_cast<std::ptrdiff_t>(piece) * kPieceBytes;
        MPI_Irecv(
            in.data() + offset, kPieceBytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD,
            &requests.emplace_back());
        MPI_Isend(
            out.data() + offset, kPieceBytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD,
            &requests.emplace_back());
    }
    std::chrono::microseconds nap{10};
    for (std::size_t done = 0; done < requests.size();) {
        int isDone = 0;
        MPI_Test(&requests[done], &isDone, MPI_STATUS_IGNORE);
        if (isDone != 0) {
            ++done;
            nap = std::chrono::microseconds(10);
        } else {
            std::this_thread::sleep_for(nap);
            nap = std::min(2 * nap, std::chrono::microseconds(320));
        }
    }
}

struct Stream
{
    double bytesPerSecond = 0.0;
    double workPerByte = 0.0;
};

Stream stream(int rank)
{
    std::vector<char> out(static_cast<std::size_t>(kPieceBytes) * kPieces, 1);
    std::vector<char> in(out.size(), 1);
    exchange(rank, out, in); // what is done once is done
    const Tower tower;
    const auto passesPerSecond = [&](auto work) {
        const long before = tower.passes();
        const double begin = MPI_Wtime();
        work();
        return static_cast<double>(tower.passes() - before) / (MPI_Wtime() - begin);
    };
    const auto rest = [] { std::this_thread::sleep_for(std::chrono::milliseconds(500)); };
    const double before = passesPerSecond(rest);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = 0.0;
    const double meanwhile = passesPerSecond([&] {
        const double begin = MPI_Wtime();
        for (int i = 0; i < kStreams; ++i) {
            exchange(rank, out, in);
        }
        seconds = MPI_Wtime() - begin;
    });
    const double after = passesPerSecond(rest);
    const double bytes = static_cast<double>(out.size()) * kStreams;
    const double taken = seconds * (1.0 - 2.0 * meanwhile / (before + after));
    return {bytes / seconds, taken / (2.0 * bytes)};
}

} // namespace

int main(int argc, char** argv)
{
    int granted = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &granted); // as a training
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) {
        std::fputs("mpi_link: needs two ranks\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const double seconds = latency(rank);
    const Stream own = stream(rank);
    double work = 0.0; // of both
    MPI_Reduce(&own.workPerByte, &work, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        std::printf(
            "%.1fus %.1fMB/s %.2f\n", 1e6 * seconds, own.bytesPerSecond / 1e6,
            std::max(0.0, 1e9 * work / 2.0));
    }
    MPI_Finalize();
    return 0;
}
