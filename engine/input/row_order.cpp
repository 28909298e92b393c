// SPDX-License-Identifier: Apache-2.0
#include "input/row_order.h"

#include "base/error.h"
#include "base/philox.h"

#include <algorithm>

namespace lockstep {
namespace {

Sampler makeSampler(const Dataset& dataset, const PipelineSettings& settings)
{
    settings.validate(dataset);
    // A balanced order has streams of its own; this one then costs nothing.
    const bool isShuffled = settings.order == ExampleOrder::Shuffled;
    return {
        dataset.size(), isShuffled ? ExampleOrder::Shuffled : ExampleOrder::Sequential,
        settings.seed};
}

std::vector<std::uint32_t> examplesOf(const Dataset& dataset, std::int32_t label)
{
    std::vector<std::uint32_t> examples;
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        if (dataset.example(i).label == label) {
            examples.push_back(static_cast<std::uint32_t>(i));
        }
    }
    if (examples.empty()) {
        fail(
            ErrorCode::BadInput, "experiment.class is {}, but {} has no examples of it", label,
            dataset.info().name);
    }
    return examples;
}

} // namespace

RowOrder::RowOrder(const Dataset& dataset, const PipelineSettings& settings)
    : m_shards(settings.shards), m_rowsPerTower(settings.globalBatch / settings.shards.towers),
      m_classes(static_cast<std::uint32_t>(dataset.info().classNames.size())),
      m_seed(settings.seed), m_sampler(makeSampler(dataset, settings))
{
    if (settings.order == ExampleOrder::Balanced) {
        m_balanced.emplace(dataset, settings.globalBatch, settings.seed);
    }
    if (m_shards.kind == ShardKind::Skewed) {
        m_classExamples = examplesOf(dataset, m_shards.exampleClass);
        m_classSampler.emplace(std::ssize(m_classExamples), ExampleOrder::Shuffled, settings.seed);
    }
}

void RowOrder::visit(std::int64_t position, std::int64_t first, std::span<Visit> visits) const
{
    if (m_shards.kind == ShardKind::Distinct || m_shards.kind == ShardKind::Poisoned) {
        visitStream(position, first, visits);
        return;
    }
    while (!visits.empty()) {
        const std::int64_t within = first % m_rowsPerTower;
        const auto count = std::min<std::int64_t>(std::ssize(visits), m_rowsPerTower - within);
        const auto ofTower = visits.first(static_cast<std::size_t>(count));
        if (m_shards.kind == ShardKind::Same) {
            visitStream(position, within, ofTower);
        } else if (first / m_rowsPerTower == m_shards.tower) {
            visitClass(position, within, ofTower);
        } else {
            visitStream(position, first, ofTower);
        }
        visits = visits.subspan(static_cast<std::size_t>(count));
        first += count;
    }
}

void RowOrder::visitStream(std::int64_t position, std::int64_t first, std::span<Visit> visits) const
{
    if (m_balanced) {
        m_balanced->visit(position, first, visits);
    } else {
        m_sampler.visit(position + first, visits);
    }
}

void RowOrder::visitClass(std::int64_t position, std::int64_t first, std::span<Visit> visits) const
{
    m_classSampler->visit(position / m_shards.towers + first, visits);
    for (Visit& visit : visits) {
        visit.example = m_classExamples[visit.example];
    }
}

std::int32_t RowOrder::labelOf(const Visit& visit, std::int64_t row, std::int32_t label) const
{
    if (m_shards.kind != ShardKind::Poisoned || row / m_rowsPerTower != m_shards.tower) {
        return label;
    }
    PhiloxStream stream(m_seed, RandomPurpose::Poison, visit.epoch, visit.example);
    return static_cast<std::int32_t>(stream.below(m_classes));
}

std::int64_t RowOrder::bytes(const Dataset& dataset, const PipelineSettings& settings)
{
    const std::int64_t ofSampler = settings.order == ExampleOrder::Balanced
                                       ? BalancedOrder::bytes(dataset)
                                       : Sampler::bytes(dataset.size(), settings.order);
    constexpr auto kNumberBytes = static_cast<std::int64_t>(sizeof(std::uint32_t));
    return settings.shards.kind == ShardKind::Skewed ? 2 * ofSampler + dataset.size() * kNumberBytes
                                                     : ofSampler;
}

} // namespace lockstep
