// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "input/distortion.h"
#include "input/order/sampler.h"
#include "input/order/shards.h"

#include <cstdint>

namespace lockstep {

/// What an input pipeline is to make. Its batches are a function of the data set and of all of
/// these but `threads` and `prefetchBatches`.
struct PipelineSettings
{
    std::int64_t globalBatch = 128;   ///< examples of a batch, over all towers
    int threads = 2;                  ///< loaders
    std::int64_t prefetchBatches = 4; ///< batches made ahead of the one in use, at most
    std::uint64_t seed = 1;           ///< of the order and of the distortions
    ExampleOrder order = ExampleOrder::Shuffled;
    std::int64_t startPosition = 0; ///< place in the stream of examples of the first batch
    std::int64_t startStep = 0;     ///< the number that the first batch bears
    DistortionSettings distortion;
    ShardSettings shards; ///< which of the examples each tower gets
    /// Of every batch only these rows are made: those of the towers of one rank. 0: all.
    std::int64_t firstRow = 0;
    std::int64_t rowCount = 0;

    [[nodiscard]] std::int64_t ownRows() const { return rowCount > 0 ? rowCount : globalBatch; }
    /// Rows that are made by one loader, because they are mixed.
    [[nodiscard]] std::int64_t rowsTogether() const { return distortion.mixup > 0.0 ? 2 : 1; }

    /// Throws Error(BadInput) that names the setting, or Error(Data) for a data set without
    /// examples.
    void validate(const Dataset& dataset) const;
    /// The same, for one pass over a test set: in sequence, from the start, not distorted,
    /// in no experiment.
    [[nodiscard]] PipelineSettings forEvaluation() const;

    /// How many batches there are: without end in training; in sequence as many as cover every
    /// example from startPosition on once, the last of them perhaps short.
    [[nodiscard]] std::int64_t batches(const Dataset& dataset) const;
    /// Rows of batch `index` (0 is the first that the pipeline makes).
    [[nodiscard]] std::int64_t rows(const Dataset& dataset, std::int64_t index) const;
    /// Bytes of one batch, as far as it is made: images, labels, ids, masks.
    [[nodiscard]] std::int64_t batchBytes(const Dataset& dataset) const;
};

} // namespace lockstep
