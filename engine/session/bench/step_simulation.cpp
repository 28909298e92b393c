// SPDX-License-Identifier: Apache-2.0
#include "session/bench/step_simulation.h"

#include "averaging/gradient_buckets.h"
#include "base/enum_names.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <queue>

namespace lockstep {
namespace {

constexpr EnumNames<ExchangeMethod, 2> kMethods{{"chain", "ring"}};

constexpr double kLossGatherings = 2.0; ///< in a step

/// Something that does one thing after the other.
class Server
{
public:
    /// When it is done with what comes up at `time`.
    double take(double time, double seconds)
    {
        m_isFree = std::max(m_isFree, time) + seconds;
        return m_isFree;
    }

private:
    double m_isFree = 0.0;
};

struct Piece
{
    std::size_t bucket = 0;
    double bytes = 0.0;
};

/// What happens to a piece at a rank.
enum class Stage {
    Arrives, ///< the sum of the ranks before: the own towers are to be added
    IsAdded,
    Returns, ///< the mean
    IsTaken,
};

struct WorkEvent
{
    double time = 0.0;
    std::int64_t number = 0; ///< of two at one time the one that was foreseen first comes first
    Stage stage = Stage::Arrives;
    std::size_t piece = 0;
    int rank = 0;

    bool operator>(const WorkEvent& other) const
    {
        return time != other.time ? time > other.time : number > other.number;
    }
};

double usualPiece(double bucketBytes, int ranks)
{
    constexpr double kBytes = sizeof(float);
    const auto values = static_cast<std::int64_t>(bucketBytes / kBytes);
    return kBytes * static_cast<double>(pieceValues(values, ranks));
}

/// See ExchangeMethod::Chain.
class Chain
{
public:
    Chain(const TowerStep& step, const SimulatedCluster& cluster, int towers)
        : m_step(step), m_cluster(cluster), m_towers(towers), m_ranks(cluster.ranksFor(towers)),
          m_workers(static_cast<std::size_t>(m_ranks)), m_links(static_cast<std::size_t>(m_ranks))
    {
    }

    /// `spans` begin when their bucket is ready; brings when they end.
    void run(std::vector<SimulatedSpan>& spans)
    {
        for (std::size_t bucket = 0; bucket < spans.size(); ++bucket) {
            cut(bucket, spans[bucket].begin);
        }
        while (!m_events.empty()) {
            const WorkEvent event = m_events.top();
            m_events.pop();
            if (event.stage == Stage::IsTaken && event.rank == 0) {
                spans[m_pieces[event.piece].bucket].end = event.time;
            } else {
                happen(event);
            }
        }
    }

private:
    void cut(std::size_t bucket, double ready)
    {
        const double bytes = m_step.buckets[bucket].bytes;
        const double size = m_cluster.pieceBytes.value_or(usualPiece(bytes, m_ranks));
        const auto count = static_cast<std::int64_t>(std::ceil(bytes / size));
        for (std::int64_t i = 0; i < count; ++i) {
            m_pieces.push_back({bucket, std::min(size, bytes - static_cast<double>(i) * size)});
            add(ready, Stage::Arrives, m_pieces.size() - 1, 0);
        }
    }

    void happen(const WorkEvent& event)
    {
        const auto rank = static_cast<std::size_t>(event.rank);
        const double bytes = m_pieces[event.piece].bytes;
        const double messages = (event.rank > 0) + 1.0; // before the first rank there is none
        const double moving = m_cluster.link.workPerByte * messages;
        if (event.stage == Stage::Arrives) {
            const double adding = towersOf(event.rank) / m_step.addedBytesPerSecond;
            const double done = m_workers[rank].take(event.time, bytes * (adding + moving));
            add(done, Stage::IsAdded, event.piece, event.rank);
            return;
        }
        if (event.stage == Stage::Returns) {
            const double done = m_workers[rank].take(event.time, bytes * moving);
            add(done, Stage::IsTaken, event.piece, event.rank);
            return;
        }
        const bool isOnItsWay = event.stage == Stage::IsAdded && event.rank + 1 < m_ranks;
        const double sent = m_links[rank].take(event.time, bytes / m_cluster.link.bytesPerSecond);
        add(sent + m_cluster.link.latency, isOnItsWay ? Stage::Arrives : Stage::Returns,
            event.piece, event.rank + (isOnItsWay ? 1 : -1));
    }

    void add(double time, Stage stage, std::size_t piece, int rank)
    {
        m_events.push({time, m_foreseen++, stage, piece, rank});
    }

    [[nodiscard]] double towersOf(int rank) const
    {
        return std::min(m_cluster.towersPerRank, m_towers - rank * m_cluster.towersPerRank);
    }

