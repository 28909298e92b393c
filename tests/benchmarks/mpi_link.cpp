// SPDX-License-Identifier: Apache-2.0
// What two ranks get of the link between them, by MPI as the training uses it: prints the latency
// of a message and the bandwidth of many, as `lockstep-train scaling --simulate` takes them
// ("38.2us 117.6MB/s").
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

constexpr int kRounds = 501;
constexpr int kPieces = 64;
constexpr int kPieceBytes = 256 * 1024;
constexpr int kStreams = 5;

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Half of a round trip, in seconds.
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
    return median(rounds);
}

/// Bytes per second, in both directions at once, as the sums and the means go.
double bandwidth(int rank)
{
    std::vector<double> rates;
    std::vector<char> out(kPieceBytes);
    std::vector<char> in(static_cast<std::size_t>(kPieceBytes) * kPieces);
    for (int stream = 0; stream < kStreams; ++stream) {
        std::vector<MPI_Request> requests(2 * kPieces);
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        for (int piece = 0; piece < kPieces; ++piece) {
            MPI_Irecv(
                in.data() + static_cast<std::ptrdiff_t>(piece) * kPieceBytes, kPieceBytes, MPI_BYTE,
                1 - rank, 0, MPI_COMM_WORLD, &requests[2 * piece]);
            MPI_Isend(
                out.data(), kPieceBytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD,
                &requests[2 * piece + 1]);
        }
        MPI_Waitall(2 * kPieces, requests.data(), MPI_STATUSES_IGNORE);
        rates.push_back(kPieces * double{kPieceBytes} / (MPI_Wtime() - begin));
    }
    return median(rates);
}

} // namespace

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) {
        std::fputs("mpi_link: needs two ranks\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const double seconds = latency(rank);
    const double rate = bandwidth(rank);
    if (rank == 0) {
        std::printf("%.1fus %.1fMB/s\n", 1e6 * seconds, rate / 1e6);
    }
    MPI_Finalize();
    return 0;
}
