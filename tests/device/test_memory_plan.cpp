// SPDX-License-Identifier: Apache-2.0
#include "device/memory_plan.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"

#include <algorithm>

using namespace lockstep;

namespace {

std::size_t aligned(std::size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/// A buffer that is needed from moment `first` to moment `last`, both included.
struct BufferRequest
{
    std::size_t bytes = 0;
    int first = 0;
    int last = 0;
};

bool liveTogether(const BufferRequest& one, const BufferRequest& other)
{
    return one.first <= other.last && other.first <= one.last;
}

MemoryPlan planOf(const std::vector<BufferRequest>& requests)
{
    std::vector<std::size_t> bytes;
    for (const BufferRequest& request : requests) {
        bytes.push_back(request.bytes);
    }
    return planMemory(bytes, [&](std::size_t one, std::size_t other) {
        return liveTogether(requests[one], requests[other]);
    });
}

std::vector<BufferRequest> randomRequests(test::Random& random)
{
    std::vector<BufferRequest> requests(static_cast<std::size_t>(random.integer(1, 40)));
    for (BufferRequest& request : requests) {
        request.bytes = static_cast<std::size_t>(random.integer(0, 5) * random.integer(1, 700));
        request.first = static_cast<int>(random.integer(0, 30));
        request.last = request.first + static_cast<int>(random.integer(0, 12));
    }
    return requests;
}

/// The most that is alive at one moment: no plan can do with less.
std::size_t peak(const std::vector<BufferRequest>& requests)
{
    std::size_t most = 0;
    for (int moment = 0; moment <= 50; ++moment) {
        std::size_t now = 0;
        for (const BufferRequest& request : requests) {
            const bool isAlive = request.first <= moment && moment <= request.last;
            now += isAlive ? aligned(request.bytes) : 0;
        }
        most = std::max(most, now);
    }
    return most;
}

} // namespace

class TestMemoryPlan : public QObject
{
    Q_OBJECT

private slots:
    void Buffers_aliveTogether_neverOverlap()
    {
        test::Random random(31);
        for (int number = 0; number < 500; ++number) {
            const auto requests = randomRequests(random);
            const MemoryPlan plan = planOf(requests);
            QCOMPARE(plan.offsets.size(), requests.size());
            for (std::size_t i = 0; i < requests.size(); ++i) {
                const std::size_t end = plan.offsets[i] + requests[i].bytes;
                QCOMPARE(plan.offsets[i] % 256, std::size_t{0});
                QVERIFY(end <= plan.bytes);
                for (std::size_t j = 0; j < i; ++j) {
                    const bool isApart = end <= plan.offsets[j]
                                         || plan.offsets[j] + requests[j].bytes <= plan.offsets[i];
                    QVERIFY(
                        isApart || !liveTogether(requests[i], requests[j]) || requests[i].bytes == 0
                        || requests[j].bytes == 0);
                }
            }
        }
    }

    void Block_isBetweenThePeakAndTheSum()
    {
        test::Random random(32);
        for (int number = 0; number < 500; ++number) {
            const auto requests = randomRequests(random);
            std::size_t sum = 0;
            for (const BufferRequest& request : requests) {
                sum += aligned(request.bytes);
            }
            const std::size_t bytes = planOf(requests).bytes;
            QVERIFY(bytes <= sum);
            QVERIFY(bytes >= peak(requests));
        }
    }

    void Buffers_thatTakeTurns_shareOnePlace()
    {
        std::vector<BufferRequest> requests;
        for (int moment = 0; moment < 10; ++moment) {
            requests.push_back({1000, moment, moment});
        }
        QCOMPARE(planOf(requests).bytes, std::size_t{1024});
    }

    void Gradients_thatPingPong_takeTwoPlaces()
    {
        // Each is made in one moment and read in the next one.
        std::vector<BufferRequest> requests;
        for (int moment = 0; moment < 10; ++moment) {
            requests.push_back({512, moment, moment + 1});
        }
        QCOMPARE(planOf(requests).bytes, std::size_t{1024});
    }

    void Outputs_thatStack_takeTheirSum()
    {
        QCOMPARE(planOf({{256, 0, 5}, {256, 1, 4}, {256, 2, 3}}).bytes, std::size_t{768});
    }

    void Hole_betweenLivingBuffers_isUsed()
    {
        // The second one dies first; the third one fits into its place.
        QCOMPARE(
            planOf({{1024, 0, 9}, {512, 0, 3}, {600, 0, 9}, {300, 4, 9}}).bytes,
            std::size_t{1024 + 512 + 768});
    }

    void Nothing_takesNothing()
    {
        QCOMPARE(planOf({}).bytes, std::size_t{0});
        QCOMPARE(planOf({{0, 0, 5}}).bytes, std::size_t{0});
    }
};

LOCKSTEP_TEST(TestMemoryPlan)
#include "test_memory_plan.moc"
