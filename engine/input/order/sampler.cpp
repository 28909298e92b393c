// SPDX-License-Identifier: Apache-2.0
#include "input/order/sampler.h"

#include "base/error.h"
#include "base/philox.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace lockstep {
namespace {

void shuffle(std::vector<std::uint32_t>& examples, PhiloxStream stream)
{
    std::iota(examples.begin(), examples.end(), 0U);
    for (std::size_t i = examples.size() - 1; i > 0; --i) {
        std::swap(examples[i], examples[stream.below(static_cast<std::uint32_t>(i + 1))]);
    }
}

} // namespace

Sampler::Sampler(
    std::int64_t examples, ExampleOrder order, std::uint64_t seed, std::uint32_t stream)
    : m_examples(examples), m_order(order), m_seed(seed), m_stream(stream)
{
    constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
    if (examples < 1 || examples > kMost) {
        fail(
            ErrorCode::Data, "the data set has {} examples: it needs at least 1 and at most {}",
            examples, kMost);
    }
    if (order == ExampleOrder::Shuffled) {
        for (auto& permutation : m_permutations) {
            permutation.examples.resize(static_cast<std::size_t>(examples));
        }
    }
}

std::int64_t Sampler::bytes(std::int64_t examples, ExampleOrder order)
{
    return order == ExampleOrder::Sequential
               ? 0
               : 2 * examples * static_cast<std::int64_t>(sizeof(std::uint32_t));
}

void Sampler::visit(std::int64_t position, std::span<Visit> visits) const
{
    require(position >= 0, "a position in the stream of examples is negative");
    while (!visits.empty()) {
        const std::int64_t epoch = position / m_examples;
        const std::int64_t first = position % m_examples;
        const auto count = std::min<std::int64_t>(std::ssize(visits), m_examples - first);
        require(
            epoch <= std::numeric_limits<std::uint32_t>::max(), "a run has more than 2^32 epochs");
        visitEpoch(
            static_cast<std::uint32_t>(epoch), first,
            visits.first(static_cast<std::size_t>(count)));
        visits = visits.subspan(static_cast<std::size_t>(count));
        position += count;
    }
}

void Sampler::visitEpoch(std::uint32_t epoch, std::int64_t first, std::span<Visit> visits) const
{
    if (m_order == ExampleOrder::Sequential) {
        for (auto& visit : visits) {
            visit = {epoch, static_cast<std::uint32_t>(first++)};
        }
        return;
    }
    // Copying a batch's numbers under the lock takes less than a microsecond; making a permutation
    // under it happens once an epoch, and whoever waits needs that permutation too.
    const std::scoped_lock lock(m_mutex);
    const auto& examples = permutation(epoch);
    for (auto& visit : visits) {
        visit = {epoch, examples[static_cast<std::size_t>(first++)]};
    }
}

const std::vector<std::uint32_t>& Sampler::permutation(std::uint32_t epoch) const
{
    auto& kept = m_permutations[epoch % m_permutations.size()];
    if (kept.epoch != epoch) {
        shuffle(kept.examples, PhiloxStream(m_seed, RandomPurpose::Shuffle, epoch, m_stream));
        kept.epoch = epoch;
    }
    return kept.examples;
}

} // namespace lockstep
