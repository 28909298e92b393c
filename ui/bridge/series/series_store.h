// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/timeline.h"

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>

namespace lockstep::ui {

/// The average of all values around one, of which each weighs less by a factor w the farther it is:
///   s_k = sum_i w^|k - i| y_i / sum_i w^|k - i|,
/// where distance counts finite values only. It looks both ways, so it does not lag behind what it
/// averages, and all weights are positive: where one series is below another, so are their
/// averages. At the newest value it is the debiased exponential moving average. What is not finite
/// has no average and leaves no trace in others.
///
/// An average changes while later values arrive until they weigh no more than a float can show;
/// those that still may are kept open, a few thousand at most. Not thread-safe.
class CurveSmoothing
{
public:
    /// Weight in [0, 1): 0 does not smooth at all.
    explicit CurveSmoothing(double weight = 0.0)
        : m_weight(weight),
          m_horizon(weight > 0.0 ? std::ceil(std::log(kNoWeight) / std::log(weight)) : 0.0)
    {
    }

    /// A finite value in this row; rows ascend.
    void append(std::int64_t row, double value)
    {
        m_sum = m_sum * m_weight + value;
        m_weights = m_weights * m_weight + 1.0;
        m_open.push_back({row, value, m_sum, m_weights});
    }

    /// Whether settle() should be called before more is appended.
    [[nodiscard]] bool isFull() const
    {
        return static_cast<double>(m_open.size()) >= 2.0 * m_horizon + kMostSettled;
    }

    /// Calls `set(row, average)` for all that changed since the last time.
    template<typename Set>
    void settle(const Set& set)
    {
        double sum = 0.0;
        double weights = 0.0;
        for (std::size_t left = m_open.size(); left > 0; --left) {
            const Open& open = m_open[left - 1];
            // The value itself is in the sums of both directions.
            set(open.row, (open.sum + m_weight * sum) / (open.weights + m_weight * weights));
            sum = sum * m_weight + open.value;
            weights = weights * m_weight + 1.0;
        }
        const double done = static_cast<double>(m_open.size()) - m_horizon;
        if (done > 0.0) {
            m_open.erase(m_open.begin(), m_open.begin() + static_cast<std::ptrdiff_t>(done));
        }
    }

private:
    /// What a value weighs that a float does not show beside 1.
    static constexpr double kNoWeight = 0x1p-24;
    static constexpr double kMostSettled = 1024.0;

    struct Open
    {
        std::int64_t row;
        double value;
        double sum; ///< of all values up to it, and of their weights
        double weights;
    };

    double m_weight;
    double m_horizon; // in finite values
    double m_sum = 0.0;
    double m_weights = 0.0;
    std::vector<Open> m_open;
};

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

/// One curve: every value that was ever appended, its average, and a pyramid of extents with
/// 16 children a node, from which the extent of any range is put together out of fewer than 31
/// nodes a level. 4 bytes a value, 4 for the average, 1.1 for the pyramid. Not thread-safe.
class Series
{
public:
    /// `isSmoothed`: keeps an average; without, smoothedAt() gives the values themselves.
    explicit Series(bool isSmoothed) : m_isSmoothed(isSmoothed) {}

    void append(float value);

    [[nodiscard]] std::int64_t size() const noexcept { return m_values.size(); }
    [[nodiscard]] float at(std::int64_t row) const { return m_values[row]; }
    [[nodiscard]] float smoothedAt(std::int64_t row) const
    {
        if (!m_isSmoothed) {
            return at(row);
        }
        if (m_isUnsettled) {
            settle();
        }
        return m_smoothed[row];
    }
    [[nodiscard]] bool isSmoothed() const noexcept { return m_isSmoothed; }
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

    /// Recomputes the average of all values; weight as for CurveSmoothing.
    void setSmoothing(double weight);

    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    static constexpr int kFanOut = 16;
    static constexpr int kLevels = 7; // enough for 16^8 values

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
    void smooth(std::int64_t row);
    void settle() const;

    ChunkedArray<float> m_values;
    // As of the last time that one was asked for: each new value changes those before it.
    mutable ChunkedArray<float> m_smoothed;
    mutable CurveSmoothing m_average;
    mutable bool m_isUnsettled = false;
    std::array<ChunkedArray<Extent>, kLevels>
        m_nodes;   // [k]: each over 16^(k + 1) values, complete ones only
    Extent m_open; // of the values behind the last node of level 0
    bool m_isSmoothed;
};

/// Series that have a value at the same moments. Rows are only ever added. Not thread-safe.
class SeriesStore
{
public:
    /// So many series, of which all keep an average but those with these numbers.
    explicit SeriesStore(std::size_t series, std::initializer_list<int> unsmoothed = {});

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

    /// Weight of the averages, in [0, 1). Recomputes them, about 10 ns a value.
    void setSmoothing(double weight);
    [[nodiscard]] double smoothing() const noexcept { return m_smoothing; }

    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    Timeline m_timeline;
    std::vector<Series> m_series;
    double m_smoothing = 0.0;
};

} // namespace lockstep::ui
