// SPDX-License-Identifier: Apache-2.0
#include "base/philox.h"
#include "input/order/sampler.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <thread>
#include <vector>

namespace lockstep::test {
namespace {

std::vector<Visit> stream(const Sampler& sampler, std::int64_t position, std::size_t count)
{
    std::vector<Visit> visits(count);
    sampler.visit(position, visits);
    return visits;
}

// The definition, written a second time: take the last place not yet settled, exchange it.
std::vector<std::uint32_t> permutationByDefinition(
    std::uint32_t size, std::uint64_t seed, std::uint32_t epoch)
{
    PhiloxStream draws(seed, RandomPurpose::Shuffle, epoch, 0);
    std::vector<std::uint32_t> rest(size);
    std::iota(rest.begin(), rest.end(), 0U);
    std::vector<std::uint32_t> settled;
    while (rest.size() > 1) {
        const std::uint32_t chosen = draws.below(static_cast<std::uint32_t>(rest.size()));
        settled.push_back(rest[chosen]);
        rest[chosen] = rest.back();
        rest.pop_back();
    }
    settled.push_back(rest.front());
    std::reverse(settled.begin(), settled.end());
    return settled;
}

} // namespace

class TestSampler : public QObject
{
    Q_OBJECT
private slots:
    void Sampler_everyEpoch_isThePermutationOfTheDefinition_data();
    void Sampler_everyEpoch_isThePermutationOfTheDefinition();
    void Sampler_everyEpoch_visitsEveryExampleOnce();
    void Sampler_anyPosition_givesTheSameStream();
    void Sampler_manySeeds_makeAllPermutationsEquallyOften();
    void Sampler_anotherSeedOrEpoch_isAnotherOrder();
    void Sampler_sequential_countsUp();
    void Sampler_manyThreads_seeTheSameStream();
    void Sampler_badSize_isRefused();
};

void TestSampler::Sampler_everyEpoch_isThePermutationOfTheDefinition_data()
{
    QTest::addColumn<int>("size");
    for (const int size : {1, 2, 3, 7, 1000}) {
        QTest::addRow("%d examples", size) << size;
    }
}

void TestSampler::Sampler_everyEpoch_isThePermutationOfTheDefinition()
{
    QFETCH(int, size);
    const Sampler sampler(size, ExampleOrder::Shuffled, 42);
    for (std::uint32_t epoch = 0; epoch < 5; ++epoch) {
        const auto expected = permutationByDefinition(static_cast<std::uint32_t>(size), 42, epoch);
        const auto visits = stream(sampler, std::int64_t{epoch} * size, expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(visits[i], (Visit{epoch, expected[i]}));
        }
    }
}

void TestSampler::Sampler_everyEpoch_visitsEveryExampleOnce()
{
    // Asked for in batches of 64, most epochs of 100 begin and end within a batch.
    const Sampler sampler(100, ExampleOrder::Shuffled, 7);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> count;
    for (std::int64_t step = 0; step < 25; ++step) {
        for (const auto& visit : stream(sampler, step * 64, 64)) {
            QVERIFY(visit.example < 100);
            ++count[{visit.epoch, visit.example}];
        }
    }
    QCOMPARE(count.size(), std::size_t{1600});
    QCOMPARE(count.rbegin()->first.first, 15U);
    QVERIFY(std::all_of(
        count.begin(), count.end(), [](const auto& entry) { return entry.second == 1; }));
}

void TestSampler::Sampler_anyPosition_givesTheSameStream()
{
    const auto whole = stream(Sampler(10, ExampleOrder::Shuffled, 3), 0, 200);
    const Sampler used(10, ExampleOrder::Shuffled, 3);
    // Forwards, backwards, within an epoch, over one end and over many.
    for (const auto& [position, count] : std::vector<std::pair<std::size_t, std::size_t>>{
             {0, 4}, {137, 63}, {5, 10}, {4, 1}, {95, 40}, {9, 2}, {19, 31}, {0, 200}}) {
        const std::vector<Visit> expected(
            whole.begin() + static_cast<std::ptrdiff_t>(position),
            whole.begin() + static_cast<std::ptrdiff_t>(position + count));
        QCOMPARE(stream(used, static_cast<std::int64_t>(position), count), expected);
        const Sampler fresh(10, ExampleOrder::Shuffled, 3);
        QCOMPARE(stream(fresh, static_cast<std::int64_t>(position), count), expected);
    }
}

void TestSampler::Sampler_manySeeds_makeAllPermutationsEquallyOften()
{
    constexpr int kDraws = 24000;
    std::map<std::vector<std::uint32_t>, int> count;
    for (int draw = 0; draw < kDraws; ++draw) {
        // Half of them over seeds, half over epochs.
        const Sampler sampler(5, ExampleOrder::Shuffled, static_cast<std::uint64_t>(draw / 2));
        std::vector<std::uint32_t> order;
        for (const auto& visit : stream(sampler, (draw % 2) * 5 * 1000, 5)) {
            order.push_back(visit.example);
        }
        ++count[order];
    }
    QCOMPARE(count.size(), std::size_t{120});
    double chiSquare = 0.0;
    for (const auto& [order, times] : count) {
        const double expected = kDraws / 120.0;
        chiSquare += (times - expected) * (times - expected) / expected;
    }
    // 119 degrees of freedom: mean 119, deviation sqrt(238) = 15.4; five deviations about it.
    QVERIFY2(chiSquare > 42.0 && chiSquare < 196.0, qPrintable(QString::number(chiSquare)));
}

void TestSampler::Sampler_anotherSeedOrEpoch_isAnotherOrder()
{
    const auto examples = [](std::uint64_t seed, std::int64_t epoch) {
        std::vector<std::uint32_t> order;
        for (const auto& visit :
             stream(Sampler(1000, ExampleOrder::Shuffled, seed), epoch * 1000, 1000)) {
            order.push_back(visit.example);
        }
        return order;
    };
    // The seed has 64 bits that matter.
    const auto first = examples(1, 0);
    QVERIFY(first != examples(1, 1));
    QVERIFY(first != examples(2, 0));
    QVERIFY(first != examples(1 + (1ULL << 32U), 0));
}

void TestSampler::Sampler_sequential_countsUp()
{
    const Sampler sampler(4, ExampleOrder::Sequential, 9);
    QCOMPARE(stream(sampler, 2, 4), (std::vector<Visit>{{0, 2}, {0, 3}, {1, 0}, {1, 1}}));
}

void TestSampler::Sampler_manyThreads_seeTheSameStream()
{
    constexpr std::int64_t kBatch = 30;
    constexpr std::int64_t kSteps = 400;
    const auto whole = stream(Sampler(100, ExampleOrder::Shuffled, 5), 0, kBatch * kSteps);
    const Sampler shared(100, ExampleOrder::Shuffled, 5);
    std::vector<Visit> seen(whole.size());
    std::vector<std::thread> threads;
    for (std::int64_t first = 0; first < 8; ++first) {
        threads.emplace_back([&, first] {
            for (std::int64_t step = first; step < kSteps; step += 8) {
                const auto place = static_cast<std::size_t>(step * kBatch);
                shared.visit(step * kBatch, std::span(seen).subspan(place, kBatch));
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    QCOMPARE(seen, whole);
}

void TestSampler::Sampler_badSize_isRefused()
{
    for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 32U}) {
        const auto error =
            errorOf([&] { const Sampler sampler(size, ExampleOrder::Sequential, 1); });
        QVERIFY(tells(error, ErrorCode::Data, std::to_string(size)));
    }
}

} // namespace lockstep::test

LOCKSTEP_TEST(lockstep::test::TestSampler)
#include "test_sampler.moc"
