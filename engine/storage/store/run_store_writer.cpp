// SPDX-License-Identifier: Apache-2.0
#include "storage/store/run_store_writer.h"

#include "base/clock.h"
#include "base/error.h"
#include "storage/curves/curve_block.h"
#include "storage/curves/curve_extents.h"
#include "storage/rows/nanoseconds.h"
#include "storage/rows/objective_columns.h"
#include "storage/rows/run_schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <variant>

namespace lockstep {
namespace {

// Without WAL a reader holds off the writer for as long as it reads, which may be a whole long run.
// The records wait in memory meanwhile.
constexpr int kPatienceMilliseconds = 600'000;

SqliteDatabase openForWriting(const std::filesystem::path& file, const std::string& fileSystem)
{
    makeRunStore(file, fileSystem);
    SqliteDatabase database(file, SqliteDatabase::Access::Write, fileSystem);
    // Readers and the writer don't wait for each other in WAL mode. Where the file system can't do
    // it (it needs shared memory) SQLite either stays with a rollback journal or fails: take that
    // one.
    try {
        database.execute("PRAGMA journal_mode = WAL");
        prepareRunStore(database);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::Io) {
            throw;
        }
        database.execute("PRAGMA journal_mode = DELETE");
        prepareRunStore(database);
    }
    database.execute("PRAGMA synchronous = FULL");
    if (database.text("PRAGMA journal_mode") != "wal") {
        database.setBusyTimeout(kPatienceMilliseconds);
    }
    return database;
}

LineageSegment currentBranch(const SqliteDatabase& database)
{
    const auto branches = allBranches(database);
    return branches.empty() ? LineageSegment{} : branches.back();
}

/// NULL for what a device does not tell.
template<class Number>
std::optional<Number> known(Number value)
{
    return value < 0 ? std::nullopt : std::optional(value);
}

} // namespace

RunStoreWriter::RunStoreWriter(const std::filesystem::path& file, const std::string& fileSystem)
    : m_database(openForWriting(file, fileSystem)), m_branch(currentBranch(m_database)),
      m_nextStep(nextStepOf(m_database)), m_rows(m_database),
      m_step(m_database.prepare("INSERT INTO step VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)")),
      m_tower(m_database.prepare("INSERT INTO tower_step VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)")),
      m_reading(m_database.prepare(
          "INSERT INTO device_reading (branch, step, time, device, memory_used_bytes,"
          " memory_total_bytes, load, temperature, power_watts, throttle_reason,"
          " process_memory_bytes, row_checksum) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)")),
      m_event(m_database.prepare("INSERT INTO event (branch, step, time, level, text, kind, "
                                 "tower, row_checksum) VALUES (?,?,?,?,?,?,?,?)")),
      m_value(m_database.prepare("INSERT OR REPLACE INTO run VALUES (?,?,?)")),
      m_newBranch(m_database.prepare("INSERT INTO branch VALUES (?,?,?,?,?,?,?,?)")),
      m_checkpoint(
          m_database.prepare("INSERT OR REPLACE INTO checkpoint VALUES (?,?,?,?,?,?,?,?)")),
      m_preflight(m_database.prepare(
          "INSERT INTO preflight (branch, name, result, text, seconds, row_checksum)"
          " VALUES (?,?,?,?,?,?)")),
      m_curveBlock(m_database.prepare("INSERT INTO curve_block VALUES (?,?,?,?,?)")),
      m_gradients(m_database), m_evaluations(m_database), m_classifications(m_database),
      m_phases(m_database)
{
}

RunStoreWriter::~RunStoreWriter()
{
    try {
        m_database.setBusyTimeout(0);
        m_database.execute("PRAGMA journal_mode = DELETE");
    } catch (const Error&) {
        // A reader has the file open, or the disk is full: it stays in WAL mode, which is as safe.
    }
}

void RunStoreWriter::write(std::span<const RunRecord> records)
{
    SqliteTransaction transaction(m_database);
    for (const auto& record : records) {
        std::visit([this](const auto& value) { put(value); }, record);
    }
    transaction.commit();
}

void RunStoreWriter::put(const StepRecord& step)
{
    require(
        m_branch.branch > 0 && step.towers.size() == static_cast<std::size_t>(m_branch.towers),
        "a step without a branch, or with other towers than its branch");
    require(step.step == m_nextStep, "a step that does not follow the one before");
    const std::tuple row{
        step.step,
        step.examples,
        step.learningRate,
        step.lossMean,
        nanoseconds(step.stepSeconds),
        nanoseconds(step.wallSeconds),
        nanoseconds(step.inputSeconds),
        step.queueFilled,
        nanoseconds(step.computeSeconds),
        nanoseconds(step.averagingSeconds),
        nanoseconds(step.updateSeconds)};
    m_checksum.add(m_branch.branch);
    std::apply([this](const auto&... value) { (m_checksum.add(value), ...); }, row);
    if (!std::isnan(step.weightDecayLoss)) {
        m_checksum.add(step.weightDecayLoss);
    }
    std::int64_t tower = 0;
    for (const auto& record : step.towers) {
        putTower(step.step, tower++, record);
    }
    std::apply(
        [&](const auto&... value) {
            m_step.run(m_branch.branch, value..., m_checksum.take(), step.weightDecayLoss);
        },
        row);
    m_nextStep = step.step + 1;
    if (m_nextStep % CurveBlock::kBlockSteps == 0) {
        putCurveBlock(m_nextStep);
    }
}

