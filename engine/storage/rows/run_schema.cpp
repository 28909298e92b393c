// SPDX-License-Identifier: Apache-2.0
#include "storage/rows/run_schema.h"

#include "base/atomic_file.h"
#include "base/error.h"

#include <fmt/core.h>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

// "Lkst" in ASCII: `file run.db` and SQLite tell a run store from other databases by it.
constexpr std::int64_t kApplication = 0x4c6b7374;
constexpr std::int64_t kVersion = 7;
/// Without the weight decay of a step: still read, and made new before it is written to.
constexpr std::int64_t kOldestVersion = 6;

// Columns that may hold not-a-number, or that a device may not tell, are not NOT NULL.
// WITHOUT ROWID keeps the rows in the order of their key, which is how they are written and read.
// Not for blobs: SQLite would read them whole to compare keys.
constexpr const char* kTables = R"sql(
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL, row_checksum INTEGER NOT NULL)
    WITHOUT ROWID;
CREATE TABLE branch (
    id INTEGER PRIMARY KEY, parent INTEGER REFERENCES branch (id), from_step INTEGER NOT NULL,
    created REAL NOT NULL, towers INTEGER NOT NULL, batch_per_tower INTEGER NOT NULL,
    training_examples INTEGER NOT NULL, row_checksum INTEGER NOT NULL);
CREATE TABLE objective (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, row_checksum INTEGER NOT NULL);
CREATE TABLE phase (
    branch INTEGER NOT NULL, first_step INTEGER NOT NULL, end_step INTEGER NOT NULL,
    objective TEXT NOT NULL, learning_rate REAL, frozen TEXT NOT NULL,
    row_checksum INTEGER NOT NULL, PRIMARY KEY (branch, first_step)) WITHOUT ROWID;
CREATE TABLE step (
    branch INTEGER NOT NULL, step INTEGER NOT NULL, examples INTEGER NOT NULL, learning_rate REAL,
    loss_mean REAL, step_ns INTEGER, wall_ns INTEGER, input_ns INTEGER, queue_filled REAL,
    compute_ns INTEGER, averaging_ns INTEGER, update_ns INTEGER, row_checksum INTEGER NOT NULL,
    weight_decay_loss REAL, PRIMARY KEY (branch, step)) WITHOUT ROWID;
CREATE TABLE tower_step (
    branch INTEGER NOT NULL, step INTEGER NOT NULL, tower INTEGER NOT NULL, loss REAL,
    correct INTEGER NOT NULL, examples INTEGER NOT NULL, start_ns INTEGER, copy_ns INTEGER,
    forward_ns INTEGER, backward_ns INTEGER, objective_loss_0 REAL, objective_loss_1 REAL,
    objective_loss_2 REAL, objective_loss_3 REAL, PRIMARY KEY (branch, step, tower)) WITHOUT ROWID;
CREATE TABLE curve_block (
    branch INTEGER NOT NULL, first_step INTEGER NOT NULL, steps INTEGER NOT NULL,
    extents BLOB NOT NULL, "values" BLOB NOT NULL, PRIMARY KEY (branch, first_step));
CREATE TABLE evaluation (
    branch INTEGER NOT NULL, step INTEGER NOT NULL, weights TEXT NOT NULL,
    examples INTEGER NOT NULL, correct INTEGER NOT NULL, accuracy REAL, loss REAL, seconds REAL,
    objective_loss_0 REAL, objective_loss_1 REAL, objective_loss_2 REAL, objective_loss_3 REAL,
    average_precision REAL, best_threshold REAL, best_true_positives INTEGER,
    best_false_positives INTEGER, best_false_negatives INTEGER, full_recall_threshold REAL,
    full_recall_true_positives INTEGER, full_recall_false_positives INTEGER, peaks_inside INTEGER,
    in_top_five INTEGER, row_checksum INTEGER NOT NULL, PRIMARY KEY (branch, step, weights)) WITHOUT ROWID;
CREATE TABLE image_score (
    branch INTEGER NOT NULL, step INTEGER NOT NULL, weights TEXT NOT NULL,
    example INTEGER NOT NULL, name TEXT NOT NULL, is_positive INTEGER NOT NULL, score REAL,
    loss REAL, peak REAL, peak_row INTEGER NOT NULL, peak_column INTEGER NOT NULL,
    is_peak_inside INTEGER NOT NULL, row_checksum INTEGER NOT NULL,
    PRIMARY KEY (branch, step, weights, example)) WITHOUT ROWID;
