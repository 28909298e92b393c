// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation/evaluation.h"

#include "base/clock.h"
#include "base/error.h"
#include "input/batch_builder.h"
#include "input/input_pipeline.h"
#include "network/primary_objective.h"
#include "ranks/ranks.h"
#include "session/evaluation/image_classes.h"
#include "session/step/image_scoring.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

/// Rows of one pass, at most, and their cells. Fixed, because the last bits of a result may depend
/// on it.
constexpr std::int64_t kChunk = 125;
constexpr std::int64_t kChunkCells = 2'000'000;

/// What the chunks found, each in its place: threads that score different ones need not wait for
/// each other.
class Findings
{
public:
    Findings(
        const NetworkSpec& network, std::int64_t chunks, std::int64_t rows, std::int64_t examples)
        : m_network(network), m_rows(static_cast<std::size_t>(rows)),
          m_examples(static_cast<std::size_t>(chunks)),
          m_results(static_cast<std::size_t>(chunks) * network.objectives.size()),
          m_images(canScoreImages(network) ? static_cast<std::size_t>(chunks) : 0),
          m_classified(classifiesImages(network) ? static_cast<std::size_t>(examples) : 0)
    {
    }

    /// After the replica's forward pass over the chunk's batch.
    void take(
        std::int64_t chunk, const Replica& replica, const Batch& batch, const Dataset& dataset)
    {
        const auto place = static_cast<std::size_t>(chunk);
        m_examples[place] = batch.examples;
        const auto results = replica.results();
        std::ranges::copy(
            results, m_results.begin() + static_cast<std::ptrdiff_t>(place * results.size()));
        if (!m_images.empty()) {
            m_images[place] = scoreImage(m_network, replica, batch, dataset);
        }
        if (!m_classified.empty()) {
            classifyRows(
                replica, batch,
                std::span(m_classified)
                    .subspan(place * m_rows, static_cast<std::size_t>(batch.examples)));
        }
    }

    /// Completes those of a share of the chunks by what the other ranks found.
    void share(Ranks& ranks, std::vector<std::size_t> chunks, const Dataset& dataset)
    {
        const auto begins = [&](std::size_t values, std::size_t most) {
            std::vector<std::size_t> places;
            places.reserve(chunks.size());
            for (const std::size_t chunk : chunks) {
                places.push_back(std::min(chunk * values, most));
            }
            return places;
        };
        shareSlices<ObjectiveResult>(
            ranks, m_results, begins(m_network.objectives.size(), m_results.size()));
        shareSlices<std::int64_t>(ranks, m_examples, chunks);
        if (!m_classified.empty()) {
            shareSlices<ClassifiedImage>(ranks, m_classified, begins(m_rows, m_classified.size()));
        }
        if (!m_images.empty()) {
            shareImages(ranks, chunks, dataset);
        }
    }

    /// Sums the chunks in their order.
    [[nodiscard]] EvaluationRecord record(const std::string& dataset)
    {
        const std::int64_t examples =
            std::accumulate(m_examples.begin(), m_examples.end(), std::int64_t{0});
        if (examples == 0) {
            fail(ErrorCode::Data, "{}: no test image is whole; get them again", dataset);
        }
        takeOutUnscored();
        const auto sums = sumsOfObjectives();
        EvaluationRecord record;
        record.examples = examples;
        record.correct = sums[primaryObjective(m_network)].correct;
        record.accuracy = static_cast<double>(record.correct) / static_cast<double>(examples);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const double loss = sums[i].lossSum / static_cast<double>(examples);
            record.loss += m_network.objectives[i].weight * loss;
            if (sums.size() > 1) {
                record.objectives.add(loss);
            }
        }
        record.images = std::move(m_images);
        if (canDetect(record.images)) {
            record.detection = detectionScores(record.images);
        }
        record.classified = std::move(m_classified);
        if (!record.classified.empty() && classesOf(m_network) > kTopFive) {
            record.inTopFive =
                std::ranges::count_if(record.classified, [](const ClassifiedImage& image) {
                    return image.isInTop(kTopFive);
                });
        }
        return record;
    }

