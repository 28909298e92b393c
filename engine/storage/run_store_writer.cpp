// SPDX-License-Identifier: Apache-2.0
#include "storage/run_store_writer.h"

#include "base/clock.h"
#include "storage/run_schema.h"

#include <fmt/format.h>

#include <optional>
#include <variant>

namespace lockstep {
namespace {

SqliteDatabase openForWriting(const std::filesystem::path& file, const std::string& fileSystem)
{
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
    return database;
}

/// NULL for what a device does not tell.
template<class Number>
std::optional<Number> known(Number value)
{
    return value < 0 ? std::nullopt : std::optional(value);
}

} // namespace

RunStoreWriter::RunStoreWriter(const std::filesystem::path& file, const std::string& fileSystem)
    : m_database(openForWriting(file, fileSystem)),
      m_branch(m_database.integer("SELECT max(id) FROM branch")),
      m_step(m_database.prepare("INSERT INTO step VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)")),
      m_tower(m_database.prepare("INSERT INTO tower_step VALUES (?,?,?,?,?,?,?)")),
      m_evaluation(
          m_database.prepare("INSERT OR REPLACE INTO evaluation VALUES (?,?,?,?,?,?,?,?)")),
      m_reading(m_database.prepare(
          "INSERT INTO device_reading (branch, step, time, device, memory_used_bytes,"
          " memory_total_bytes, load, temperature, power_watts, throttle_reason)"
          " VALUES (?,?,?,?,?,?,?,?,?,?)")),
      m_event(m_database.prepare("INSERT INTO event (time, level, text) VALUES (?,?,?)")),
      m_value(m_database.prepare("INSERT OR REPLACE INTO run VALUES (?,?)")),
      m_newBranch(
          m_database.prepare("INSERT INTO branch (parent, from_step, created) VALUES (?,?,?)"))
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
    m_step.run(
        m_branch, step.step, step.examples, step.epoch, step.learningRate, step.lossMean,
        step.lossLast, step.stepSeconds, step.wallSeconds, step.inputSeconds, step.queueFilled,
        step.examplesPerSecond, step.secondsPerBatch);
    int tower = 0;
    for (const auto& record : step.towers) {
        m_tower.run(
            m_branch, step.step, tower++, record.loss, record.busySeconds, record.correct,
            record.examples);
    }
}

void RunStoreWriter::put(const EvaluationRecord& evaluation)
{
    m_evaluation.run(
        m_branch, evaluation.step, toString(evaluation.weights), evaluation.examples,
        evaluation.correct, evaluation.accuracy, evaluation.loss, evaluation.seconds);
}

void RunStoreWriter::put(const DeviceReadingRecord& reading)
{
    m_reading.run(
        m_branch, reading.step, reading.time, reading.device, known(reading.memoryUsedBytes),
        known(reading.memoryTotalBytes), known(reading.load), known(reading.temperature),
        known(reading.powerWatts), reading.throttleReason);
}

void RunStoreWriter::put(const RunEvent& event)
{
    m_event.run(event.time, event.level, event.text);
}

void RunStoreWriter::put(const RunValue& value)
{
    m_value.run(value.key, value.value);
}

void RunStoreWriter::put(const RunBranch& branch)
{
    putGap(branch.fromStep);
    m_newBranch.run(m_branch, branch.fromStep, secondsSince1970());
    m_branch = m_database.lastInsertedRow();
}

void RunStoreWriter::putGap(std::int64_t fromStep)
{
    const std::int64_t next = nextStepOf(m_database);
    if (next < fromStep) {
        put(RunEvent{
            secondsSince1970(), "warning",
            fmt::format(
                "steps {} to {} are missing: the run ended before they were written", next,
                fromStep - 1)});
    }
}

} // namespace lockstep
