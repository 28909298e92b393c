// SPDX-License-Identifier: Apache-2.0
#include "input/order/balanced_order.h"
#include "support/failure_of.h"
#include "support/fake_dataset.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <map>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Labels as given, pictures of one pixel.
class LabelledDataset final : public FakeDataset
{
public:
    explicit LabelledDataset(std::vector<std::int32_t> labels)
        : FakeDataset(std::ssize(labels), {1, 1, 1}), m_labels(std::move(labels)),
          m_info(FakeDataset::info())
    {
        m_info.classNames = {"clean", "defective"};
    }
    [[nodiscard]] const DatasetInfo& info() const override { return m_info; }
    [[nodiscard]] ExampleView example(std::int64_t index) const override
    {
        ExampleView view = FakeDataset::example(index);
        view.label = m_labels[static_cast<std::size_t>(index)];
        return view;
    }

private:
    std::vector<std::int32_t> m_labels;
    DatasetInfo m_info;
};

/// 20 clean ones and 7 defective ones, mixed.
const LabelledDataset& mixed()
{
    static const LabelledDataset dataset([] {
        std::vector<std::int32_t> labels;
        for (int i = 0; i < 27; ++i) {
            labels.push_back(i % 4 == 3 || i == 26 ? 1 : 0);
        }
        return labels;
    }());
    return dataset;
}

std::vector<Visit> batchAt(const BalancedOrder& order, std::int64_t batch, std::int64_t number)
{
    std::vector<Visit> visits(static_cast<std::size_t>(batch));
    order.visit(number * batch, 0, visits);
    return visits;
}

std::int32_t labelOf(const Visit& visit)
{
    return mixed().example(visit.example).label;
}

} // namespace

class TestBalancedOrder : public QObject
{
    Q_OBJECT

private slots:
    void Visit_evenBatch_isHalfAndHalf_data();
    void Visit_evenBatch_isHalfAndHalf();
    void Visit_batchOfOne_alternatesCleanFirst();
    void Visit_epoch_hasEveryDefectiveOneOnce();
    void Visit_longRun_visitsAllCleanOnesEquallyOften();
    void Visit_anyTower_getsBothClassesEquallyOften();
    void Visit_arrangements_areEquallyLikely();
    void Visit_partOfABatch_isThatOfTheWhole();
    void Visit_otherBatchOnTheWay_goesOnInBothClasses();
    void Visit_otherSeed_isAnotherOrder();
    void Order_oddBatch_isRefused();
    void Order_oneClass_isRefused();
};

void TestBalancedOrder::Visit_evenBatch_isHalfAndHalf_data()
{
    QTest::addColumn<int>("batch");
    for (const int batch : {2, 4, 6, 32, 100}) {
        QTest::addRow("%d", batch) << batch;
    }
}

void TestBalancedOrder::Visit_evenBatch_isHalfAndHalf()
{
    QFETCH(int, batch);
    const BalancedOrder order(mixed(), batch, 5);
    for (std::int64_t number = 0; number < 30; ++number) {
        const auto visits = batchAt(order, batch, number);
        QCOMPARE(std::ranges::count(visits, 1, labelOf), batch / 2);
    }
}

void TestBalancedOrder::Visit_batchOfOne_alternatesCleanFirst()
{
    const BalancedOrder order(mixed(), 1, 5);
    for (std::int64_t number = 0; number < 60; ++number) {
        QCOMPARE(labelOf(batchAt(order, 1, number).front()), static_cast<std::int32_t>(number % 2));
    }
}

void TestBalancedOrder::Visit_epoch_hasEveryDefectiveOneOnce()
{
    QCOMPARE(balancedEpoch(mixed()), 14);
    for (const std::int64_t batch : {1, 2, 14}) {
        const BalancedOrder order(mixed(), batch, 9);
        std::map<std::uint32_t, int> seen;
        for (std::int64_t number = 0; number < 3 * 14 / batch; ++number) {
            for (const Visit& visit : batchAt(order, batch, number)) {
                seen[visit.example] += labelOf(visit);
            }
        }
        std::erase_if(seen, [](const auto& entry) { return entry.second == 0; });
        QCOMPARE(seen.size(), 7U);
        QVERIFY(std::ranges::all_of(seen, [](const auto& entry) { return entry.second == 3; }));
    }
}

