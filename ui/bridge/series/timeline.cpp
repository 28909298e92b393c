// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/timeline.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace lockstep::ui {
namespace {

/// The value to store behind those that are there, so that the map stays monotone. `fmax` takes the
/// other one where a value is not a number.
double notBefore(const ChunkedArray<double>& values, double value)
{
    const double least = values.size() == 0 ? 0.0 : values[values.size() - 1];
    return std::fmax(least, value);
}

std::int64_t lowerBound(const ChunkedArray<double>& values, double position)
{
    std::int64_t first = 0;
    std::int64_t count = values.size();
    while (count > 0) {
        const std::int64_t half = count / 2;
        const bool isBefore = values[first + half] < position;
        first = isBefore ? first + half + 1 : first;
        count = isBefore ? count - half - 1 : half;
    }
    return first;
}

} // namespace

double positionOf(const Moment& moment, XAxis axis)
{
    switch (axis) {
    case XAxis::Epoch:
        return moment.epoch;
    case XAxis::Examples:
        return moment.examples;
    case XAxis::WallTime:
        return moment.wallSeconds;
    case XAxis::Step:
        break;
    }
    return static_cast<double>(moment.step);
}

void Timeline::append(const Moment& moment)
{
    const std::int64_t row = size();
    if (row > 0 && moment.step <= stepAt(row - 1)) {
        throw std::invalid_argument(
            "step " + std::to_string(moment.step) + " comes after step "
            + std::to_string(stepAt(row - 1)));
    }
    if (row == 0 || moment.step != stepAt(row - 1) + 1) {
        m_stepRuns.push_back({row, moment.step});
    }
    for (const XAxis axis : {XAxis::Epoch, XAxis::Examples, XAxis::WallTime}) {
        const double place = notBefore(positions(axis), positionOf(moment, axis));
        m_positions[static_cast<std::size_t>(axis) - 1].append(place);
    }
}

std::int64_t Timeline::stepAt(std::int64_t row) const
{
    const StepRun& run = *std::prev(std::ranges::upper_bound(m_stepRuns, row, {}, &StepRun::row));
    return run.step + (row - run.row);
}

Moment Timeline::momentAt(std::int64_t row) const
{
    return {
        stepAt(row), positions(XAxis::Epoch)[row], positions(XAxis::WallTime)[row],
        positions(XAxis::Examples)[row]};
}

double Timeline::positionAt(XAxis axis, std::int64_t row) const
{
    return axis == XAxis::Step ? static_cast<double>(stepAt(row)) : positions(axis)[row];
}

std::int64_t Timeline::firstRowFromStep(double step) const
{
    const auto behind = std::ranges::upper_bound(m_stepRuns, step, {}, &StepRun::step);
    if (behind == m_stepRuns.begin()) {
        return 0;
    }
    const StepRun& run = *std::prev(behind);
    const std::int64_t end = behind == m_stepRuns.end() ? size() : behind->row;
    const double row =
        static_cast<double>(run.row) + std::ceil(step - static_cast<double>(run.step));
    return row >= static_cast<double>(end) ? end : static_cast<std::int64_t>(row);
}

std::int64_t Timeline::firstRowFrom(XAxis axis, double position) const
{
    return axis == XAxis::Step ? firstRowFromStep(position) : lowerBound(positions(axis), position);
}

std::int64_t Timeline::nearestRow(XAxis axis, double position) const
{
    const std::int64_t row = firstRowFrom(axis, position);
    if (row == 0 || row == size()) {
        return row == 0 && size() > 0 ? 0 : row - 1;
    }
    const bool isBeforeCloser =
        position - positionAt(axis, row - 1) < positionAt(axis, row) - position;
    return isBeforeCloser ? row - 1 : row;
}

} // namespace lockstep::ui
