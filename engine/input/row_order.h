// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "input/order/balanced_order.h"
#include "input/order/sampler.h"
#include "input/pipeline_settings.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lockstep {

/// Which example each row of a batch is, and with which label it is trained: the stream of the
/// sampler, or the balanced one, as the shards hand it to the towers. A function of settings and
/// position, so it is the same for any number of loaders, on any device and after a resume.
/// Thread-safe.
///
/// Same: the rows of tower 0 come again in every tower; the stream goes on by whole batches.
/// Skewed: the class has a stream of its own (shuffled as the data set's, with as many examples as
/// the class), of which the tower takes its batch: position / towers is where it stands.
/// Poisoned: labels from PhiloxStream(seed, Poison, epoch, example), uniform over all classes.
class RowOrder
{
public:
    /// The data set must outlive it. Throws as PipelineSettings::validate, and Error(BadInput) if
    /// the class has no examples.
    RowOrder(const Dataset& dataset, const PipelineSettings& settings);

    /// The visits of rows first, first + 1, … of the batch whose first row is at `position`;
    /// allocates nothing. Needs position >= 0, and all rows within the batch.
    void visit(std::int64_t position, std::int64_t first, std::span<Visit> visits) const;
    /// The label of such a row, given that of its example.
    [[nodiscard]] std::int32_t labelOf(
        const Visit& visit, std::int64_t row, std::int32_t label) const;

    /// Bytes that it takes, at most.
    static std::int64_t bytes(const Dataset& dataset, const PipelineSettings& settings);

private:
    void visitStream(std::int64_t position, std::int64_t first, std::span<Visit> visits) const;
    void visitClass(std::int64_t position, std::int64_t first, std::span<Visit> visits) const;

    ShardSettings m_shards;
    std::int64_t m_rowsPerTower;
    std::uint32_t m_classes;
    std::uint64_t m_seed;
    Sampler m_sampler;
    std::optional<BalancedOrder> m_balanced;    ///< instead of the sampler
    std::vector<std::uint32_t> m_classExamples; ///< numbers of the skewed tower's examples
    std::optional<Sampler> m_classSampler;
};

} // namespace lockstep
