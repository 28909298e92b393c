// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/curve_smoothing.h"
#include "bridge/series/timeline.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace lockstep::ui {

/// What a stretch of a series holds. Values that are not finite are counted and otherwise left out.
struct Extent
{
    float minimum = std::numeric_limits<float>::infinity();
    float maximum = -std::numeric_limits<float>::infinity();
    /// The least value above zero: where a logarithmic axis has to begin.
    float minimumPositive = std::numeric_limits<float>::infinity();
    std::uint32_t notFinite = 0;

    [[nodiscard]] bool hasValues() const noexcept { return minimum <= maximum; }
    [[nodiscard]] bool hasPositive() const noexcept { return maximum > 0.0F; }

    void add(float value) noexcept;
    void add(const Extent& other) noexcept;
};

/// One curve: every value that was ever appended, what smoothing makes of it, and a pyramid of
/// extents with 16 children a node, from which the extent of any range is put together out of fewer
/// than 31 nodes a level. 4 bytes a value, 4 for the smoothed one, 1.1 for the pyramid. Not
/// thread-safe.
class Series
{
public:
    /// Smoothing::None: smoothedAt() gives the values themselves.
    explicit Series(Smoothing kind) : m_average(kind) {}

    void append(float value);

    [[nodiscard]] std::int64_t size() const noexcept { return m_values.size(); }
    [[nodiscard]] float at(std::int64_t row) const { return m_values[row]; }
    [[nodiscard]] float smoothedAt(std::int64_t row) const
    {
        if (!isSmoothed()) {
            return at(row);
        }
        m_average.settle(m_smoothed);
        return m_smoothed[row];
    }
    [[nodiscard]] bool isSmoothed() const noexcept { return m_average.kind() != Smoothing::None; }
    /// The weight that smooths it: the chosen one, or what so few values allow.
    [[nodiscard]] double smoothing() const noexcept { return m_average.weight(); }
    /// Of rows [first, end), both within [0, size()].
    [[nodiscard]] Extent extent(std::int64_t first, std::int64_t end) const;
    /// How many finite values of these rows are greater than that, and how many are less. Exact, in
    /// a time that grows with their number only.
    [[nodiscard]] std::int64_t countAbove(std::int64_t first, std::int64_t end, float limit) const;
    [[nodiscard]] std::int64_t countBelow(std::int64_t first, std::int64_t end, float limit) const;
    /// The greatest finite value of these rows that is not above the limit, and the least that is
    /// not below it; the limit itself where there is none.
    [[nodiscard]] float greatestUpTo(std::int64_t first, std::int64_t end, float limit) const;
    [[nodiscard]] float leastFrom(std::int64_t first, std::int64_t end, float limit) const;
    /// The first of these rows whose value is not finite.
    [[nodiscard]] std::optional<std::int64_t> firstNotFinite(
        std::int64_t first, std::int64_t end) const;

    /// Smooths all values anew, by a weight as CurveSmoothing has it, or less while they are few.
    void setSmoothing(double weight);
    /// Lets the smoothed line begin at this height: that of the line which it leaves there, behind
    /// so many values, which count as its own where few values allow less smoothing.
    void beginAt(double height, std::int64_t valuesBefore);
    /// Rows, ascending, at which the line goes on from where it ended just before, and knows
    /// nothing of the values there: before those it had gone another way.
    void setJoints(std::vector<std::int64_t> rows);
    /// The next row is another one of them.
    void join() { m_joints.push_back(size()); }

private:
    static constexpr int kFanOut = 16;
    static constexpr int kLevels = 7; // enough for 16^8 values
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    /// A node of the pyramid; level 0 are the values themselves.
    struct Node
    {
        int level;
        std::int64_t index;
    };
    /// Calls `take` for nodes that together are rows [first, end), in any order.
    template<typename Take>
    void forEachNode(std::int64_t first, std::int64_t end, const Take& take) const;
    [[nodiscard]] Extent extentOf(Node node) const;
    /// Values of the node that are counted: `isAny` and `isEach` say of an extent whether any, and
    /// whether each of its values is.
    template<typename IsAny, typename IsEach>
    [[nodiscard]] std::int64_t countWithin(
        Node node, const IsAny& isAny, const IsEach& isEach) const;
    /// Calls `take` with extents that hold all finite values of the node, each wholly on one side
    /// of the limit, or with none.
    template<typename Take>
    void forEachSide(Node node, float limit, const Take& take) const;
    void closeNodes();
    void smoothAll();
    void smooth(std::int64_t row);

    ChunkedArray<float> m_values;
    // As of the last time that one was asked for: each new value changes those before it.
    mutable ChunkedArray<float> m_smoothed;
    mutable CurveSmoothing m_average;
    double m_smoothing = 0.0;
    std::optional<double> m_start;
    std::int64_t m_before = 0;
    std::vector<std::int64_t> m_joints; ///< rows
    std::int64_t m_newest = -1;         ///< of the smoothed rows
    std::int64_t m_finite = 0;
    std::int64_t m_wideningAt = kNever; ///< so many finite values allow a greater weight
    std::array<ChunkedArray<Extent>, kLevels>
        m_nodes;   // [k]: each over 16^(k + 1) values, complete ones only
    Extent m_open; // of the values behind the last node of level 0
};

/// Series that have a value at the same moments. Rows are only ever added. Not thread-safe.
class SeriesStore
{
public:
    /// How each of its series is smoothed.
    explicit SeriesStore(const std::vector<Smoothing>& series)
        : m_series(series.begin(), series.end())
    {
    }

    /// A value for each series; not a number where there is none. std::invalid_argument if their
    /// number is not seriesCount(), or as Timeline::append.
    void append(const Moment& moment, std::span<const double> values);

    [[nodiscard]] const Timeline& timeline() const noexcept { return m_timeline; }
    [[nodiscard]] std::int64_t size() const noexcept { return m_timeline.size(); }
    [[nodiscard]] int seriesCount() const noexcept { return static_cast<int>(m_series.size()); }
    [[nodiscard]] const Series& series(int index) const
    {
        return m_series.at(static_cast<std::size_t>(index));
    }

    /// Weight of the smoothing, in [0, 1). Smooths all anew, about 15 ns a value.
    void setSmoothing(double weight);
    [[nodiscard]] double smoothing() const noexcept { return m_smoothing; }
    /// Series::beginAt() of the series with this number.
    void beginAt(int index, double height, std::int64_t rowsBefore)
    {
        m_series.at(static_cast<std::size_t>(index)).beginAt(height, rowsBefore);
    }
    /// Steps, ascending, at which the smoothed lines of all go on as Series::setJoints() says;
    /// those to come, too. Returns whether they are others than before.
    bool setJoints(std::vector<std::int64_t> steps);

private:
    Timeline m_timeline;
    std::vector<Series> m_series;
    std::vector<std::int64_t> m_joints; // steps
    double m_smoothing = 0.0;
};

} // namespace lockstep::ui
