// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/chunked_array.h"

#include <cstdint>
#include <vector>

namespace lockstep::ui {

/// What a chart's x axis counts.
enum class XAxis {
    Step,     ///< number of the step
    Epoch,    ///< examples seen / size of the training set
    Examples, ///< examples seen
    WallTime, ///< seconds of training since the run began
};

/// When a row of a store happened, on each axis.
struct Moment
{
    std::int64_t step = 0;
    double epoch = 0.0;
    double wallSeconds = 0.0;
    double examples = 0.0; ///< a whole number
};

/// The moment's place on an axis.
[[nodiscard]] double positionOf(const Moment& moment, XAxis axis);

/// The x axes that all series of a store share: each row has its place on every axis, and as none
/// of them runs backwards, a place is found by binary search. Steps cost no memory while they
/// follow each other. Not thread-safe.
class Timeline
{
public:
    /// The next row. std::invalid_argument unless the step is above that of the row before. Others
    /// that run backwards (a clock was set) count as standing still.
    void append(const Moment& moment);

    [[nodiscard]] std::int64_t size() const noexcept { return m_wallSeconds.size(); }
    [[nodiscard]] std::int64_t stepAt(std::int64_t row) const;
    [[nodiscard]] Moment momentAt(std::int64_t row) const;
    /// The row's place on the axis.
    [[nodiscard]] double positionAt(XAxis axis, std::int64_t row) const;
    /// First row at or behind the place; size() if there is none.
    [[nodiscard]] std::int64_t firstRowFrom(XAxis axis, double position) const;
    /// The row closest to the place; -1 if there are no rows.
    [[nodiscard]] std::int64_t nearestRow(XAxis axis, double position) const;

    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    /// Rows from `row` on have consecutive steps, beginning with `step`.
    struct StepRun
    {
        std::int64_t row;
        std::int64_t step;
    };
    [[nodiscard]] std::int64_t firstRowFromStep(double step) const;
    /// Of every axis but Step.
    [[nodiscard]] const ChunkedArray<double>& positions(XAxis axis) const;

    std::vector<StepRun> m_stepRuns;
    ChunkedArray<double> m_epochs;
    ChunkedArray<double> m_wallSeconds;
    ChunkedArray<double> m_examples;
};

} // namespace lockstep::ui