private:
    /// The places behind those of a chunk's examples, where some of its images are damaged.
    void takeOutUnscored()
    {
        std::size_t end = 0;
        for (std::size_t chunk = 0; chunk < m_examples.size() && !m_classified.empty(); ++chunk) {
            for (std::size_t i = 0; i < static_cast<std::size_t>(m_examples[chunk]); ++i) {
                m_classified[end++] = m_classified[chunk * m_rows + i];
            }
        }
        m_classified.resize(end);
    }

    [[nodiscard]] std::vector<ObjectiveResult> sumsOfObjectives() const
    {
        std::vector<ObjectiveResult> sums(m_network.objectives.size());
        for (std::size_t i = 0; i < m_results.size(); ++i) {
            sums[i % sums.size()].lossSum += m_results[i].lossSum;
            sums[i % sums.size()].correct += m_results[i].correct;
        }
        return sums;
    }

    /// All but the names, which every rank can read.
    void shareImages(Ranks& ranks, std::span<const std::size_t> chunks, const Dataset& dataset)
    {
        struct Score
        {
            std::int64_t example, peakRow, peakColumn;
            double score, loss, peak;
            bool isPositive, isPeakInside;
        };
        std::vector<Score> scores;
        for (const ImageScore& image : m_images) {
            scores.push_back(
                {image.example, image.peakRow, image.peakColumn, image.score, image.loss,
                 image.peak, image.isPositive, image.isPeakInside});
        }
        shareSlices<Score>(ranks, scores, chunks);
        for (std::size_t i = 0; i < scores.size(); ++i) {
            const Score& score = scores[i];
            m_images[i] = {score.example,     dataset.exampleName(score.example),
                           score.isPositive,  score.score,
                           score.loss,        score.peak,
                           score.peakRow,     score.peakColumn,
                           score.isPeakInside};
        }
    }

    /// A training that brings forth no numbers is stopped elsewhere.
    static bool canDetect(const std::vector<ImageScore>& images)
    {
        const auto isNumber = [](const ImageScore& image) { return !std::isnan(image.score); };
        return std::ranges::any_of(images, &ImageScore::isPositive)
               && std::ranges::all_of(images, isNumber);
    }

    const NetworkSpec& m_network;
    std::size_t m_rows;                        ///< of a chunk, of which the last may have fewer
    std::vector<std::int64_t> m_examples;      ///< that were scored, chunk by chunk
    std::vector<ObjectiveResult> m_results;    ///< chunk by chunk, those of its objectives
    std::vector<ImageScore> m_images;          ///< one a chunk; empty: the network does not detect
    std::vector<ClassifiedImage> m_classified; ///< one an example; empty: it does not classify
};

/// What an evaluation works on, from its first chunk to its last.
struct Scoring
{
    const Device& device;
    const NetworkSpec& network;
    const ParameterLayout& layout;
    const Dataset& dataset;
    const ReplicaSettings& replica;
    const PipelineSettings& chunks;
    const WeightsView& weights;
    Findings& findings;
    // Those to score.
    std::int64_t firstChunk;
    std::int64_t endChunk;
    /// Told how many chunks are done, by one thread; whether to go on.
    std::function<bool(std::int64_t)> told;
};

/// Scores one chunk after the other, on a thread of its own; its replica stays as long as chunks
/// have as many rows.
class Scorer
{
public:
    explicit Scorer(const Scoring& scoring) : m_scoring(scoring) { scoring.device.enterThread(1); }

    void score(std::int64_t chunk, const Batch& made)
    {
        const Batch& batch = withExamples(made, m_whole);
        if (batch.examples == 0) {
            return;
        }
        if (!m_replica || m_replica->settings().examples != batch.examples) {
            ReplicaSettings settings = m_scoring.replica;
            settings.examples = batch.examples;
            m_replica = std::make_unique<Replica>(
                m_scoring.device, m_scoring.network, m_scoring.layout, settings);
        }
        m_replica->forward(m_scoring.weights, {batch.images, batch.labels, batch.masks});
        m_scoring.findings.take(chunk, *m_replica, batch, m_scoring.dataset);
    }

private:
    const Scoring& m_scoring;
    std::unique_ptr<Replica> m_replica;
    Batch m_whole;
};

/// Every worker makes its chunks and scores them.
void scoreOnHost(const Scoring& scoring, ThreadTeam& threads, int workers)
{
    const RowOrder order(scoring.dataset, scoring.chunks);
    const int taking = std::clamp(workers, 1, threads.size());
    std::atomic<std::int64_t> done{0};
    std::atomic<bool> isCancelled{false};
    threads.run([&](int worker) {
        Scorer scorer(scoring);
        BatchBuilder builder(scoring.dataset, scoring.chunks, order);
        Batch batch;
        for (std::int64_t chunk = scoring.firstChunk + worker;
             worker < taking && chunk < scoring.endChunk && !isCancelled; chunk += taking) {
            builder.build(chunk, batch);
            scorer.score(chunk, batch);
            ++done;
            if (worker == 0 && !scoring.told(done)) {
                isCancelled = true;
            }
        }
    });
}

