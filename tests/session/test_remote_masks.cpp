// SPDX-License-Identifier: Apache-2.0
#include "session/control/mask_message.h"
#include "session/control/run_remote.h"
#include "session/mask_model.h"
#include "session/run_witness.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <cmath>
#include <map>
#include <thread>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// The small detector on generated pictures, without an end.
RunConfig detectorConfig(const std::string& model)
{
    RunConfig config;
    config.model.name = model;
    config.dataset = "synthetic_defects";
    config.batchPerTower = 2;
    config.threadsPerTower = {1};
    config.phases = {{"joint", 1'000'000, 0.01, {}}};
    config.steps = 1'000'000;
    config.evaluateAtEnd = false;
    config.alerts = {0, 0.0, 0.0, 0, 0.0, 0.0};
    return config;
}

class MaskListener : public Witness
{
public:
    void onEvent(const TrainingEvent& event) override
    {
        if (const auto* const masks = std::get_if<std::shared_ptr<const MaskRecord>>(&event)) {
            const std::scoped_lock lock(m_mutex);
            m_records[(*masks)->step] = *masks;
        }
    }
    [[nodiscard]] std::shared_ptr<const MaskRecord> at(std::int64_t step) const
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_records.find(step);
        return found == m_records.end() ? nullptr : found->second;
    }
    [[nodiscard]] std::size_t count() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_records.size();
    }

private:
    mutable std::mutex m_mutex;
    std::map<std::int64_t, std::shared_ptr<const MaskRecord>> m_records;
};

bool isSame(const ImageMasks& one, const ImageMasks& other, double shade)
{
    bool isNear = one.input.size() == other.input.size();
    for (std::size_t i = 0; isNear && i < one.input.size(); ++i) {
        isNear = std::abs(one.input[i] - other.input[i]) <= 0.51 * shade;
    }
    return isNear && one.example == other.example && one.name == other.name
           && one.label == other.label && one.mask == other.mask
           && one.probabilities == other.probabilities && one.score == other.score;
}

bool isSame(const MaskRecord& one, const MaskRecord& other)
{
    bool isEqual = one.step == other.step && one.input == other.input && one.mask == other.mask
                   && one.white == other.white && one.towers.size() == other.towers.size();
    for (std::size_t tower = 0; isEqual && tower < one.towers.size(); ++tower) {
        const TowerMasks& mine = one.towers[tower];
        const TowerMasks& its = other.towers[tower];
        isEqual = mine.loss == its.loss && mine.images.size() == its.images.size()
                  && std::ranges::equal(
                      mine.objectives, its.objectives, [](const auto& left, const auto& right) {
                          return left.objective == right.objective && left.loss == right.loss;
                      });
        for (std::size_t i = 0; isEqual && i < mine.images.size(); ++i) {
            isEqual = isSame(mine.images[i], its.images[i], one.white / 255.0);
        }
    }
    return isEqual;
}

/// One image of 2 x 3 pixels a place, told apart by their numbers.
MaskRecord drawnMasks(int towers, int images)
{
    MaskRecord record;
    record.step = 7;
    record.input = {2, 3, 1};
    record.mask = {1, 2, 1};
    record.white = 255.0;
    for (int tower = 0; tower < towers; ++tower) {
        TowerMasks told{0.25 * tower, {{"segmentation", 1.5}}, {}};
        for (int image = 0; image < images; ++image) {
            told.images.push_back(
                {10 * tower + image,
                 "a name",
                 image % 2,
                 {0.0F, 1.0F, 2.0F, 128.0F, 254.0F, 255.0F},
                 {0.0F, 1.0F},
                 {0.125F, 0.7F},
                 image == 0 ? std::optional(0.3) : std::nullopt});
        }
        record.towers.push_back(told);
    }
    return record;
}

} // namespace

/// The masks of a training, as another process gets them.
class TestRemoteMasks : public QObject
{
    Q_OBJECT

private slots:
    void Message_comesBack();
    void Message_ofManyImages_isBounded();
    void Message_thatIsDamaged_isRefused();
    void Remote_getsTheMasksOfTheTraining_andNoneOnceItAsksNoMore();
};

void TestRemoteMasks::Message_comesBack()
{
    const MaskRecord record = drawnMasks(2, 3);
    const MaskRecord back = maskRecordFrom(toMessage(record));
    QVERIFY(isSame(record, back));
    QCOMPARE(back.towers[1].images[2].input, record.towers[1].images[2].input); // whole shades
}

void TestRemoteMasks::Message_ofManyImages_isBounded()
{
    constexpr std::size_t kImage = 6 + 4 * (2 + 2);
    const MaskRecord record = drawnMasks(3, 4);
    const MaskRecord some = maskRecordFrom(toMessage(record, 3 * 2 * kImage));
    QCOMPARE(some.towers.size(), std::size_t{3});
    for (const TowerMasks& tower : some.towers) {
        QCOMPARE(tower.images.size(), std::size_t{2});
    }
    QCOMPARE(maskRecordFrom(toMessage(record, 1)).towers[2].images.size(), std::size_t{0});
}

void TestRemoteMasks::Message_thatIsDamaged_isRefused()
{
    const std::string message = toMessage(drawnMasks(1, 1));
    const auto cut = message.substr(0, message.size() - 3);
    QVERIFY(tells(errorOf([&] { maskRecordFrom(cut); }), ErrorCode::Data, "can't be read"));
    MaskRecord wrong = drawnMasks(1, 1);
    wrong.input.width = 4;
    QVERIFY(tells(
        errorOf([&] { maskRecordFrom(toMessage(wrong)); }), ErrorCode::Data, "not of the size"));
}

void TestRemoteMasks::Remote_getsTheMasksOfTheTraining_andNoneOnceItAsksNoMore()
{
    const TemporaryFolder folder;
    MaskListener witness;
    TrainingRun run(
        {detectorConfig(writeMaskModel(folder.path()).string()), folder / "run"}, witness);
    std::jthread trainer([&] { run.train(); });
    const RunRemote first(folder / "run");
    const RunRemote second(folder / "run");
    QTRY_VERIFY(first.status().step > 3);
    QCOMPARE(witness.count(), std::size_t{0}); // nobody has asked
    std::shared_ptr<const MaskRecord> masks;
    QTRY_VERIFY((masks = first.masks(-1)) != nullptr);
    QVERIFY(witness.at(masks->step) && isSame(*witness.at(masks->step), *masks));
    QCOMPARE(masks->towers.size(), std::size_t{2});
    QCOMPARE(masks->towers[1].images.size(), std::size_t{2});
    // Each gets what it has not had yet.
    std::shared_ptr<const MaskRecord> later;
    QTRY_VERIFY((later = second.masks(masks->step)) != nullptr);
    QVERIFY(later->step > masks->step && isSame(*witness.at(later->step), *later));
    QVERIFY(tells(
        errorOf([&] { static_cast<void>(first.ask("masks soon")); }), ErrorCode::BadInput, "soon",
        folder.path()));
    // They are wanted for a few seconds more, and not for good.
    QTest::qWait(3500);
    const std::size_t count = witness.count();
    QTest::qWait(1000);
    QCOMPARE(witness.count(), count);
    run.send(command::Stop{});
}

LOCKSTEP_TEST(TestRemoteMasks)
#include "test_remote_masks.moc"