CREATE TABLE class (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, row_checksum INTEGER NOT NULL);
CREATE TABLE classification (
    branch INTEGER NOT NULL, step INTEGER NOT NULL, weights TEXT NOT NULL,
    images BLOB NOT NULL, PRIMARY KEY (branch, step, weights));
CREATE TABLE device_reading (
    id INTEGER PRIMARY KEY, branch INTEGER NOT NULL, step INTEGER NOT NULL, time REAL NOT NULL,
    device TEXT NOT NULL, memory_used_bytes INTEGER, memory_total_bytes INTEGER, load REAL,
    temperature REAL, power_watts REAL, throttle_reason TEXT NOT NULL,
    process_memory_bytes INTEGER, row_checksum INTEGER NOT NULL);
CREATE TABLE parameter (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, row_checksum INTEGER NOT NULL);
CREATE TABLE gradient (
    branch INTEGER NOT NULL, step INTEGER NOT NULL, parameter INTEGER NOT NULL,
    gradient_squares REAL, weight_squares REAL, update_squares REAL,
    row_checksum INTEGER NOT NULL, PRIMARY KEY (branch, step, parameter)) WITHOUT ROWID;
CREATE TABLE tower_gradient (
    branch INTEGER NOT NULL, step INTEGER NOT NULL, parameter INTEGER NOT NULL,
    tower INTEGER NOT NULL, squares REAL, dot_mean REAL,
    PRIMARY KEY (branch, step, parameter, tower)) WITHOUT ROWID;
CREATE TABLE checkpoint (
    branch INTEGER NOT NULL, step INTEGER NOT NULL, file TEXT NOT NULL, bytes INTEGER NOT NULL,
    checksum TEXT NOT NULL, created REAL NOT NULL, reason TEXT NOT NULL,
    row_checksum INTEGER NOT NULL, PRIMARY KEY (branch, step)) WITHOUT ROWID;
CREATE TABLE preflight (
    id INTEGER PRIMARY KEY, branch INTEGER NOT NULL, name TEXT NOT NULL, result TEXT NOT NULL,
    text TEXT NOT NULL, seconds REAL, row_checksum INTEGER NOT NULL);
CREATE TABLE event (
    id INTEGER PRIMARY KEY, branch INTEGER NOT NULL, step INTEGER NOT NULL, time REAL NOT NULL,
    level TEXT NOT NULL, text TEXT NOT NULL, kind TEXT NOT NULL, tower INTEGER,
    row_checksum INTEGER NOT NULL);
)sql";

// For people: in seconds, and with what the columns and the branch tell together.
constexpr const char* kViewsOfAll = R"sql(
CREATE VIEW all_step AS
    SELECT branch, step, examples, 1.0 * examples / training_examples AS epoch, learning_rate,
        loss_mean,
        (SELECT loss FROM tower_step AS last WHERE last.branch = step.branch
            AND last.step = step.step AND last.tower = towers - 1) AS loss_last,
        step_ns / 1e9 AS step_seconds, wall_ns / 1e9 AS wall_seconds,
        input_ns / 1e9 AS input_seconds, queue_filled, compute_ns / 1e9 AS compute_seconds,
        averaging_ns / 1e9 AS averaging_seconds, update_ns / 1e9 AS update_seconds,
        towers * batch_per_tower / (step_ns / 1e9) AS examples_per_second,
        step_ns / 1e9 / towers AS seconds_per_batch, weight_decay_loss,
        loss_mean - weight_decay_loss AS cross_entropy_mean
    FROM step JOIN branch ON branch.id = step.branch;
CREATE VIEW all_tower_step AS
    SELECT tower_step.branch, tower_step.step, tower, loss, correct, tower_step.examples,
        start_ns / 1e9 AS start_seconds, copy_ns / 1e9 AS copy_seconds,
        forward_ns / 1e9 AS forward_seconds, backward_ns / 1e9 AS backward_seconds,
        objective_loss_0, objective_loss_1, objective_loss_2, objective_loss_3,
        (copy_ns + forward_ns + backward_ns) / 1e9 AS work_seconds,
        (start_ns + copy_ns + forward_ns + backward_ns) / 1e9 AS arrival_seconds,
        (compute_ns - start_ns - copy_ns - forward_ns - backward_ns) / 1e9 AS waiting_seconds
    FROM tower_step JOIN step USING (branch, step);
