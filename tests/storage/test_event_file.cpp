// SPDX-License-Identifier: Apache-2.0
#include "base/record_framing.h"
#include "storage/append_event.h"
#include "storage/events/event_encoding.h"
#include "storage/events/event_file_reader.h"
#include "storage/files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <string>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

EventRecord scalarAt(std::int64_t step, double value)
{
    return {EventKind::Values, 1.5e9, step, {{"loss/mean", value}}};
}

/// One of each kind of value.
EventRecord richRecord(std::int64_t step)
{
    const std::vector<std::uint8_t> pixels{0, 1, 2, 3, 4, 5};
    return {
        EventKind::Values,
        1.5e9,
        step,
        {{"loss/mean", 2.25},
         {"conv1/weights", histogramOf(std::vector<float>{-1.0F, 0.0F, 0.5F, 0.5F})},
         {"images/image/0", encodePng({1, 2, 3}, pixels)}}};
}

std::vector<EventRecord> readAll(const std::filesystem::path& file)
{
    EventFileReader reader(file);
    std::vector<EventRecord> records;
    while (auto record = reader.next()) {
        records.push_back(*std::move(record));
    }
    return records;
}

/// The steps whose values a reader of the folder sees, in order.
std::vector<std::int64_t> currentSteps(const std::filesystem::path& folder)
{
    std::vector<std::int64_t> steps;
    forEachCurrentEvent(folder, [&](const EventRecord& record) { steps.push_back(record.step); });
    return steps;
}

} // namespace

class TestEventFile : public QObject
{
    Q_OBJECT

private slots:
    static void Records_comeBack();
    static void File_begins_withVersionAndStart();
    static void File_tornAnywhere_endsBeforeTheTear();
    static void Reader_atATear_staysAtTheEnd();
    static void File_withAnyBitFlipped_isRefusedByOffset();
    static void Names_inOneSecond_areInOrder();
    static void Names_besideOtherFiles_keepTenDigitsAndOrder();
    static void Start_takesBackLaterSteps();
    static void Disk_full_keepsWhatWasWrittenBefore();
    static void Folder_thatCannotBeMade_isAnError();
};

void TestEventFile::Records_comeBack()
{
    const TemporaryFolder folder;
    EventFile file(folder.path(), 0);
    const EventRecord written = richRecord(7);
    append(file, written);
    const auto records = readAll(file.path());
    QCOMPARE(records.size(), std::size_t{3});
    const EventRecord& read = records.back();
    QCOMPARE(read.step, 7);
    QCOMPARE(read.time, 1.5e9);
    QCOMPARE(read.values.size(), std::size_t{3});
    QCOMPARE(std::get<double>(read.values[0].value), 2.25);
    const auto& histogram = std::get<Histogram>(read.values[1].value);
    const auto& expected = std::get<Histogram>(written.values[1].value);
    QCOMPARE(histogram.limits, expected.limits);
    QCOMPARE(histogram.counts, expected.counts);
    QCOMPARE(histogram.minimum, -1.0);
    QCOMPARE(histogram.sumOfSquares, 1.5);
    const auto& image = std::get<PngImage>(read.values[2].value);
    QCOMPARE(image.width, 2);
    QCOMPARE(image.bytes, std::get<PngImage>(written.values[2].value).bytes);
}

void TestEventFile::File_begins_withVersionAndStart()
{
    const TemporaryFolder folder;
    const EventFile file(folder / "events", 40);
    const auto records = readAll(file.path());
    QCOMPARE(records.size(), std::size_t{2});
    QCOMPARE(records[0].kind, EventKind::Version);
    QCOMPARE(records[1].kind, EventKind::Start);
    QCOMPARE(records[1].step, 40);
}

// From its first byte on, and beside another file, which it takes back from step 5 on once that can
// be read.
void TestEventFile::File_tornAnywhere_endsBeforeTheTear()
{
    const TemporaryFolder folder;
    {
        EventFile before(folder.path(), 0);
        append(before, scalarAt(2, 1.0));
        append(before, scalarAt(6, 1.0));
    }
    EventFile file(folder.path(), 5);
    const auto version =
        kFrameHead + encodeEvent({EventKind::Version, 1.5e9, 0, {}}).size() + kFrameTail;
    std::vector<std::uintmax_t> ends{version, std::filesystem::file_size(file.path())};
    for (std::int64_t step = 5; step < 8; ++step) {
        append(file, richRecord(step));
        ends.push_back(std::filesystem::file_size(file.path()));
    }
    const std::string whole = readBytes(file.path());
    for (std::size_t bytes = 0; bytes <= whole.size(); ++bytes) {
        writeBytes(file.path(), whole.substr(0, bytes));
        const auto left = std::ranges::count_if(ends, [&](auto end) { return end <= bytes; });
        QCOMPARE(std::ssize(readAll(file.path())), left);
        std::vector<std::int64_t> steps{2};
        if (left < 2) {
            steps.push_back(6);
        }
        for (std::int64_t step = 5; step < 5 + left - 2; ++step) {
            steps.push_back(step);
        }
        QCOMPARE(currentSteps(folder.path()), steps);
    }
}

