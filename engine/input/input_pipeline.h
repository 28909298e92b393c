// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/batch_builder.h"
#include "input/batch_ring.h"
#include "input/pipeline_settings.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace lockstep {

/// The one input pipeline of a run, for all towers: loader threads `loader-<i>` share the rows of
/// global batches and make these ahead of time; next() hands them out strictly in order. Which
/// batches come does not depend on the number of loaders, on the prefetch or on where a run was
/// interrupted.
///
/// All memory is taken when it is made; a batch allocates nothing. An exception in a loader reaches
/// the caller of next() as itself, after the batches before it.
///
///     while (const auto lease = pipeline.next(); lease.batch) { use(*lease.batch); }
///
/// There are prefetchBatches + 1 buffers: to ask for a batch while all are on loan is an error.
class InputPipeline
{
public:
    /// `dataset` must outlive the pipeline. Throws as PipelineSettings::validate and, if there is
    /// not memory enough, Error(OutOfMemory) that says how much was needed.
    InputPipeline(const Dataset& dataset, const PipelineSettings& settings);
    /// Stops; waits for the batches that are being made. Wakes a caller who waits in next(). All
    /// leases must have ended.
    ~InputPipeline();
    InputPipeline(const InputPipeline&) = delete;
    InputPipeline& operator=(const InputPipeline&) = delete;

    /// The next batch; waits until it is there. `batch` is empty after the last one. One thread at
    /// a time. Throws what a loader threw, and Error(Cancelled) after stop().
    BatchLease next() { return m_ring.take(); }

    /// Ends the stream for good and wakes a caller who waits in next(). Any thread, at any time.
    void stop() { m_ring.close(); }

    /// Processor time that all loaders together have spent on batches so far.
    [[nodiscard]] double workSeconds() const { return m_workSeconds; }

    /// The bytes of the batches, the order of examples and the loaders' working memory that a
    /// pipeline with these settings takes, stacks left out. For saying so before it is made.
    static std::int64_t bytes(const Dataset& dataset, const PipelineSettings& settings);

private:
    /// Of one loader, for distorting.
    static std::int64_t workingBytes(const Dataset& dataset, const PipelineSettings& settings);
    void startLoaders();
    void load(BatchBuilder& builder);
    void joinLoaders();

    RowOrder m_order;
    int m_parts;             ///< that a batch is made in
    std::int64_t m_together; ///< rows that are in one part
    BatchRing m_ring;
    std::atomic<double> m_workSeconds{0.0};
    std::vector<BatchBuilder> m_builders;
    std::vector<std::thread> m_loaders;
};

} // namespace lockstep