CREATE VIEW alert AS SELECT id, branch, step, time, level, kind, tower, text FROM event
    WHERE level IN ('warning', 'error');
)sql";

// Each branch of the line holds steps [first_step, end_step): up to where its child, or any later
// descendant, began. A parent is older than its child: said again, so that a damaged file can't
// make a circle of branches.
constexpr const char* kViewsOfTheLine = R"sql(
CREATE VIEW current_line AS
    WITH RECURSIVE line (branch, parent, first_step, end_step) AS (
        SELECT id, parent, from_step, 9223372036854775807 FROM branch
            WHERE id = (SELECT max(id) FROM branch)
        UNION ALL
        SELECT branch.id, branch.parent, branch.from_step, min(line.first_step, line.end_step)
            FROM branch JOIN line ON branch.id = line.parent AND branch.id < line.branch)
    SELECT branch, first_step, end_step FROM line WHERE first_step < end_step;
CREATE VIEW current_step AS
    SELECT all_step.* FROM current_line JOIN all_step USING (branch)
        WHERE step >= first_step AND step < end_step;
CREATE VIEW current_tower_step AS
    SELECT all_tower_step.* FROM current_line JOIN all_tower_step USING (branch)
        WHERE step >= first_step AND step < end_step;
)sql";

void makeTables(SqliteDatabase database)
{
    SqliteTransaction transaction(database);
    database.execute(fmt::format(
        "PRAGMA application_id = {}; PRAGMA user_version = {};", kApplication, kVersion));
    database.execute(kTables);
    database.execute(kViewsOfAll);
    database.execute(kViewsOfTheLine);
    transaction.commit();
}

void renew(SqliteDatabase& database)
{
    SqliteTransaction transaction(database);
    database.execute("ALTER TABLE step ADD COLUMN weight_decay_loss REAL;"
                     "DROP VIEW current_tower_step; DROP VIEW current_step; DROP VIEW current_line;"
                     "DROP VIEW alert; DROP VIEW all_tower_step; DROP VIEW all_step;");
    database.execute(kViewsOfAll);
    database.execute(kViewsOfTheLine);
    database.execute(fmt::format("PRAGMA user_version = {}", kVersion));
    transaction.commit();
}

} // namespace

void makeRunStore(const fs::path& file, const std::string& fileSystem)
{
    std::error_code error;
    if (fs::exists(file, error) && !fs::is_empty(file, error)) {
        return;
    }
    const fs::path unfinished = AtomicFile::temporaryName(file);
    const auto clear = [&] { // what is left of one that was killed, failed or taken away
        fs::remove(unfinished, error);
        for (const fs::path& name : {file, unfinished}) {
            for (const char* const beside : {"-journal", "-wal", "-shm"}) {
                fs::remove(name.string() + beside, error);
            }
        }
    };
    clear();
    try {
        makeTables(SqliteDatabase(unfinished, SqliteDatabase::Access::Write, fileSystem));
    } catch (const Error&) {
        clear();
        throw;
    }
    fs::rename(unfinished, file, error);
    if (error) {
        fail(ErrorCode::Io, "{}: can't be made: {}", file.string(), error.message());
    }
    syncFolderOf(file);
}

void prepareRunStore(SqliteDatabase& database)
{
    checkRunStore(database);
    if (!hasWeightDecay(database)) {
        renew(database);
    }
}

bool hasWeightDecay(const SqliteDatabase& database)
{
    return database.integer("PRAGMA user_version") > kOldestVersion;
}

void checkRunStore(const SqliteDatabase& database)
{
    if (database.integer("PRAGMA application_id") != kApplication) {
        fail(ErrorCode::Data, "{}: not a run store of Lockstep", database.file());
    }
    const std::int64_t version = database.integer("PRAGMA user_version");
    if (version < kOldestVersion || version > kVersion) {
        fail(
            ErrorCode::Data,
            "{}: a run store of version {}, which this program can't read: it knows versions {} "
            "and "
            "{}; use the program that wrote it",
            database.file(), version, kOldestVersion, kVersion);
    }
}

std::int64_t nextStepOf(const SqliteDatabase& database)
{
    // One look into the key per branch: a run of a million steps must not be read through for it.
    return database.integer("SELECT 1 + max((SELECT step FROM step WHERE step.branch = line.branch"
                            " AND step.step >= line.first_step AND step.step < line.end_step"
                            " ORDER BY step DESC LIMIT 1)) FROM current_line AS line");
}

} // namespace lockstep