void RunStoreWriter::putTower(std::int64_t step, std::int64_t tower, const TowerRecord& record)
{
    const std::tuple row{
        tower,
        record.loss,
        record.correct,
        record.examples,
        nanoseconds(record.startSeconds),
        nanoseconds(record.copySeconds),
        nanoseconds(record.forwardSeconds),
        nanoseconds(record.backwardSeconds)};
    std::apply(
        [&](const auto&... value) {
            (m_checksum.add(value), ...);
            m_tower.run(m_branch.branch, step, value...);
        },
        std::tuple_cat(row, objectiveColumns(record.objectives)));
}

void RunStoreWriter::put(const EvaluationRecord& evaluation)
{
    std::int64_t branch = m_branch.branch;
    if (evaluation.step < m_branch.first) { // of a state that the branch began after
        for (const LineageSegment& segment : lineageOf(m_database)) {
            branch = segment.first <= evaluation.step ? segment.branch : branch;
        }
    }
    m_evaluations.write(branch, evaluation);
    m_classifications.write(branch, evaluation);
}

void RunStoreWriter::put(const DeviceReadingRecord& reading)
{
    insert(
        m_reading, m_branch.branch, reading.step, reading.time, reading.device,
        known(reading.memoryUsedBytes), known(reading.memoryTotalBytes), known(reading.load),
        known(reading.temperature), known(reading.powerWatts), reading.throttleReason,
        known(reading.processMemoryBytes));
}

void RunStoreWriter::put(const RunEvent& event)
{
    insert(
        m_event, m_branch.branch, m_nextStep, event.time, event.level, event.text, event.kind,
        known(std::int64_t{event.tower}));
}

void RunStoreWriter::put(const RunValue& value)
{
    insert(m_value, value.key, value.value);
}

void RunStoreWriter::put(const RunCheckpoint& checkpoint)
{
    insert(
        m_checkpoint, m_branch.branch, checkpoint.step, checkpoint.file, checkpoint.bytes,
        checkpoint.checksum, checkpoint.created, checkpoint.reason);
}

void RunStoreWriter::put(const PreflightRecord& line)
{
    insert(m_preflight, m_branch.branch, line.name, toString(line.result), line.text, line.seconds);
}

void RunStoreWriter::put(const GradientRecord& gradients)
{
    m_gradients.write(m_branch.branch, gradients);
}

void RunStoreWriter::put(const RunObjectives& objectives)
{
    m_phases.write(objectives);
}

void RunStoreWriter::put(const RunClasses& classes)
{
    m_classifications.write(classes);
}

void RunStoreWriter::put(const RunPhases& phases)
{
    m_phases.write(m_branch.branch, phases);
}

void RunStoreWriter::put(const RunBranch& branch)
{
    const std::int64_t current = m_branch.branch;
    const auto parent =
        branch.parent || current == 0 ? branch.parent : std::optional<std::int64_t>(current);
    require(!parent || *parent <= current, "a branch of a branch that is not there");
    m_branch = {
        .branch = current + 1,
        .first = branch.fromStep,
        .towers = branch.towers,
        .batchPerTower = branch.batchPerTower,
        .trainingExamples = branch.trainingExamples};
    insert(
        m_newBranch, m_branch.branch, parent, branch.fromStep, secondsSince1970(), branch.towers,
        branch.batchPerTower, branch.trainingExamples);
    m_nextStep = branch.fromStep;
    if (parent) {
        putGap(branch.fromStep);
    }
}

void RunStoreWriter::putGap(std::int64_t fromStep)
{
    // The new branch is empty: where its line ends, its past does. A run that began with the state
    // of another one has no steps before that.
    const std::int64_t next = std::max(
        nextStepOf(m_database), m_database.integer("SELECT min(first_step) FROM current_line"));
    if (next < fromStep) {
        put(RunEvent{
            secondsSince1970(), "warning",
            fmt::format(
                "steps {} to {} are missing: the run ended before they were written", next,
                fromStep - 1)});
    }
}

// From the rows, which are on the same pages of the cache still: they need no second copy in
// memory, and a store that is continued in the middle of a block needs no care.
void RunStoreWriter::putCurveBlock(std::int64_t endStep)
{
    CurveBlock block;
    try {
        m_rows.read(
            m_branch.within(endStep - CurveBlock::kBlockSteps, endStep),
            [&](const StepRecord& step) { block.append(step); });
    } catch (const Error& error) {
        if (error.code() != ErrorCode::Data) {
            throw;
        }
        return; // old rows are damaged: who reads them hears of it, the training goes on
    }
    const CurveBlockKey key = block.key(m_branch.branch);
    m_curveBlock.run(
        key.branch, key.firstStep, key.steps, curveExtents(extentsOf(block, m_branch), key),
        curveValues(block, key.branch));
}

} // namespace lockstep
