// SPDX-License-Identifier: Apache-2.0
#include "storage/append_event.h"
#include "storage/events/event_encoding.h"
#include "storage/events/event_file_reader.h"
#include "storage/events/event_index.h"
#include "storage/files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

EventRecord scalars(std::int64_t step)
{
    return {EventKind::Values, 1.5e9, step, {{"loss/mean", 1.0}, {"learning_rate", 0.1}}};
}

/// So short that it is opened to see what it holds.
EventRecord shortRecord(std::int64_t step)
{
    EventRecord record = scalars(step);
    record.values.push_back(
        {"conv1/weights", histogramOf(std::vector{0.5F, static_cast<float>(step)})});
    return record;
}

/// So long that only its head is looked at.
EventRecord longRecord(std::int64_t step)
{
    static std::mt19937 random(7);
    std::vector<std::uint8_t> noise(std::size_t{3} * 100 * 100);
    for (std::uint8_t& value : noise) {
        value = static_cast<std::uint8_t>(random());
    }
    EventRecord record = shortRecord(step);
    record.values.push_back({"images/image/0", encodePng({100, 100, 3}, noise)});
    return record;
}

std::vector<std::int64_t> stepsOf(const EventIndex& index)
{
    std::vector<std::int64_t> steps;
    for (const EventPlace& place : index.places()) {
        steps.push_back(place.step);
    }
    return steps;
}

/// As reading all of the folder tells it.
std::vector<std::int64_t> stepsWithHistograms(const std::filesystem::path& folder)
{
    std::vector<std::int64_t> steps;
    forEachCurrentEvent(folder, [&](const EventRecord& record) {
        if (std::ranges::any_of(record.values, [](const EventValue& value) {
                return std::holds_alternative<Histogram>(value.value);
            })) {
            steps.push_back(record.step);
        }
    });
    return steps;
}

/// Whether the index says the same of every record as one that sees all of the folder at once.
bool isThatOfAll(const EventIndex& index, const std::filesystem::path& folder)
{
    EventIndex atOnce(folder);
    atOnce.update();
    bool isEqual =
        stepsOf(index) == stepsWithHistograms(folder) && stepsOf(index) == stepsOf(atOnce);
    for (std::size_t i = 0; isEqual && i < index.places().size(); ++i) {
        isEqual = encodeEvent(index.read(index.places()[i]))
                  == encodeEvent(atOnce.read(atOnce.places()[i]));
    }
    return isEqual;
}

} // namespace

/// Where the records with histograms are: always what reading the whole folder says.
class TestEventIndex : public QObject
{
    Q_OBJECT
private slots:
    static void Folder_none_hasNoRecords();
    static void Records_asTheyCome_areThoseOfTheWholeFolder();
    static void Record_halfWritten_comesWhenItIsWhole();
    static void Resume_takesBackWhatLiesBehindIt();
    static void File_gone_isForgotten();
    static void Record_damaged_isNamed();
};

void TestEventIndex::Folder_none_hasNoRecords()
{
    const TemporaryFolder folder;
    EventIndex index(folder / "events");
    QVERIFY(!index.update());
    QVERIFY(index.places().empty());
}

void TestEventIndex::Records_asTheyCome_areThoseOfTheWholeFolder()
{
    const TemporaryFolder folder;
    EventIndex index(folder.path());
    EventFile file(folder.path(), 0);
    std::vector<std::int64_t> expected;
    for (std::int64_t step = 0; step < 200; ++step) {
        const bool isLong = step % 3 == 0;
        const bool isShort = step % 3 == 1;
        append(file, isLong ? longRecord(step) : isShort ? shortRecord(step) : scalars(step));
        if (isLong || isShort) {
            expected.push_back(step);
        }
        if (step % 7 == 0) {
            index.update();
            QCOMPARE(stepsOf(index), expected);
            QVERIFY(!index.update()); // there is nothing new
        }
    }
    index.update();
    QCOMPARE(stepsOf(index), expected);
    QVERIFY(isThatOfAll(index, folder.path()));
    QCOMPARE(encodeEvent(index.read(index.places()[3])), encodeEvent(shortRecord(4)));
}

void TestEventIndex::Record_halfWritten_comesWhenItIsWhole()
{
    const TemporaryFolder folder;
    const TemporaryFolder grown;
    EventFile file(folder.path(), 0);
    append(file, longRecord(0));
    append(file, shortRecord(100));
    append(file, longRecord(200));
    const std::string bytes = readBytes(file.path());
    const auto target = grown / file.path().filename();
    EventIndex index(grown.path());
    std::vector<std::size_t> seen;
    for (std::size_t end = 0; end <= bytes.size(); end += 997) {
        writeBytes(target, bytes.substr(0, end));
        index.update();
        seen.push_back(index.places().size());
    }
    writeBytes(target, bytes);
    index.update();
    QVERIFY(std::ranges::is_sorted(seen));
    QCOMPARE(stepsOf(index), (std::vector<std::int64_t>{0, 100, 200}));
    QVERIFY(isThatOfAll(index, grown.path()));
}

void TestEventIndex::Resume_takesBackWhatLiesBehindIt()
{
    const TemporaryFolder folder;
    EventIndex index(folder.path());
    EventFile first(folder.path(), 0);
    for (const std::int64_t step : {0, 100, 200, 300}) {
        append(first, longRecord(step));
    }
    QVERIFY(index.update());
    EventFile second(folder.path(), 200);
    QVERIFY(index.update()); // before anything is recorded
    QCOMPARE(stepsOf(index), (std::vector<std::int64_t>{0, 100}));
    append(second, shortRecord(250));
    QVERIFY(index.update());
    QVERIFY(isThatOfAll(index, folder.path()));
    EventFile third(folder.path(), 50);
    append(third, longRecord(50));
    QVERIFY(index.update());
    QCOMPARE(stepsOf(index), (std::vector<std::int64_t>{0, 50}));
    QVERIFY(isThatOfAll(index, folder.path()));
}

void TestEventIndex::File_gone_isForgotten()
{
    const TemporaryFolder folder;
    EventIndex index(folder.path());
    const EventFile first(folder.path(), 0);
    {
        EventFile second(folder.path(), 0);
        append(second, shortRecord(0));
        QVERIFY(index.update());
    }
    std::filesystem::remove(first.path());
    QVERIFY(index.update());
    QVERIFY(isThatOfAll(index, folder.path()));
}

void TestEventIndex::Record_damaged_isNamed()
{
    const TemporaryFolder folder;
    EventFile file(folder.path(), 0);
    append(file, longRecord(0));
    append(file, longRecord(100));
    EventIndex index(folder.path());
    index.update();
    const EventPlace last = index.places().back();
    std::string bytes = readBytes(file.path());
    bytes[last.offset + 5000] ^= 1;
    writeBytes(file.path(), bytes);
    const std::string byte = "byte " + std::to_string(last.offset);
    QVERIFY(tells(
        errorOf([&] { static_cast<void>(index.read(last)); }), ErrorCode::Data,
        file.path().string(), byte));
    bytes[last.offset] ^= 1; // its length
    writeBytes(file.path(), bytes);
    EventIndex anew(folder.path());
    QVERIFY(tells(errorOf([&] { anew.update(); }), ErrorCode::Data, file.path().string(), byte));
}

LOCKSTEP_TEST(TestEventIndex)
#include "test_event_index.moc"
