// SPDX-License-Identifier: Apache-2.0
#include "storage/run_store_reader.h"

#include "storage/run_schema.h"
#include "storage/sqlite_database.h"

#include <algorithm>

namespace lockstep {
namespace {

// Steps [first, end) of one branch.
struct Segment
{
    std::int64_t branch;
    std::int64_t first;
    std::int64_t end;
};

std::vector<Segment> segmentsOf(const SqliteDatabase& database)
{
    std::vector<Segment> segments;
    auto query = database.prepare(
        "SELECT branch, first_step, end_step FROM current_line ORDER BY first_step");
    while (query.next()) {
        segments.push_back({query.integer(0), query.integer(1), query.integer(2)});
    }
    return segments;
}

StepRecord readStep(const SqliteStatement& row)
{
    StepRecord record;
    record.step = row.integer(0);
    record.examples = row.integer(1);
    record.epoch = row.real(2);
    record.learningRate = row.real(3);
    record.lossMean = row.real(4);
    record.lossLast = row.real(5);
    record.stepSeconds = row.real(6);
    record.wallSeconds = row.real(7);
    record.inputSeconds = row.real(8);
    record.queueFilled = row.real(9);
    record.examplesPerSecond = row.real(10);
    record.secondsPerBatch = row.real(11);
    return record;
}

std::int64_t integerOrUnknown(const SqliteStatement& row, int column)
{
    return row.isNull(column) ? -1 : row.integer(column);
}

double realOrUnknown(const SqliteStatement& row, int column)
{
    return row.isNull(column) ? -1.0 : row.real(column);
}

DeviceReadingRecord readReading(const SqliteStatement& row)
{
    DeviceReadingRecord record;
    record.time = row.real(0);
    record.step = row.integer(1);
    record.device = row.text(2);
    record.memoryUsedBytes = integerOrUnknown(row, 3);
    record.memoryTotalBytes = integerOrUnknown(row, 4);
    record.load = realOrUnknown(row, 5);
    record.temperature = realOrUnknown(row, 6);
    record.powerWatts = realOrUnknown(row, 7);
    record.throttleReason = row.text(8);
    return record;
}

/// In the order in which they were made.
std::vector<DeviceReadingRecord> readReadings(
    const SqliteDatabase& database, const std::string& chosenIds)
{
    std::vector<DeviceReadingRecord> readings;
    if (checkRunStore(database) < kDeviceReadingVersion) {
        return readings; // of an older program
    }
    auto query = database.prepare(
        "SELECT time, step, device, memory_used_bytes, memory_total_bytes, load, temperature,"
        " power_watts, throttle_reason FROM device_reading WHERE id IN ("
        + chosenIds + ") ORDER BY id");
    while (query.next()) {
        readings.push_back(readReading(query));
    }
    return readings;
}

// As with evaluations, the state after n updates belongs to both branches that meet there.
constexpr const char* kReadingsOfLine = " FROM current_line JOIN device_reading USING (branch)"
                                        " WHERE step >= first_step AND step <= end_step";

// The two tables of a segment, read side by side in the order of their keys.
class SegmentReader
{
public:
    explicit SegmentReader(const SqliteDatabase& database)
        : m_steps(database.prepare(
            "SELECT step, examples, epoch, learning_rate, loss_mean, loss_last, step_seconds,"
            " wall_seconds, input_seconds, queue_filled, examples_per_second, seconds_per_batch"
            " FROM step WHERE branch = ? AND step >= ? AND step < ? ORDER BY step")),
          m_towers(
              database.prepare("SELECT step, loss, busy_seconds, correct, examples FROM tower_step"
                               " WHERE branch = ? AND step >= ? AND step < ? ORDER BY step, tower"))
    {
    }

