// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace lockstep::ui {

/// Values that are appended for hours and never moved: growing copies nothing, so that an append
/// takes the same few nanoseconds at a million values as at ten. Not thread-safe.
template<typename Value>
class ChunkedArray
{
public:
    void append(Value value)
    {
        if ((m_size & kMask) == 0) {
            m_chunks.push_back(std::make_unique_for_overwrite<Value[]>(kChunkSize));
        }
        m_chunks.back()[m_size & kMask] = value;
        ++m_size;
    }

    [[nodiscard]] Value operator[](std::int64_t index) const
    {
        return m_chunks[static_cast<std::size_t>(index >> kShift)][index & kMask];
    }
    void set(std::int64_t index, Value value)
    {
        m_chunks[static_cast<std::size_t>(index >> kShift)][index & kMask] = value;
    }

    [[nodiscard]] std::int64_t size() const noexcept { return m_size; }

private:
    static constexpr int kShift = 12;
    static constexpr std::int64_t kChunkSize = std::int64_t{1} << kShift;
    static constexpr std::int64_t kMask = kChunkSize - 1;

    std::vector<std::unique_ptr<Value[]>> m_chunks;
    std::int64_t m_size = 0;
};

/// What a chart's x axis counts.
enum class XAxis {
    Step,     ///< number of the step
    Epoch,    ///< examples seen / size of the training set
    Examples, ///< examples seen
    WallTime, ///< seconds of training since the run began
};

inline constexpr std::array kXAxes{XAxis::Step, XAxis::Epoch, XAxis::Examples, XAxis::WallTime};

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

    [[nodiscard]] std::int64_t size() const noexcept { return m_positions[0].size(); }
    [[nodiscard]] std::int64_t stepAt(std::int64_t row) const;
    [[nodiscard]] Moment momentAt(std::int64_t row) const;
    /// Whether rows have places on the axis: a recorded run may not know its examples or epochs.
    [[nodiscard]] bool knows(XAxis axis) const
    {
        return size() < 2 || axis == XAxis::Step || positions(axis)[size() - 1] > 0.0;
    }
    /// The row's place on the axis.
    [[nodiscard]] double positionAt(XAxis axis, std::int64_t row) const;
    /// First row at or behind the place; size() if there is none.
    [[nodiscard]] std::int64_t firstRowFrom(XAxis axis, double position) const;
    /// The row closest to the place; -1 if there are no rows.
    [[nodiscard]] std::int64_t nearestRow(XAxis axis, double position) const;

private:
    /// Rows from `row` on have consecutive steps, beginning with `step`.
    struct StepRun
    {
        std::int64_t row;
        std::int64_t step;
    };
    [[nodiscard]] std::int64_t firstRowFromStep(double step) const;
    /// Of every axis but Step.
    [[nodiscard]] const ChunkedArray<double>& positions(XAxis axis) const
    {
        return m_positions[static_cast<std::size_t>(axis) - 1];
    }

    std::vector<StepRun> m_stepRuns;
    std::array<ChunkedArray<double>, 3> m_positions;
};

} // namespace lockstep::ui
