// SPDX-License-Identifier: Apache-2.0
#include "storage/rows/step_row_reader.h"

#include "metrics/throughput.h"
#include "storage/rows/nanoseconds.h"
#include "storage/rows/objective_columns.h"
#include "storage/rows/run_schema.h"
#include "storage/sqlite/checked_query.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>

namespace lockstep {
namespace {

constexpr int kStepChecksumColumn = 11;
constexpr int kWeightDecayColumn = 12;
constexpr int kFirstObjective = 9;
constexpr int kTowerColumns = kFirstObjective + static_cast<int>(ObjectiveLosses::kMost);

double readSeconds(const SqliteStatement& row, int column)
{
    return row.isNull(column) ? secondsOf(std::nullopt) : secondsOf(row.integer(column));
}

std::vector<int> devicesOf(const SqliteDatabase& database)
{
    CheckedQuery query(
        database, "run", "key, value", fmt::format("WHERE key = '{}'", kTowerDevicesFact));
    std::istringstream text(query.next() ? query.row().text(1) : "");
    return deviceNumbers({std::istream_iterator<std::string>(text), {}});
}

} // namespace

StepRowReader::StepRowReader(const SqliteDatabase& database)
    : m_database(database),
      m_steps(database.prepare(fmt::format(
          "SELECT step, examples, learning_rate, loss_mean, step_ns, wall_ns, input_ns,"
          " queue_filled, compute_ns, averaging_ns, update_ns, row_checksum, {}"
          " FROM step WHERE branch = ? AND step >= ? AND step < ? ORDER BY step",
          hasWeightDecay(database) ? "weight_decay_loss" : "NULL"))),
      m_towers(
          database.prepare("SELECT step, tower, loss, correct, examples, start_ns, copy_ns,"
                           " forward_ns, backward_ns, objective_loss_0, objective_loss_1,"
                           " objective_loss_2, objective_loss_3 FROM tower_step"
                           " WHERE branch = ? AND step >= ? AND step < ? ORDER BY step, tower")),
      m_last(database.prepare(
          "SELECT max(ifnull((SELECT step FROM step WHERE branch = ?1 AND step >= ?2"
          " AND step < ?3 ORDER BY step DESC LIMIT 1), -1),"
          " ifnull((SELECT step FROM tower_step WHERE branch = ?1 AND step >= ?2"
          " AND step < ?3 ORDER BY step DESC LIMIT 1), -1))"))
{
}

void StepRowReader::read(
    const LineageSegment& segment, const std::function<void(const StepRecord&)>& take)
{
    m_objectives = objectivesOf(m_database);
    m_devices = devicesOf(m_database);
    const std::int64_t end = endOf(segment);
    m_steps.query(segment.branch, segment.first, end);
    m_towers.query(segment.branch, segment.first, end);
    m_hasTower = m_towers.next();
    std::int64_t next = segment.first;
    for (; m_steps.next() && m_steps.integer(0) == next; ++next) {
        readStep(segment);
        readTowers();
        verify(segment);
        take(m_record);
    }
    if (next != end) {
        failDamaged(
            m_database.file(),
            fmt::format("step {} of branch {} is missing", next, segment.branch));
    }
}

// Looked for from the other side and in both tables, so that rows which can't be reached any more
// are missed.
std::int64_t StepRowReader::endOf(const LineageSegment& segment)
{
    std::int64_t end = segment.first;
    m_last.query(segment.branch, segment.first, segment.end);
    while (m_last.next()) {
        end = std::max(end, m_last.integer(0) + 1);
    }
    return end;
}

void StepRowReader::readStep(const LineageSegment& segment)
{
    m_record.step = m_steps.integer(0);
    m_record.examples = m_steps.integer(1);
    m_record.learningRate = m_steps.real(2);
    m_record.lossMean = m_steps.real(3);
    m_record.stepSeconds = readSeconds(m_steps, 4);
    m_record.wallSeconds = readSeconds(m_steps, 5);
    m_record.inputSeconds = readSeconds(m_steps, 6);
    m_record.queueFilled = m_steps.real(7);
    m_record.computeSeconds = readSeconds(m_steps, 8);
    m_record.averagingSeconds = readSeconds(m_steps, 9);
    m_record.updateSeconds = readSeconds(m_steps, 10);
    m_record.weightDecayLoss = m_steps.real(kWeightDecayColumn);
    m_record.epoch = segment.epochAfter(m_record.examples);
    m_record.examplesPerSecond = examplesPerSecond(segment.globalBatch(), m_record.stepSeconds);
    m_record.secondsPerBatch = secondsPerBatch(m_record.stepSeconds, segment.towers);
    m_checksum.add(segment.branch);
    m_checksum.addColumns(m_steps, 0, kStepChecksumColumn);
    if (!m_steps.isNull(kWeightDecayColumn)) { // rows of before have none
        m_checksum.addColumns(m_steps, kWeightDecayColumn, kWeightDecayColumn + 1);
    }
}

void StepRowReader::readTowers()
{
    m_record.towers.clear();
    for (; m_hasTower && m_towers.integer(0) == m_record.step; m_hasTower = m_towers.next()) {
        m_record.towers.push_back(
            {m_towers.real(2), m_towers.integer(3), m_towers.integer(4), readSeconds(m_towers, 5),
             readSeconds(m_towers, 6), readSeconds(m_towers, 7), readSeconds(m_towers, 8),
             readObjectives(m_towers, kFirstObjective, m_objectives)});
        m_checksum.addColumns(m_towers, 1, kTowerColumns);
    }
    for (std::size_t i = 0; i < m_record.towers.size() && i < m_devices.size(); ++i) {
        m_record.towers[i].device = m_devices[i];
    }
    m_record.lossLast = m_record.towers.empty() ? std::numeric_limits<double>::quiet_NaN()
                                                : m_record.towers.back().loss;
}

void StepRowReader::verify(const LineageSegment& segment)
{
    if (m_checksum.take() != m_steps.integer(kStepChecksumColumn)) {
        failDamaged(
            m_database.file(), fmt::format("step {} of branch {}", m_record.step, segment.branch));
    }
}

} // namespace lockstep
