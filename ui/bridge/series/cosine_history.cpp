// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/cosine_history.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lockstep::ui {
namespace {

/// Not-a-numbers give way: std::fmin and std::fmax leave them out.
void merge(const CosinePoint& next, CosinePoint& point)
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const std::size_t towers = std::max(point.least.size(), next.least.size());
    point.least.resize(towers, kNone);
    point.most.resize(towers, kNone);
    for (std::size_t tower = 0; tower < next.least.size(); ++tower) {
        point.least[tower] = std::fmin(point.least[tower], next.least[tower]);
        point.most[tower] = std::fmax(point.most[tower], next.most[tower]);
    }
    point.lastStep = next.lastStep;
}

} // namespace

void CosineHistory::add(std::int64_t step, const std::vector<double>& cosines)
{
    const CosinePoint next{step, step, cosines, cosines};
    if (m_points.empty() || m_inLastPoint == m_perPoint) {
        if (m_points.size() == kMostPoints) {
            halve();
        }
        m_points.push_back(next);
        m_inLastPoint = 1;
        return;
    }
    merge(next, m_points.back());
    ++m_inLastPoint;
}

void CosineHistory::halve()
{
    for (std::size_t i = 0; i < kMostPoints / 2; ++i) {
        CosinePoint point = std::move(m_points[2 * i]);
        merge(m_points[2 * i + 1], point);
        m_points[i] = std::move(point);
    }
    m_points.resize(kMostPoints / 2);
    m_perPoint *= 2;
}

} // namespace lockstep::ui
