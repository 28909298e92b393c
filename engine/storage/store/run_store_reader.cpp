// SPDX-License-Identifier: Apache-2.0
#include "storage/store/run_store_reader.h"

#include "storage/curves/curve_reader.h"
#include "storage/rows/classification_rows.h"
#include "storage/rows/evaluation_rows.h"
#include "storage/rows/gradient_rows.h"
#include "storage/rows/phase_rows.h"
#include "storage/rows/run_lineage.h"
#include "storage/rows/run_schema.h"
#include "storage/rows/step_row_reader.h"
#include "storage/sqlite/checked_query.h"
#include "storage/sqlite/sqlite_database.h"

#include <fmt/core.h>

#include <algorithm>

namespace lockstep {
namespace {

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
    record.step = row.integer(1);
    record.time = row.real(2);
    record.device = row.text(3);
    record.memoryUsedBytes = integerOrUnknown(row, 4);
    record.memoryTotalBytes = integerOrUnknown(row, 5);
    record.load = realOrUnknown(row, 6);
    record.temperature = realOrUnknown(row, 7);
    record.powerWatts = realOrUnknown(row, 8);
    record.throttleReason = row.text(9);
    record.processMemoryBytes = integerOrUnknown(row, 10);
    return record;
}

/// In the order in which they were made.
void readReadings(
    const SqliteDatabase& database, const std::string& chosenIds,
    const RunStoreReader::TakeReading& take)
{
    CheckedQuery query(
        database, "device_reading",
        "branch, step, time, device, memory_used_bytes, memory_total_bytes, load, temperature,"
        " power_watts, throttle_reason, process_memory_bytes",
        "WHERE id IN (" + chosenIds + ") ORDER BY id");
    while (query.next()) {
        take(readReading(query.row()));
    }
}

/// Those of the lineage with numbers in [first, end). As with evaluations, the state after n
/// updates belongs to both branches that meet there.
std::string readingsOfLine(std::int64_t first, std::int64_t end)
{
    return fmt::format(
        " FROM current_line JOIN device_reading USING (branch)"
        " WHERE step >= first_step AND step <= end_step AND id >= {} AND id < {}",
        first, end);
}

PreflightResult preflightResult(const SqliteDatabase& database, const std::string& text)
{
    if (const auto result = kPreflightResults.find(text)) {
        return *result;
    }
    failDamaged(database.file(), fmt::format("\"{}\" is not a result of a check", text));
}

} // namespace

RunStoreReader::RunStoreReader(const std::filesystem::path& file)
{
    std::error_code error;
    const bool isThere = std::filesystem::exists(file, error);
    if (error) {
        fail(
            ErrorCode::Io, "{}: can't look for the run store ({})", file.string(), error.message());
    }
    if (!isThere) {
        fail(ErrorCode::Io, "{}: the run store does not exist", file.string());
    }
    m_database = std::make_unique<SqliteDatabase>(file, SqliteDatabase::Access::Read);
    checkRunStore(*m_database);
    static_cast<void>(branches()); // a damaged line is better said now than drawn
}

RunStoreReader::~RunStoreReader() = default;

std::map<std::string, std::string> RunStoreReader::values() const
{
    std::map<std::string, std::string> values;
    CheckedQuery query(*m_database, "run", "key, value", "");
    while (query.next()) {
        values[query.row().text(0)] = query.row().text(1);
    }
    return values;
}

std::vector<RunBranchInfo> RunStoreReader::branches() const
{
    const SqliteTransaction oneState(*m_database);
    return readBranches(*m_database);
}

std::vector<EvaluationRecord> RunStoreReader::evaluations() const
{
    const SqliteTransaction oneState(*m_database);
    return readEvaluations(*m_database);
}

std::vector<ImageScore> RunStoreReader::imageScores(std::int64_t step, WeightsKind weights) const
{
    const SqliteTransaction oneState(*m_database);
    return readImageScores(*m_database, step, weights);
}

std::vector<ClassifiedImage> RunStoreReader::classifiedImages(
    std::int64_t step, WeightsKind weights) const
{
    const SqliteTransaction oneState(*m_database);
    return readClassifiedImages(*m_database, step, weights);
}

std::vector<std::string> RunStoreReader::classNames() const
{
    return readClassNames(*m_database);
}

std::vector<std::string> RunStoreReader::objectives() const
{
    return readObjectiveNames(*m_database);
}

std::vector<RunPhase> RunStoreReader::phases() const
{
    const SqliteTransaction oneState(*m_database);
    return readPhases(*m_database);
}

std::vector<DeviceReadingRecord> RunStoreReader::deviceReadings() const
{
    std::vector<DeviceReadingRecord> readings;
    forEachDeviceReading([&](const DeviceReadingRecord& reading) { readings.push_back(reading); });
    return readings;
}