/// An accelerator scores faster than one thread makes chunks, of photographs above all: the
/// processors make them ahead of it.
void scoreOnAccelerator(const Scoring& scoring, ThreadTeam& threads)
{
    constexpr int kMostLoaders = 32;
    const std::int64_t chunks = scoring.endChunk - scoring.firstChunk;
    PipelineSettings settings = scoring.chunks;
    settings.startPosition = scoring.firstChunk * settings.globalBatch;
    settings.threads = static_cast<int>(
        std::min<std::int64_t>(chunks, std::min(ThreadTeam::processors(), kMostLoaders)));
    settings.prefetchBatches = settings.threads; // a chunk may be one image
    threads.run([&](int worker) {
        if (worker > 0) {
            return;
        }
        Scorer scorer(scoring);
        InputPipeline pipeline(scoring.dataset, settings);
        for (std::int64_t done = 0; done < chunks; ++done) {
            const BatchLease lease = pipeline.next();
            scorer.score(scoring.firstChunk + done, *lease.batch);
            if (!scoring.told(done + 1)) {
                return;
            }
        }
    });
}

} // namespace

PipelineSettings evaluationChunks(const NetworkSpec& network, const DistortionSettings& distortion)
{
    const Shape& input = network.inputShape();
    const std::int64_t rows = kChunkCells / (input.height * input.width);
    PipelineSettings settings;
    settings.globalBatch = network.maskShape ? 1 : std::clamp<std::int64_t>(rows, 1, kChunk);
    settings.distortion = distortion;
    return settings.forEvaluation();
}

Evaluation::Evaluation(
    const Device& device, const NetworkSpec& network, ParameterLayout layout,
    const Dataset& dataset, const DistortionSettings& distortion)
    : m_device(device), m_network(classifiesImages(network) ? withLogits(network) : network),
      m_layout(std::move(layout)), m_dataset(dataset),
      m_chunks(evaluationChunks(network, distortion))
{
}

void Evaluation::computeAs(
    Precision precision, const std::map<std::string, std::string>& algorithms)
{
    m_replica.precision = precision;
    m_replica.algorithms = algorithms;
}

/// The first chunk of each rank, and the end.
std::vector<std::size_t> Evaluation::sharesOf(std::int64_t chunks) const
{
    const std::int64_t ranks = m_ranks == nullptr ? 1 : m_ranks->size();
    std::vector<std::size_t> shares;
    for (std::int64_t rank = 0; rank <= ranks; ++rank) {
        shares.push_back(static_cast<std::size_t>(chunks * rank / ranks));
    }
    return shares;
}

EvaluationRecord Evaluation::run(
    ThreadTeam& threads, int workers, const WeightsView& weights,
    const EvaluationProgress& progress) const
{
    const Stopwatch watch;
    const std::int64_t chunks = m_chunks.batches(m_dataset);
    Findings findings(m_network, chunks, m_chunks.globalBatch, m_dataset.size());
    const auto shares = sharesOf(chunks);
    const auto rank = static_cast<std::size_t>(m_ranks == nullptr ? 0 : m_ranks->rank());
    const auto first = static_cast<std::int64_t>(shares[rank]);
    const auto end = static_cast<std::int64_t>(shares[rank + 1]);
    bool isCancelled = false;
    const auto told = [&](std::int64_t done) {
        isCancelled = progress
                      && !progress(static_cast<double>(done) / static_cast<double>(end - first))
                      && m_ranks == nullptr;
        return !isCancelled;
    };
    const Scoring scoring{m_device, m_network, m_layout, m_dataset, m_replica, m_chunks,
                          weights,  findings,  first,    end,       told};
    if (first == end) {
        // More ranks than chunks: nothing is left for this one.
    } else if (m_device.worksOnHost()) {
        scoreOnHost(scoring, threads, workers);
    } else {
        scoreOnAccelerator(scoring, threads);
    }
    if (isCancelled) {
        fail(ErrorCode::Cancelled, "the evaluation was cancelled");
    }
    if (m_ranks != nullptr) {
        findings.share(*m_ranks, shares, m_dataset);
    }
    EvaluationRecord record = findings.record(m_dataset.info().name);
    record.seconds = watch.seconds();
    return record;
}

} // namespace lockstep