void TestEventFile::Reader_atATear_staysAtTheEnd()
{
    const TemporaryFolder folder;
    const EventFile file(folder.path(), 0);
    const std::string whole = readBytes(file.path());
    // What is left of the payload could be taken for another head.
    writeBytes(file.path(), whole.substr(0, 2 * kFrameHead + 1));
    EventFileReader reader(file.path());
    QVERIFY(!reader.next());
    QVERIFY(!reader.next());
}

void TestEventFile::File_withAnyBitFlipped_isRefusedByOffset()
{
    const TemporaryFolder folder;
    EventFile file(folder.path(), 0);
    const auto start = std::filesystem::file_size(file.path());
    append(file, scalarAt(1, 0.5));
    const auto middle = std::filesystem::file_size(file.path());
    append(file, scalarAt(2, 0.25));
    const auto end = std::filesystem::file_size(file.path());
    for (std::size_t byte = start; byte < end; ++byte) {
        flipBit(file.path(), byte, byte % 8);
        const auto error = errorOf([&] { readAll(file.path()); });
        const std::string at = fmt::format("record at byte {} ", byte < middle ? start : middle);
        QVERIFY2(
            tells(error, ErrorCode::Data, file.path().string(), at),
            qPrintable(QString("byte %1: %2").arg(byte).arg(error ? error->what() : "nothing")));
        flipBit(file.path(), byte, byte % 8);
    }
    QCOMPARE(readAll(file.path()).size(), std::size_t{4});
}

void TestEventFile::Names_inOneSecond_areInOrder()
{
    const TemporaryFolder folder;
    std::vector<std::filesystem::path> made;
    for (std::int64_t step = 0; step < 4; ++step) {
        made.push_back(EventFile(folder.path(), step).path());
    }
    QCOMPARE(listEventFiles(folder.path()), made);
    QVERIFY(QRegularExpression("^events\\.out\\.tfevents\\.[0-9]{10}\\..+$")
                .match(QString::fromStdString(made.front().filename().string()))
                .hasMatch());
    QVERIFY(listEventFiles(folder / "none").empty());
}

// Where a stamp of another program has more digits, or the last ten, no name of ten digits comes
// behind it.
void TestEventFile::Names_besideOtherFiles_keepTenDigitsAndOrder()
{
    const TemporaryFolder folder;
    for (const char* stamp :
         {"9223372036854775807", "99999999999999999999", "99999999999", "9999999999", "-1", "x", "",
          "4999999999"}) {
        writeBytes(folder / (std::string("events.out.tfevents.") + stamp), "");
    }
    for (int i = 0; i < 2; ++i) {
        const std::string name = EventFile(folder.path(), 0).path().filename().string();
        const std::string expected = "events.out.tfevents.500000000" + std::to_string(i) + ".";
        QVERIFY2(name.starts_with(expected), name.c_str());
    }
}

void TestEventFile::Start_takesBackLaterSteps()
{
    const TemporaryFolder folder;
    const std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>> files{
        {0, {0, 10, 20, 30}}, {20, {20, 25, 35}}, {25, {25, 40}}};
    for (const auto& [start, steps] : files) {
        EventFile file(folder.path(), start);
        for (const std::int64_t step : steps) {
            append(file, scalarAt(step, 1.0));
        }
    }
    QCOMPARE(currentSteps(folder.path()), (std::vector<std::int64_t>{0, 10, 20, 25, 40}));
    // Nothing that a later start took back comes back by another one.
    const EventFile last(folder.path(), 5);
    QCOMPARE(currentSteps(folder.path()), (std::vector<std::int64_t>{0}));
}

void TestEventFile::Disk_full_keepsWhatWasWrittenBefore()
{
    const TemporaryFolder folder;
    EventFile file(folder.path(), 0);
    append(file, scalarAt(1, 0.5));
    {
        const FileSizeLimit limit(std::filesystem::file_size(file.path()) + 20);
        const auto error = errorOf([&] { append(file, richRecord(2)); });
        QVERIFY(tells(error, ErrorCode::Io, file.path().string(), "write"));
    }
    append(file, scalarAt(3, 0.25));
    const auto records = readAll(file.path());
    QCOMPARE(records.size(), std::size_t{4});
    QCOMPARE(records.back().step, 3);
}

void TestEventFile::Folder_thatCannotBeMade_isAnError()
{
    const TemporaryFolder folder;
    writeBytes(folder / "events", "a file");
    const auto error = errorOf([&] { const EventFile file(folder / "events", 0); });
    QVERIFY(tells(error, ErrorCode::Io, (folder / "events").string()));
    QVERIFY(tells(
        errorOf([&] { const EventFileReader reader(folder / "none"); }), ErrorCode::Io, "none"));
}

LOCKSTEP_TEST(TestEventFile)
#include "test_event_file.moc"