    const TowerStep& m_step;
    const SimulatedCluster& m_cluster;
    int m_towers;
    int m_ranks;
    std::vector<Server> m_workers; ///< by rank: the thread that moves and adds
    std::vector<Server> m_links;   ///< by rank: what it sends
    std::vector<Piece> m_pieces;
    std::int64_t m_foreseen = 0;
    std::priority_queue<WorkEvent, std::vector<WorkEvent>, std::greater<>> m_events;
};

/// All ranks do the same at the same time; one bucket follows the other.
void runRing(
    const TowerStep& step, const SimulatedCluster& cluster, int ranks,
    std::vector<SimulatedSpan>& spans)
{
    const double rounds = ranks - 1.0; ///< that add; as many again bring the sums to all
    Server adder;
    Server ring;
    for (std::size_t bucket = 0; bucket < spans.size(); ++bucket) {
        const double bytes = step.buckets[bucket].bytes;
        const double own = bytes * (cluster.towersPerRank - 1) / step.addedBytesPerSecond;
        const double part = bytes / ranks;
        const double seconds =
            2.0 * rounds * (cluster.link.latency + part / cluster.link.bytesPerSecond)
            + rounds * part / step.addedBytesPerSecond;
        spans[bucket].end = ring.take(adder.take(spans[bucket].begin, own), seconds);
    }
}

/// Of a few bytes of every rank, to every rank, by doubling.
double gatheringSeconds(int ranks, const NetworkLink& link)
{
    return std::bit_width(static_cast<unsigned>(ranks - 1)) * link.latency;
}

/// What adding a bucket and moving it, as far as it can pass the link meanwhile, takes from the
/// backward pass.
double takenBy(
    const SimulatedBucket& bucket, const TowerStep& step, const SimulatedCluster& cluster,
    int towers)
{
    const double adding =
        bucket.bytes * std::min(towers, cluster.towersPerRank) / step.addedBytesPerSecond;
    if (cluster.method == ExchangeMethod::Ring) {
        return adding;
    }
    const double messages = cluster.ranksFor(towers) > 2 ? 4.0 : 2.0; // in the middle, at an end
    const double passed =
        std::min(bucket.bytes, (step.backward - bucket.ready) * cluster.link.bytesPerSecond);
    return adding + messages * passed * cluster.link.workPerByte;
}

SimulatedStep stepOfOneRank(const TowerStep& step, int towers)
{
    SimulatedStep simulated;
    simulated.backwardEnd = step.input + step.forward + step.backward;
    simulated.seconds = simulated.backwardEnd
                        + step.gradientBytes() * towers / step.addedBytesPerSecond + step.update;
    return simulated;
}

} // namespace

double TowerStep::gradientBytes() const
{
    double bytes = 0.0;
    for (const SimulatedBucket& bucket : buckets) {
        bytes += bucket.bytes;
    }
    return bytes;
}

std::string_view toString(ExchangeMethod method)
{
    return kMethods.of(method);
}

ExchangeMethod exchangeMethodByName(std::string_view name)
{
    return kMethods.named(name, "exchange is '{}': give chain or ring");
}

double SimulatedStep::exchangeSeconds() const
{
    double total = 0.0;
    double until = 0.0;
    for (const SimulatedSpan& span : exchanges) {
        total += std::max(0.0, span.end - std::max(until, span.begin));
        until = std::max(until, span.end);
    }
    return total;
}

double SimulatedStep::exposedSeconds() const
{
    double until = backwardEnd;
    for (const SimulatedSpan& span : exchanges) {
        until = std::max(until, span.end);
    }
    return until - backwardEnd;
}

SimulatedStep simulateStep(const TowerStep& step, const SimulatedCluster& cluster, int towers)
{
    const int ranks = cluster.ranksFor(towers);
    if (ranks == 1) {
        return stepOfOneRank(step, towers);
    }
    const double gathering = gatheringSeconds(ranks, cluster.link);
    const double begin = step.input + step.forward + step.forwardSyncPoints * gathering;
    double taken = 0.0; // by the buckets before
    SimulatedStep simulated;
    simulated.backwardEnd = begin + step.backward;
    for (const SimulatedBucket& bucket : step.buckets) {
        const double others = bucket.syncPoints * gathering + taken;
        simulated.exchanges.push_back({begin + bucket.ready + others, 0.0});
        simulated.backwardEnd = begin + step.backward + others;
        taken += takenBy(bucket, step, cluster, towers);
    }
    if (cluster.method == ExchangeMethod::Chain) {
        Chain(step, cluster, towers).run(simulated.exchanges);
    } else {
        runRing(step, cluster, ranks, simulated.exchanges);
    }
    simulated.seconds = simulated.backwardEnd + simulated.exposedSeconds()
                        + kLossGatherings * gathering + step.update;
    return simulated;
}

} // namespace lockstep