    void read(const Segment& segment, const std::function<void(const StepRecord&)>& take)
    {
        m_steps.query(segment.branch, segment.first, segment.end);
        m_towers.query(segment.branch, segment.first, segment.end);
        bool hasTower = m_towers.next();
        while (m_steps.next()) {
            StepRecord record = readStep(m_steps);
            for (; hasTower && m_towers.integer(0) == record.step; hasTower = m_towers.next()) {
                record.towers.push_back(
                    {m_towers.real(1), m_towers.real(2), m_towers.integer(3), m_towers.integer(4)});
            }
            take(record);
        }
    }

private:
    SqliteStatement m_steps;
    SqliteStatement m_towers;
};

} // namespace

RunStoreReader::RunStoreReader(const std::filesystem::path& file)
{
    if (!std::filesystem::exists(file)) {
        fail(ErrorCode::Io, "{}: there is no run store", file.string());
    }
    m_database = std::make_unique<SqliteDatabase>(file, SqliteDatabase::Access::Read);
    checkRunStore(*m_database);
}

RunStoreReader::~RunStoreReader() = default;

std::map<std::string, std::string> RunStoreReader::values() const
{
    std::map<std::string, std::string> values;
    auto query = m_database->prepare("SELECT key, value FROM run");
    while (query.next()) {
        values[query.text(0)] = query.text(1);
    }
    return values;
}

std::vector<RunBranchInfo> RunStoreReader::branches() const
{
    std::vector<RunBranchInfo> branches;
    auto query =
        m_database->prepare("SELECT id, parent, from_step, created FROM branch ORDER BY id");
    while (query.next()) {
        const auto parent = query.isNull(1) ? std::nullopt : std::optional(query.integer(1));
        branches.push_back({query.integer(0), parent, query.integer(2), query.real(3)});
    }
    return branches;
}

std::vector<EvaluationRecord> RunStoreReader::evaluations() const
{
    // The state after n updates belongs to the branch that ends at n as well as to the one that
    // begins there; the newer one's word counts (with max(), SQLite takes the row it was found in).
    auto query = m_database->prepare(
        "SELECT step, weights, examples, correct, accuracy, loss, seconds, max(branch)"
        " FROM current_line JOIN evaluation USING (branch)"
        " WHERE step >= first_step AND step <= end_step GROUP BY step, weights"
        " ORDER BY step, weights");
    std::vector<EvaluationRecord> evaluations;
    while (query.next()) {
        const bool isRaw = query.text(1) == toString(WeightsKind::Raw);
        evaluations.push_back(
            {query.integer(0), isRaw ? WeightsKind::Raw : WeightsKind::Average, query.integer(2),
             query.integer(3), query.real(4), query.real(5), query.real(6)});
    }
    return evaluations;
}

std::vector<DeviceReadingRecord> RunStoreReader::deviceReadings() const
{
    return readReadings(*m_database, std::string("SELECT id") + kReadingsOfLine);
}

std::vector<DeviceReadingRecord> RunStoreReader::lastDeviceReadings() const
{
    return readReadings(
        *m_database, std::string("SELECT max(id)") + kReadingsOfLine + " GROUP BY device");
}

std::vector<RunEvent> RunStoreReader::events() const
{
    std::vector<RunEvent> events;
    auto query = m_database->prepare("SELECT time, level, text FROM event ORDER BY id");
    while (query.next()) {
        events.push_back({query.real(0), query.text(1), query.text(2)});
    }
    return events;
}

std::int64_t RunStoreReader::nextStep() const
{
    return nextStepOf(*m_database);
}

int RunStoreReader::towers() const
{
    // The number of towers is fixed for a branch, so its first step of the line tells.
    return static_cast<int>(m_database->integer(
        "SELECT max((SELECT count(*) FROM tower_step AS t WHERE t.branch = line.branch AND t.step ="
        " (SELECT min(s.step) FROM step AS s WHERE s.branch = line.branch"
        " AND s.step >= line.first_step AND s.step < line.end_step)))"
        " FROM current_line AS line"));
}

void RunStoreReader::forEachStep(
    const std::function<void(const StepRecord&)>& take, std::int64_t first, std::int64_t end) const
{
    const SqliteTransaction oneState(*m_database);
    SegmentReader reader(*m_database);
    for (const auto& segment : segmentsOf(*m_database)) {
        const Segment wanted{
            segment.branch, std::max(segment.first, first), std::min(segment.end, end)};
        reader.read(wanted, take);
    }
}

} // namespace lockstep