void TestBalancedOrder::Visit_longRun_visitsAllCleanOnesEquallyOften()
{
    const BalancedOrder order(mixed(), 4, 9);
    std::map<std::uint32_t, int> seen;
    for (std::int64_t number = 0; number < 30; ++number) { // 60 clean ones: 3 passes over 20
        for (const Visit& visit : batchAt(order, 4, number)) {
            seen[visit.example] += 1 - labelOf(visit);
        }
    }
    std::erase_if(seen, [](const auto& entry) { return entry.second == 0; });
    QCOMPARE(seen.size(), 20U);
    QVERIFY(std::ranges::all_of(seen, [](const auto& entry) { return entry.second == 3; }));
}

void TestBalancedOrder::Visit_anyTower_getsBothClassesEquallyOften()
{
    const BalancedOrder order(mixed(), 4, 1);
    std::vector<int> defective(4);
    constexpr int kBatches = 2000;
    for (std::int64_t number = 0; number < kBatches; ++number) {
        const auto visits = batchAt(order, 4, number);
        for (std::size_t row = 0; row < 4; ++row) {
            defective[row] += labelOf(visits[row]);
        }
    }
    for (const int count : defective) { // 5 standard deviations of a fair coin
        QVERIFY(std::abs(count - kBatches / 2) < 112);
    }
}

void TestBalancedOrder::Visit_arrangements_areEquallyLikely()
{
    const BalancedOrder order(mixed(), 4, 2);
    std::map<int, int> counts;
    constexpr int kBatches = 6000;
    for (std::int64_t number = 0; number < kBatches; ++number) {
        int arrangement = 0;
        for (const Visit& visit : batchAt(order, 4, number)) {
            arrangement = 2 * arrangement + labelOf(visit);
        }
        ++counts[arrangement];
    }
    QCOMPARE(counts.size(), 6U);                      // 4 over 2
    for (const auto& [arrangement, count] : counts) { // 5 deviations of sqrt(6000 * 1/6 * 5/6)
        QVERIFY(std::abs(count - kBatches / 6) < 145);
    }
}

void TestBalancedOrder::Visit_partOfABatch_isThatOfTheWhole()
{
    const BalancedOrder order(mixed(), 12, 4);
    const auto whole = batchAt(order, 12, 7);
    for (std::int64_t first = 0; first < 12; ++first) {
        for (std::int64_t count = 1; first + count <= 12; ++count) {
            std::vector<Visit> part(static_cast<std::size_t>(count));
            order.visit(7 * 12, first, part);
            QVERIFY(std::equal(part.begin(), part.end(), whole.begin() + first));
        }
    }
}

void TestBalancedOrder::Visit_otherBatchOnTheWay_goesOnInBothClasses()
{
    // A run that goes on with other towers: 3 examples one by one, then batches of 4.
    const BalancedOrder single(mixed(), 1, 4);
    const BalancedOrder four(mixed(), 4, 4);
    std::vector<Visit> visits;
    for (std::int64_t number = 0; number < 3; ++number) {
        visits.push_back(batchAt(single, 1, number).front());
    }
    for (std::int64_t position = 3; position < 14; position += 4) {
        std::vector<Visit> batch(4);
        four.visit(position, 0, batch);
        visits.insert(visits.end(), batch.begin(), batch.end());
    }
    std::map<std::uint32_t, int> seen;
    for (const Visit& visit : visits) {
        seen[visit.example] += 1;
    }
    QCOMPARE(visits.size(), 15U); // 8 clean, 7 defective ones: none twice
    QCOMPARE(seen.size(), 15U);
}

void TestBalancedOrder::Visit_otherSeed_isAnotherOrder()
{
    const auto of = [](std::uint64_t seed) {
        return batchAt(BalancedOrder(mixed(), 14, seed), 14, 0);
    };
    QVERIFY(of(1) == of(1));
    QVERIFY(of(1) != of(2));
}

void TestBalancedOrder::Order_oddBatch_isRefused()
{
    for (const std::int64_t batch : {3, 5, 129}) {
        const auto error = errorOf([&] { BalancedOrder(mixed(), batch, 1); });
        QVERIFY(tells(error, ErrorCode::BadInput, "can't be halved"));
        QVERIFY(tells(error, ErrorCode::BadInput, "batch_per_tower"));
        QVERIFY(tells(error, ErrorCode::BadInput, std::to_string(batch)));
    }
}

void TestBalancedOrder::Order_oneClass_isRefused()
{
    const LabelledDataset clean({0, 0, 0});
    const auto error = errorOf([&] { BalancedOrder(clean, 2, 1); });
    QVERIFY(tells(error, ErrorCode::BadInput, "class 'defective'"));
    const FakeDataset ten(20);
    QVERIFY(tells(errorOf([&] { BalancedOrder(ten, 2, 1); }), ErrorCode::BadInput, "two classes"));
}

LOCKSTEP_TEST(TestBalancedOrder)
#include "test_balanced_order.moc"
