// SPDX-License-Identifier: Apache-2.0
#include "storage/rows/phase_rows.h"

#include "storage/rows/run_lineage.h"
#include "storage/sqlite/checked_query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::string_view kBetweenGroups = ", ";

/// "a, b" is two groups.
std::vector<std::string> groupsOf(const std::string& text)
{
    std::vector<std::string> groups;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(kBetweenGroups, begin), text.size());
        groups.push_back(text.substr(begin, end - begin));
        begin = end + kBetweenGroups.size();
    }
    return groups;
}

std::vector<RunPhase> phasesOf(const SqliteDatabase& database, const LineageSegment& segment)
{
    std::vector<RunPhase> phases;
    CheckedQuery query(
        database, "phase", "branch, first_step, end_step, objective, learning_rate, frozen",
        fmt::format("WHERE branch = {} ORDER BY first_step", segment.branch));
    while (query.next()) {
        const SqliteStatement& row = query.row();
        RunPhase phase{
            std::max(row.integer(1), segment.first), std::min(row.integer(2), segment.end),
            row.text(3), row.isNull(4) ? std::nullopt : std::optional(row.real(4)),
            groupsOf(row.text(5))};
        if (phase.firstStep < phase.endStep) {
            phases.push_back(std::move(phase));
        }
    }
    return phases;
}

/// Whether `next` goes on with what `phase` did.
bool continues(const RunPhase& phase, const RunPhase& next)
{
    RunPhase same = next;
    same.firstStep = phase.firstStep;
    same.endStep = phase.endStep;
    return phase.endStep == next.firstStep && phase == same;
}

} // namespace

PhaseRowWriter::PhaseRowWriter(const SqliteDatabase& database)
    : m_forgetObjectives(database.prepare("DELETE FROM objective")),
      m_objective(database.prepare("INSERT INTO objective VALUES (?,?,?)")),
      m_forgetPhases(database.prepare("DELETE FROM phase WHERE branch = ?")),
      m_phase(database.prepare("INSERT INTO phase VALUES (?,?,?,?,?,?,?)"))
{
}

void PhaseRowWriter::write(const RunObjectives& objectives)
{
    m_forgetObjectives.run();
    for (std::size_t i = 0; i < objectives.names.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        m_checksum.add(number);
        m_checksum.add(std::string_view(objectives.names[i]));
        m_objective.run(number, objectives.names[i], m_checksum.take());
    }
}

void PhaseRowWriter::write(std::int64_t branch, const RunPhases& phases)
{
    m_forgetPhases.run(branch);
    for (const RunPhase& phase : phases.phases) {
        const std::string frozen = fmt::format("{}", fmt::join(phase.frozen, kBetweenGroups));
        m_checksum.add(branch);
        m_checksum.add(phase.firstStep);
        m_checksum.add(phase.endStep);
        m_checksum.add(std::string_view(phase.objective));
        m_checksum.add(phase.learningRate);
        m_checksum.add(std::string_view(frozen));
        m_phase.run(
            branch, phase.firstStep, phase.endStep, phase.objective, phase.learningRate, frozen,
            m_checksum.take());
    }
}

std::vector<std::string> readObjectiveNames(const SqliteDatabase& database)
{
    std::vector<std::string> names;
    CheckedQuery query(database, "objective", "id, name", "ORDER BY id");
    while (query.next()) {
        names.push_back(query.row().text(1));
    }
    return names;
}

/// A branch plans beyond the step at which the next one took over; where that goes on with the same
/// phase they are one again.
std::vector<RunPhase> readPhases(const SqliteDatabase& database)
{
    std::vector<RunPhase> phases;
    for (const LineageSegment& segment : lineageOf(database)) {
        for (RunPhase& phase : phasesOf(database, segment)) {
            if (!phases.empty() && continues(phases.back(), phase)) {
                phases.back().endStep = phase.endStep;
            } else {
                phases.push_back(std::move(phase));
            }
        }
    }
    return phases;
}

} // namespace lockstep
