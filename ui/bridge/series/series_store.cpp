// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/series_store.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kFanOutBits = 4;

} // namespace

void Extent::add(float value) noexcept
{
    if (!std::isfinite(value)) {
        ++notFinite;
        return;
    }
    minimum = std::min(minimum, value);
    maximum = std::max(maximum, value);
    minimumPositive = value > 0.0F ? std::min(minimumPositive, value) : minimumPositive;
}

void Extent::add(const Extent& other) noexcept
{
    minimum = std::min(minimum, other.minimum);
    maximum = std::max(maximum, other.maximum);
    minimumPositive = std::min(minimumPositive, other.minimumPositive);
    notFinite += other.notFinite;
}

void Series::append(float value)
{
    m_values.append(value);
    if (isSmoothed()) {
        m_smoothed.append(value); // what is not finite stays what it is
        if (std::isfinite(value) && ++m_finite >= m_wideningAt) {
            smoothAll();
        } else {
            smooth(size() - 1);
        }
    }
    m_open.add(value);
    static_assert(1 << kFanOutBits == kFanOut);
    if (size() % kFanOut == 0) {
        closeNodes();
    }
}

void Series::smoothAll()
{
    const AllowedSmoothing allowed = allowedSmoothing(m_smoothing, m_before + m_finite);
    m_wideningAt = allowed.until - m_before;
    m_average = CurveSmoothing(m_average.kind(), allowed.weight, m_start);
    m_newest = -1;
    for (std::int64_t row = 0; row < size(); ++row) {
        smooth(row);
    }
}

void Series::smooth(std::int64_t row)
{
    const bool isRate = m_average.kind() == Smoothing::Rate;
    if (!std::isfinite(m_values[row]) || (isRate && m_values[row] <= 0.0F)) {
        return;
    }
    const bool isJoined = !m_joints.empty() && m_newest >= 0; // a search for each value would cost
    if (isJoined
        && std::ranges::upper_bound(m_joints, m_newest)
               != std::ranges::upper_bound(m_joints, row)) {
        m_average.settle(m_smoothed);
        m_average = CurveSmoothing(m_average.kind(), m_average.weight(), m_smoothed[m_newest]);
    }
    m_average.append(row, m_values[row], m_smoothed);
    m_newest = row;
}

void Series::closeNodes()
{
    m_nodes[0].append(std::exchange(m_open, {}));
    for (std::size_t level = 1; level < kLevels && m_nodes[level - 1].size() % kFanOut == 0;
         ++level) {
        Extent extent;
        const std::int64_t end = m_nodes[level - 1].size();
        for (std::int64_t child = end - kFanOut; child < end; ++child) {
            extent.add(m_nodes[level - 1][child]);
        }
        m_nodes[level].append(extent);
    }
}

Extent Series::extentOf(Node node) const
{
    if (node.level > 0) {
        return m_nodes[static_cast<std::size_t>(node.level - 1)][node.index];
    }
    Extent extent;
    extent.add(m_values[node.index]);
    return extent;
}

// Takes what sticks out on both sides at a level, goes on with whole nodes of the level above.
template<typename Take>
void Series::forEachNode(std::int64_t first, std::int64_t end, const Take& take) const
{
    for (int level = 0; first < end; ++level, first /= kFanOut, end /= kFanOut) {
        const bool isTop = level == kLevels;
        while (first < end && (isTop || first % kFanOut != 0)) {
            take(Node{level, first++});
        }
        while (first < end && end % kFanOut != 0) {
            take(Node{level, --end});
        }
    }
}

Extent Series::extent(std::int64_t first, std::int64_t end) const
{
    Extent result;
    forEachNode(first, end, [&](Node node) { // one extent for each would be the hot spot of a frame
        if (node.level == 0) {
            result.add(m_values[node.index]);
        } else {
            result.add(m_nodes[static_cast<std::size_t>(node.level - 1)][node.index]);
        }
    });
    return result;
}

template<typename IsAny, typename IsEach>
std::int64_t Series::countWithin(Node node, const IsAny& isAny, const IsEach& isEach) const
{
    const Extent extent = extentOf(node);
    if (!extent.hasValues() || !isAny(extent)) {
        return 0;
    }
    if (isEach(extent)) {
        return (std::int64_t{1} << (kFanOutBits * node.level)) - extent.notFinite;
    }
    std::int64_t count = 0;
    for (std::int64_t child = 0; child < kFanOut; ++child) {
        count += countWithin({node.level - 1, node.index * kFanOut + child}, isAny, isEach);
    }
    return count;
}

