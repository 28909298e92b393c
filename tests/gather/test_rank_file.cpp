// SPDX-License-Identifier: Apache-2.0
#include "gather/rank_scene.h"
#include "session/gather/rank_file.h"
#include "session/gather/rank_merge.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <chrono>
#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Steps 0 to `count` of a rank.
std::string stepFrames(std::int64_t count)
{
    std::string bytes;
    for (std::int64_t step = 0; step < count; ++step) {
        bytes += stepFrame(stepOf(step, 50 * step, {}, 40));
    }
    return bytes;
}

std::vector<std::int64_t> stepsOf(RankSource& source)
{
    std::vector<std::int64_t> steps;
    while (const auto frame = source.next()) {
        if (const auto* const step = std::get_if<RankStep>(&*frame)) {
            steps.push_back(step->step);
        }
    }
    return steps;
}

void writeAll(const std::filesystem::path& file, const std::string& bytes)
{
    std::ofstream(file, std::ios::binary) << bytes;
}

} // namespace

class TestRankFile : public QObject
{
    Q_OBJECT

private slots:
    void Frames_areReadAsTheyWereWritten();
    void Growing_isReadAsFarAsItIsWhole();
    void FlippedBit_losesItsFrameAndNamesIt_data();
    void FlippedBit_losesItsFrameAndNamesIt();
    void TornFrame_beforeANewStart_isPassedOver();
    void UnknownKind_isPassedOver();
    void Impossible_isRefused_data();
    void Impossible_isRefused();
    void WrongFact_isNotTold();
    void Fuzzed_neverCrashes();
};

void TestRankFile::Frames_areReadAsTheyWereWritten()
{
    const TemporaryFolder folder;
    const auto file = rankFileOf(folder.path(), 12);
    RankStep step = stepOf(7, 100, {1, 2, 3}, 9);
    step.waited = 5;
    step.loss.reset();
    step.sums.push_back({-1, 17});
    const RankGradients gradients{7, {{1.5, -2.5}, {3.0, 4.0}}, {{1, 2, 3}, {4, 5, 6}}};
    writeAll(
        file, startFrame(12, 16, R"(,"parameters":["a.weight","b"],"training_examples":50000)")
                  + stepFrame(step) + gradientsFrame(gradients)
                  + frameOf("\x04{\"level\":\"warning\",\"text\":\"hot\"}") + endFrame("failed"));
    RankFile source(file);
    QCOMPARE(source.namedRank(), 12);
    const auto start = std::get<RankStart>(source.next().value());
    QCOMPARE(start.rank, 12);
    QCOMPARE(start.ranks, 16);
    QCOMPARE(start.host, std::string("node6"));
    QCOMPARE(start.trainingExamples, 50000);
    QCOMPARE(start.parameters, (std::vector<std::string>{"a.weight", "b"}));
    const auto read = std::get<RankStep>(source.next().value());
    QCOMPARE(read.step, 7);
    QCOMPARE(read.arrival, step.arrival);
    QCOMPARE(read.waited, 5);
    QVERIFY(!read.loss);
    QCOMPARE(read.sums.size(), std::size_t{2});
    QCOMPARE(read.sums[1].done, 17);
    const auto measured = std::get<RankGradients>(source.next().value());
    QCOMPARE(measured.own[1].dotMean, 4.0);
    QCOMPARE(measured.mean[1].updateSquares, 6.0);
    const auto event = std::get<RankEvent>(source.next().value());
    QCOMPARE(event.level + event.text, std::string("warninghot"));
    QCOMPARE(std::get<RankEnd>(source.next().value()).state, std::string("failed"));
    QVERIFY(!source.next());
    QVERIFY(source.takeDamage(true).empty());
    QCOMPARE(source.bytesRead(), static_cast<std::int64_t>(std::filesystem::file_size(file)));
}

void TestRankFile::Growing_isReadAsFarAsItIsWhole()
{
    const TemporaryFolder folder;
    const auto file = rankFileOf(folder.path(), 0);
    const std::string bytes = startFrame(0, 1) + stepFrames(3);
    writeAll(file, "");
    RankFile source(file);
    std::vector<std::int64_t> steps;
    for (const char byte : bytes) { // by one byte each time
        appendTo(file, std::string(1, byte));
        for (const std::int64_t step : stepsOf(source)) {
            steps.push_back(step);
        }
    }
    QCOMPARE(steps, (std::vector<std::int64_t>{0, 1, 2}));
    QVERIFY(source.takeDamage(true).empty());
}

