// SPDX-License-Identifier: Apache-2.0
#include "input/order/balanced_order.h"

#include "base/error.h"
#include "base/philox.h"

namespace lockstep {
namespace {

std::int64_t checkedBatch(std::int64_t globalBatch)
{
    if (globalBatch != 1 && globalBatch % 2 != 0) {
        fail(
            ErrorCode::BadInput,
            "the global batch is {}, which can't be halved into clean and defective examples: set "
            "batch_per_tower (or global_batch, or towers) so that it is even or 1, or "
            "dataset.sampling to shuffled",
            globalBatch);
    }
    return globalBatch;
}

/// The numbers of a class's examples.
std::vector<std::uint32_t> examplesOf(const Dataset& dataset, std::int32_t label)
{
    const DatasetInfo& info = dataset.info();
    if (info.classNames.size() != 2) {
        fail(
            ErrorCode::BadInput,
            "dataset.sampling is balanced, which needs two classes, but {} has {}: set it to "
            "shuffled",
            info.name, info.classNames.size());
    }
    std::vector<std::uint32_t> examples;
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        if (dataset.example(i).label == label) {
            examples.push_back(static_cast<std::uint32_t>(i));
        }
    }
    if (examples.empty()) {
        fail(
            ErrorCode::BadInput,
            "dataset.sampling is balanced, but {} ({}) has no example of class '{}': choose "
            "another "
            "dataset.fold, or set it to shuffled",
            info.name, info.split, info.classNames[static_cast<std::size_t>(label)]);
    }
    return examples;
}

} // namespace

BalancedOrder::BalancedOrder(const Dataset& dataset, std::int64_t globalBatch, std::uint64_t seed)
    : m_globalBatch(checkedBatch(globalBatch)), m_seed(seed), m_clean(dataset, 0, seed),
      m_defective(dataset, 1, seed)
{
}

BalancedOrder::ClassStream::ClassStream(
    const Dataset& dataset, std::int32_t label, std::uint64_t seed)
    : m_examples(examplesOf(dataset, label)), m_sampler(
                                                  std::ssize(m_examples), ExampleOrder::Shuffled,
                                                  seed, static_cast<std::uint32_t>(label + 1))
{
}

Visit BalancedOrder::ClassStream::visit(std::int64_t position) const
{
    Visit visit;
    m_sampler.visit(position, std::span(&visit, 1));
    visit.example = m_examples[visit.example];
    return visit;
}

void BalancedOrder::visit(std::int64_t position, std::int64_t first, std::span<Visit> visits) const
{
    std::int64_t clean = (position + 1) / 2;
    std::int64_t defective = position / 2;
    if (m_globalBatch == 1) {
        const bool isClean = position % 2 == 0;
        visits.front() = isClean ? m_clean.visit(position / 2) : m_defective.visit(defective);
        return;
    }
    PhiloxStream random(
        m_seed, RandomPurpose::BatchOrder, static_cast<std::uint32_t>(position >> 32),
        static_cast<std::uint32_t>(position));
    std::int64_t defectiveLeft = m_globalBatch / 2;
    for (std::int64_t row = 0; row < first + std::ssize(visits); ++row) {
        const auto rowsLeft = static_cast<std::uint32_t>(m_globalBatch - row);
        const bool isDefective = random.below(rowsLeft) < defectiveLeft;
        const std::int64_t place = isDefective ? defective++ : clean++;
        defectiveLeft -= isDefective ? 1 : 0;
        if (row >= first) {
            visits[static_cast<std::size_t>(row - first)] =
                isDefective ? m_defective.visit(place) : m_clean.visit(place);
        }
    }
}

std::int64_t BalancedOrder::bytes(const Dataset& dataset)
{
    // The permutations of both classes and the numbers of their examples.
    return Sampler::bytes(dataset.size(), ExampleOrder::Shuffled)
           + dataset.size() * static_cast<std::int64_t>(sizeof(std::uint32_t));
}

std::int64_t balancedEpoch(const Dataset& dataset)
{
    std::int64_t defective = 0;
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        defective += dataset.example(i).label == 1 ? 1 : 0;
    }
    return 2 * defective;
}

} // namespace lockstep
