// SPDX-License-Identifier: Apache-2.0
#include "storage/run_schema.h"

#include "base/clock.h"
#include "base/error.h"

namespace lockstep {
namespace {

// "Lkst" in ASCII: `file run.db` and SQLite tell a run store from other databases by it.
constexpr std::int64_t kApplication = 0x4c6b7374;
constexpr std::int64_t kVersion = 2;

// Columns that may hold not-a-number are not NOT NULL: SQLite has no other way to store it.
// WITHOUT ROWID keeps the rows in the order of their key, which is how they are written and read.
constexpr const char* kTables = R"sql(
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE branch (
    id INTEGER PRIMARY KEY, parent INTEGER REFERENCES branch (id), from_step INTEGER NOT NULL,
    created REAL NOT NULL);
CREATE TABLE step (
    branch INTEGER NOT NULL, step INTEGER NOT NULL, examples INTEGER NOT NULL, epoch REAL,
    learning_rate REAL, loss_mean REAL, loss_last REAL, step_seconds REAL, wall_seconds REAL,
    input_seconds REAL, queue_filled REAL, examples_per_second REAL, seconds_per_batch REAL,
    PRIMARY KEY (branch, step)) WITHOUT ROWID;
CREATE TABLE tower_step (
    branch INTEGER NOT NULL, step INTEGER NOT NULL, tower INTEGER NOT NULL, loss REAL,
    busy_seconds REAL, correct INTEGER NOT NULL, examples INTEGER NOT NULL,
    PRIMARY KEY (branch, step, tower)) WITHOUT ROWID;
CREATE TABLE evaluation (
    branch INTEGER NOT NULL, step INTEGER NOT NULL, weights TEXT NOT NULL,
    examples INTEGER NOT NULL, correct INTEGER NOT NULL, accuracy REAL, loss REAL, seconds REAL,
    PRIMARY KEY (branch, step, weights)) WITHOUT ROWID;
CREATE TABLE event (
    id INTEGER PRIMARY KEY, time REAL NOT NULL, level TEXT NOT NULL, text TEXT NOT NULL);
)sql";

// Came with version 2.
constexpr const char* kDeviceReadingTable = R"sql(
CREATE TABLE device_reading (
    id INTEGER PRIMARY KEY, branch INTEGER NOT NULL, step INTEGER NOT NULL, time REAL NOT NULL,
    device TEXT NOT NULL, memory_used_bytes INTEGER, memory_total_bytes INTEGER, load REAL,
    temperature REAL, power_watts REAL, throttle_reason TEXT NOT NULL);
)sql";

// Each branch of the line holds steps [first_step, end_step): up to where its child, or any later
// descendant, began. A parent is older than its child: said again, so that a damaged file can't
// make a circle of branches.
constexpr const char* kViews = R"sql(
CREATE VIEW current_line AS
    WITH RECURSIVE line (branch, parent, first_step, end_step) AS (
        SELECT id, parent, from_step, 9223372036854775807 FROM branch
            WHERE id = (SELECT max(id) FROM branch)
        UNION ALL
        SELECT branch.id, branch.parent, branch.from_step, min(line.first_step, line.end_step)
            FROM branch JOIN line ON branch.id = line.parent AND branch.id < line.branch)
    SELECT branch, first_step, end_step FROM line WHERE first_step < end_step;
CREATE VIEW current_step AS
    SELECT step.* FROM current_line JOIN step USING (branch)
        WHERE step.step >= first_step AND step.step < end_step;
CREATE VIEW current_tower_step AS
    SELECT tower_step.* FROM current_line JOIN tower_step USING (branch)
        WHERE tower_step.step >= first_step AND tower_step.step < end_step;
)sql";

bool isEmpty(const SqliteDatabase& database)
{
    return database.integer("SELECT count(*) FROM sqlite_schema") == 0;
}

void setVersion(SqliteDatabase& database)
{
    database.execute(fmt::format("PRAGMA user_version = {};", kVersion));
}

void makeRunStore(SqliteDatabase& database)
{
    SqliteTransaction transaction(database);
    database.execute(fmt::format("PRAGMA application_id = {};", kApplication));
    setVersion(database);
    database.execute(kTables);
    database.execute(kDeviceReadingTable);
    database.execute(kViews);
    database.prepare("INSERT INTO branch (parent, from_step, created) VALUES (NULL, 0, ?)")
        .run(secondsSince1970());
    transaction.commit();
}

/// Adds what a store of an older program lacks. What it holds stays as it is.
void migrate(SqliteDatabase& database, std::int64_t version)
{
    SqliteTransaction transaction(database);
    if (version < kDeviceReadingVersion) {
        database.execute(kDeviceReadingTable);
    }
    setVersion(database);
    transaction.commit();
}

} // namespace

void prepareRunStore(SqliteDatabase& database)
{
    if (isEmpty(database)) {
        makeRunStore(database);
    } else if (const std::int64_t version = checkRunStore(database); version < kVersion) {
        migrate(database, version);
    }
}

std::int64_t checkRunStore(const SqliteDatabase& database)
{
    if (database.integer("PRAGMA application_id") != kApplication) {
        fail(ErrorCode::Data, "{}: not a run store of Lockstep", database.file());
    }
    const std::int64_t version = database.integer("PRAGMA user_version");
    if (version < 1 || version > kVersion) {
        fail(
            ErrorCode::Data, "{}: run store of version {}, this program reads versions 1 to {}",
            database.file(), version, kVersion);
    }
    return version;
}

std::int64_t nextStepOf(const SqliteDatabase& database)
{
    // One look into the key per branch: a run of a million steps must not be read through for it.
    return database.integer("SELECT 1 + max((SELECT step FROM step WHERE step.branch = line.branch"
                            " AND step.step >= line.first_step AND step.step < line.end_step"
                            " ORDER BY step DESC LIMIT 1)) FROM current_line AS line");
}

} // namespace lockstep