void TestRankFile::FlippedBit_losesItsFrameAndNamesIt_data()
{
    QTest::addColumn<int>("byte"); // of the frame of step 10
    QTest::newRow("magic") << 1;
    QTest::newRow("length") << 4;
    QTest::newRow("length, by 65,536") << 6;
    QTest::newRow("length, by 2 GB") << 7;
    QTest::newRow("checksum") << 9;
    QTest::newRow("payload") << 60;
}

void TestRankFile::FlippedBit_losesItsFrameAndNamesIt()
{
    QFETCH(const int, byte);
    const TemporaryFolder folder;
    const auto file = rankFileOf(folder.path(), 3);
    std::string bytes = startFrame(3, 4) + stepFrames(10);
    const std::size_t begin = bytes.size();
    bytes += stepFrames(20).substr(stepFrames(10).size());
    bytes[begin + static_cast<std::size_t>(byte)] ^= 1;
    writeAll(file, bytes);
    RankFile source(file);
    const auto steps = stepsOf(source);
    QCOMPARE(steps.size(), std::size_t{19});
    QCOMPARE(steps[10], 11);
    const auto damage = source.takeDamage(true);
    QCOMPARE(damage.size(), std::size_t{1});
    const std::size_t end = begin + stepFrame(stepOf(10, 500, {}, 40)).size() - 1;
    QVERIFY2(
        damage.front().starts_with(fmt::format("rank-0003.lsr: bytes {} to {} ", begin, end)),
        damage.front().c_str());
}

void TestRankFile::TornFrame_beforeANewStart_isPassedOver()
{
    const TemporaryFolder folder;
    const auto file = rankFileOf(folder.path(), 0);
    const std::string first = startFrame(0, 1) + stepFrames(4);
    writeAll(file, first.substr(0, first.size() - 30) + startFrame(0, 1) + stepFrames(2));
    RankFile source(file);
    QCOMPARE(stepsOf(source), (std::vector<std::int64_t>{0, 1, 2, 0, 1}));
    QCOMPARE(source.takeDamage(true).size(), std::size_t{1});
    appendTo(file, startFrame(0, 1));
    QVERIFY(source.next());
    QVERIFY(source.takeDamage(false).empty());
    appendTo(file, "LSK");
    QVERIFY(!source.next());
    QVERIFY(source.takeDamage(true).front().find("ends within a frame") != std::string::npos);
}

void TestRankFile::UnknownKind_isPassedOver()
{
    const TemporaryFolder folder;
    const auto file = rankFileOf(folder.path(), 0);
    writeAll(file, startFrame(0, 1) + frameOf("\x63 of a later version") + stepFrames(1));
    RankFile source(file);
    QCOMPARE(stepsOf(source), (std::vector<std::int64_t>{0}));
    QVERIFY(source.takeDamage(true).empty());
}

void TestRankFile::Impossible_isRefused_data()
{
    QTest::addColumn<std::string>("payload");
    QTest::addColumn<std::string>("reason");
    const auto row = [](const char* name, const std::string& payload, const char* reason) {
        QTest::newRow(name) << payload << std::string(reason);
    };
    const auto start = [](const char* json) { return '\x01' + std::string(json); };
    row("no JSON", start("{"), "no JSON object");
    row("a list", start("[]"), "no JSON object");
    row("format 2", start(R"({"format":2,"rank":0,"ranks":1})"), "newer");
    row("no ranks", start(R"({"format":1,"rank":0})"), "not among");
    row("rank 4 of 4", start(R"({"format":1,"rank":4,"ranks":4})"), "not among");
    row("a million ranks", start(R"({"format":1,"rank":0,"ranks":1000000})"), "not among");
    row("no rank", start(R"({"format":1,"ranks":1})"), "not among");
    const std::string step = stepFrame(stepOf(3, 10, {}, 40)).substr(12);
    row("short step", step.substr(0, 50), "too short");
    row("long step", step + "more", "length");
    const auto numbered = [&](std::size_t at, std::int64_t value) {
        std::string changed = step;
        std::memcpy(changed.data() + at, &value, sizeof(value));
        return changed;
    };
    row("step -1", numbered(8, -1), "number");
    row("step 2^62", numbered(8, std::int64_t{1} << 62), "out of range");
    row("arrival before all", numbered(40, 1), "not in order");
    std::string gradients = gradientsFrame({1, {{1, 2}}, {}}).substr(12);
    gradients[4] = '\x7f';
    row("gradients of 127", gradients, "length");
}