/// The numbers of a block are collected before its rows are read: a block of all readings would
/// take seconds before the first one comes.
void RunStoreReader::forEachDeviceReading(const TakeReading& take, std::int64_t first) const
{
    constexpr std::int64_t kBlock = 4096;
    const SqliteTransaction oneState(*m_database);
    const std::int64_t newest = newestReading();
    for (std::int64_t begin = std::max<std::int64_t>(first, 1); begin <= newest; begin += kBlock) {
        readReadings(*m_database, "SELECT id" + readingsOfLine(begin, begin + kBlock), take);
    }
}

std::int64_t RunStoreReader::newestReading() const
{
    return m_database->integer("SELECT max(id) FROM device_reading");
}

std::vector<DeviceReadingRecord> RunStoreReader::lastDeviceReadings() const
{
    const SqliteTransaction oneState(*m_database);
    std::vector<DeviceReadingRecord> readings;
    const std::int64_t end = newestReading() + 1;
    readReadings(
        *m_database,
        "SELECT max(id)" + readingsOfLine(end - kLastReadings, end) + " GROUP BY device",
        [&](const DeviceReadingRecord& reading) { readings.push_back(reading); });
    return readings;
}

std::vector<GradientRecord> RunStoreReader::someGradients(std::size_t most) const
{
    const SqliteTransaction oneState(*m_database);
    return readSomeGradients(*m_database, most);
}

std::vector<RunEvent> RunStoreReader::events() const
{
    std::vector<RunEvent> events;
    CheckedQuery query(
        *m_database, "event", "branch, step, time, level, text, kind, tower", "ORDER BY id");
    while (query.next()) {
        const SqliteStatement& row = query.row();
        events.push_back(
            {row.real(2), row.text(3), row.text(4), row.integer(0), row.integer(1), row.text(5),
             static_cast<int>(integerOrUnknown(row, 6))});
    }
    return events;
}

std::vector<CheckpointFact> RunStoreReader::checkpoints() const
{
    std::vector<CheckpointFact> checkpoints;
    CheckedQuery query(
        *m_database, "checkpoint", "branch, step, file, bytes, checksum, created, reason",
        "ORDER BY branch, step");
    while (query.next()) {
        const SqliteStatement& row = query.row();
        checkpoints.push_back(
            {row.integer(0),
             {row.integer(1), row.text(2), row.integer(3), row.text(4), row.text(6), row.real(5)}});
    }
    return checkpoints;
}

std::vector<PreflightRecord> RunStoreReader::preflight() const
{
    std::vector<PreflightRecord> lines;
    CheckedQuery query(
        *m_database, "preflight", "branch, name, result, text, seconds",
        "WHERE branch = (SELECT max(id) FROM branch) ORDER BY id");
    while (query.next()) {
        const SqliteStatement& row = query.row();
        const PreflightResult result = preflightResult(*m_database, row.text(2));
        lines.push_back({row.text(1), result, row.text(3), row.real(4)});
    }
    return lines;
}

std::int64_t RunStoreReader::nextStep() const
{
    return nextStepOf(*m_database);
}

int RunStoreReader::towers() const
{
    return static_cast<int>(m_database->integer(
        "SELECT max(towers) FROM current_line AS line JOIN branch ON branch.id = line.branch"
        " WHERE EXISTS (SELECT 1 FROM step WHERE step.branch = line.branch"
        " AND step.step >= line.first_step AND step.step < line.end_step)"));
}

void RunStoreReader::forEachStep(const TakeStep& take, std::int64_t first, std::int64_t end) const
{
    const SqliteTransaction oneState(*m_database);
    StepRowReader reader(*m_database);
    for (const LineageSegment& segment : lineageOf(*m_database)) {
        reader.read(segment.within(first, end), take);
    }
}

void RunStoreReader::forEachBranchStep(const TakeBranchStep& take) const
{
    const SqliteTransaction oneState(*m_database);
    StepRowReader reader(*m_database);
    for (const LineageSegment& branch : allBranches(*m_database)) {
        reader.read(branch, [&](const StepRecord& record) { take(branch.branch, record); });
    }
}

void RunStoreReader::forEachCurveStep(
    const TakeStep& take, std::int64_t first, std::int64_t end) const
{
    const SqliteTransaction oneState(*m_database);
    readCurveSteps(*m_database, {first, end}, take);
}

void RunStoreReader::forEachGradient(
    const TakeGradient& take, std::int64_t first, std::int64_t end) const
{
    const SqliteTransaction oneState(*m_database);
    for (const LineageSegment& segment : lineageOf(*m_database)) {
        readGradients(*m_database, segment.within(first, end), take);
    }
}

std::vector<AbandonedStretch> RunStoreReader::abandoned(std::size_t mostNodes) const
{
    const SqliteTransaction oneState(*m_database);
    return readAbandoned(*m_database, mostNodes);
}

LossPreview RunStoreReader::lossPreview(std::size_t mostNodes) const
{
    const SqliteTransaction oneState(*m_database);
    return readLossPreview(*m_database, mostNodes);
}

} // namespace lockstep