std::int64_t Series::countAbove(std::int64_t first, std::int64_t end, float limit) const
{
    const auto isAny = [limit](const Extent& extent) { return extent.maximum > limit; };
    const auto isEach = [limit](const Extent& extent) { return extent.minimum > limit; };
    std::int64_t count = 0;
    forEachNode(first, end, [&](Node node) { count += countWithin(node, isAny, isEach); });
    return count;
}

std::int64_t Series::countBelow(std::int64_t first, std::int64_t end, float limit) const
{
    const auto isAny = [limit](const Extent& extent) { return extent.minimum < limit; };
    const auto isEach = [limit](const Extent& extent) { return extent.maximum < limit; };
    std::int64_t count = 0;
    forEachNode(first, end, [&](Node node) { count += countWithin(node, isAny, isEach); });
    return count;
}

template<typename Take>
void Series::forEachSide(Node node, float limit, const Take& take) const
{
    const Extent extent = extentOf(node);
    const bool isOnOneSide = extent.maximum <= limit || extent.minimum >= limit;
    if (!extent.hasValues() || isOnOneSide) {
        take(extent);
        return;
    }
    for (std::int64_t child = 0; child < kFanOut; ++child) {
        forEachSide({node.level - 1, node.index * kFanOut + child}, limit, take);
    }
}

float Series::greatestUpTo(std::int64_t first, std::int64_t end, float limit) const
{
    float greatest = -std::numeric_limits<float>::infinity();
    forEachNode(first, end, [&](Node node) {
        forEachSide(node, limit, [&](const Extent& extent) {
            // On the other side there can be the limit itself.
            greatest = extent.minimum <= limit ? std::max(greatest, std::min(extent.maximum, limit))
                                               : greatest;
        });
    });
    return std::isfinite(greatest) ? greatest : limit;
}

float Series::leastFrom(std::int64_t first, std::int64_t end, float limit) const
{
    float least = std::numeric_limits<float>::infinity();
    forEachNode(first, end, [&](Node node) {
        forEachSide(node, limit, [&](const Extent& extent) {
            least =
                extent.maximum >= limit ? std::min(least, std::max(extent.minimum, limit)) : least;
        });
    });
    return std::isfinite(least) ? least : limit;
}

std::optional<std::int64_t> Series::firstNotFinite(std::int64_t first, std::int64_t end) const
{
    const auto firstRow = [](Node node) { return node.index << (kFanOutBits * node.level); };
    std::optional<Node> found;
    forEachNode(first, end, [&](Node node) {
        const bool isEarlier = !found || firstRow(node) < firstRow(*found);
        if (isEarlier && extentOf(node).notFinite > 0) {
            found = node;
        }
    });
    while (found && found->level > 0) {
        Node child{found->level - 1, found->index * kFanOut};
        while (extentOf(child).notFinite == 0) {
            ++child.index;
        }
        found = child;
    }
    return found ? std::optional(found->index) : std::nullopt;
}

void Series::setSmoothing(double weight)
{
    m_smoothing = weight;
    if (isSmoothed()) {
        smoothAll();
    }
}

void Series::beginAt(double height, std::int64_t valuesBefore)
{
    if (isSmoothed() && (m_start != height || m_before != valuesBefore)) {
        m_start = height;
        m_before = valuesBefore;
        smoothAll();
    }
}

void Series::setJoints(std::vector<std::int64_t> rows)
{
    m_joints = std::move(rows);
    if (isSmoothed()) {
        smoothAll();
    }
}

void SeriesStore::append(const Moment& moment, std::span<const double> values)
{
    if (values.size() != m_series.size()) {
        throw std::invalid_argument(
            std::to_string(values.size()) + " values for " + std::to_string(m_series.size())
            + " series");
    }
    m_timeline.append(moment);
    if (std::ranges::binary_search(m_joints, moment.step)) {
        std::ranges::for_each(m_series, &Series::join);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        m_series[i].append(static_cast<float>(values[i]));
    }
}

void SeriesStore::setSmoothing(double weight)
{
    m_smoothing = std::clamp(weight, 0.0, 0.9999);
    for (Series& series : m_series) {
        series.setSmoothing(m_smoothing);
    }
}

bool SeriesStore::setJoints(std::vector<std::int64_t> steps)
{
    if (m_joints == steps) {
        return false;
    }
    m_joints = std::move(steps);
    std::vector<std::int64_t> rows;
    for (const std::int64_t step : m_joints) {
        const std::int64_t row = m_timeline.firstRowFrom(XAxis::Step, static_cast<double>(step));
        if (row < size() && m_timeline.stepAt(row) == step) {
            rows.push_back(row);
        }
    }
    for (Series& series : m_series) {
        series.setJoints(rows);
    }
    return true;
}

} // namespace lockstep::ui