void TestRankFile::Impossible_isRefused()
{
    QFETCH(const std::string, payload);
    QFETCH(const std::string, reason);
    QVERIFY(tells(
        errorOf([&] { decodeRankFrame(std::as_bytes(std::span(payload))); }), ErrorCode::Data,
        reason));
}

void TestRankFile::WrongFact_isNotTold()
{
    const std::string payload =
        "\x01"
        R"({"format":1,"rank":0,"ranks":1,"host":1,"model":"a","batch":"b","nanoseconds":-1,)"
        R"("training_examples":1.5,"parameters":[1]})";
    const auto frame = decodeRankFrame(std::as_bytes(std::span(payload)));
    const auto& start = std::get<RankStart>(frame.value());
    QCOMPARE(start.host + start.model, std::string("a"));
    QCOMPARE(start.batch + start.nanoseconds + start.trainingExamples, 0);
    QVERIFY(start.parameters.empty());
}

/// For as long as LOCKSTEP_FUZZ_SECONDS says; by itself for a second.
void TestRankFile::Fuzzed_neverCrashes()
{
    const TemporaryFolder folder;
    const char* const wanted = std::getenv("LOCKSTEP_FUZZ_SECONDS");
    const std::chrono::duration<double> time(wanted != nullptr ? std::atof(wanted) : 1.0);
    const auto until = std::chrono::steady_clock::now() + time;
    std::mt19937 random(static_cast<unsigned>(std::random_device{}()));
    const auto below = [&](std::size_t count) {
        return random() % std::max<std::size_t>(1, count);
    };
    const std::string whole = startFrame(0, 2, R"(,"parameters":["a","b"])") + stepFrames(6)
                              + gradientsFrame({5, {{1, 2}, {3, 4}}, {{1, 2, 3}, {1, 2, 3}}})
                              + endFrame() + startFrame(1, 2) + stepFrames(9) + endFrame("failed");
    int files = 0;
    std::size_t records = 0;
    for (; std::chrono::steady_clock::now() < until; ++files) {
        RankMerge merge([&](const RunRecord& /*record*/) { ++records; });
        for (int rank = 0; rank < 3; ++rank) {
            std::string bytes = whole;
            for (std::size_t change = below(8); change > 0; --change) {
                const std::size_t at = below(bytes.size());
                switch (below(5)) {
                case 0:
                    bytes[at] ^= static_cast<char>(1 << below(8));
                    break;
                case 1:
                    bytes.resize(at);
                    break;
                case 2:
                    bytes.erase(at, below(200));
                    break;
                case 3:
                    bytes.insert(at, bytes.substr(below(bytes.size()), below(300)));
                    break;
                default: { // passes the checksum
                    RankStep step = stepOf(
                        static_cast<std::int64_t>(random() % 12),
                        static_cast<std::int64_t>(random()), {}, 40);
                    step.waited = static_cast<std::int64_t>(random());
                    step.sums.resize(below(3));
                    std::string frame = stepFrame(step).substr(12);
                    frame[below(frame.size())] ^= static_cast<char>(random());
                    bytes.insert(at, frameOf(frame));
                }
                }
            }
            const auto file = rankFileOf(folder.path(), rank);
            writeAll(file, bytes);
            merge.add(std::make_unique<RankFile>(file));
        }
        merge.merge(false, 0.0);
        merge.merge(below(2) == 0, 20.0);
        merge.merge(true, 40.0);
    }
    QVERIFY(files > 0);
    QVERIFY(records > 0);
    qInfo("%d files, %zu records", 3 * files, records);
}

LOCKSTEP_TEST(TestRankFile)
#include "test_rank_file.moc"
