// SPDX-License-Identifier: Apache-2.0
#include "session/evaluation.h"

#include "base/clock.h"
#include "base/error.h"
#include "input/batch_builder.h"
#include "tower/replica.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

namespace lockstep {
namespace {

/// Rows of one pass. Fixed, because the last bits of a result may depend on it.
constexpr std::int64_t kChunk = 125;

PipelineSettings chunkSettings(const DistortionSettings& distortion)
{
    PipelineSettings settings;
    settings.globalBatch = kChunk;
    settings.distortion = distortion;
    return settings.forEvaluation();
}

} // namespace

Evaluation::Evaluation(
    const Device& device, const NetworkSpec& network, const ParameterLayout& layout,
    const Dataset& dataset, const DistortionSettings& distortion)
    : m_device(device), m_network(network), m_layout(layout), m_dataset(dataset),
      m_chunks(chunkSettings(distortion))
{
}

void Evaluation::computeAs(
    Precision precision, const std::map<std::string, std::string>& algorithms)
{
    m_replica.precision = precision;
    m_replica.algorithms = algorithms;
}

EvaluationRecord Evaluation::run(
    ThreadTeam& threads, int workers, const WeightsView& weights,
    const EvaluationProgress& progress) const
{
    const Stopwatch watch;
    const std::int64_t chunks = m_chunks.batches(m_dataset);
    const RowOrder order(m_dataset, m_chunks);
    std::vector<ObjectiveResult> results(static_cast<std::size_t>(chunks));
    std::atomic<std::int64_t> done{0};
    std::atomic<bool> isCancelled{false};
    const bool isAccelerator = dynamic_cast<const Accelerator*>(&m_device) != nullptr;
    const int taking = isAccelerator ? 1 : std::clamp(workers, 1, threads.size());
    threads.run([&](int worker) {
        m_device.enterThread(1);
        BatchBuilder builder(m_dataset, m_chunks, order);
        Batch batch;
        std::unique_ptr<Replica> replica;
        for (std::int64_t chunk = worker; worker < taking && chunk < chunks; chunk += taking) {
            builder.build(chunk, batch);
            if (!replica || replica->settings().examples != batch.examples) {
                ReplicaSettings settings = m_replica;
                settings.examples = batch.examples;
                replica = std::make_unique<Replica>(m_device, m_network, m_layout, settings);
            }
            replica->forward(weights, {batch.images, batch.labels, batch.masks});
            results[static_cast<std::size_t>(chunk)] = replica->results().front();
            ++done;
            // One thread speaks for all.
            if (worker == 0 && progress
                && !progress(static_cast<double>(done) / static_cast<double>(chunks))) {
                isCancelled = true;
            }
            if (isCancelled) {
                return;
            }
        }
    });
    if (isCancelled) {
        fail(ErrorCode::Cancelled, "the evaluation was cancelled");
    }
    EvaluationRecord record;
    double loss = 0.0;
    for (const ObjectiveResult& result : results) {
        loss += result.lossSum;
        record.correct += result.correct;
    }
    record.examples = m_dataset.size();
    record.loss = loss / static_cast<double>(record.examples);
    record.accuracy = static_cast<double>(record.correct) / static_cast<double>(record.examples);
    record.seconds = watch.seconds();
    return record;
}

} // namespace lockstep
