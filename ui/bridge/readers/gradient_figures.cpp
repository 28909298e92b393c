// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/gradient_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

GradientRow rowOf(const LayerAgreement& layer)
{
    return {
        QString::fromStdString(layer.layer), layer.weightNorm, layer.gradientNorm,
        layer.updateToWeight, layer.cosines};
}

} // namespace

void CosineHistory::add(std::int64_t step, const std::vector<double>& cosines)
{
    const CosinePoint next{step, step, cosines, cosines};
    if (!m_points.empty() && m_inLastPoint < m_perPoint) {
        merge(next, m_points.back());
        ++m_inLastPoint;
        return;
    }
    if (m_points.size() == kMostPoints) {
        for (std::size_t i = 0; i < kMostPoints / 2; ++i) {
            merge(m_points[2 * i + 1], m_points[2 * i]);
            m_points[i] = m_points[2 * i];
        }
        m_points.resize(kMostPoints / 2);
        m_perPoint *= 2;
    }
    m_points.push_back(next);
    m_inLastPoint = 1;
}

void GradientFigures::add(const GradientRecord& record)
{
    if (record.step <= step()) {
        return;
    }
    m_history.add(record.step, gradientAgreement(record).whole.cosines);
    m_noiseScale.add(record);
    m_newest = record;
}

std::vector<GradientRow> GradientFigures::rows() const
{
    std::vector<GradientRow> rows;
    if (m_newest) {
        const GradientAgreement agreement = gradientAgreement(*m_newest);
        rows.push_back(rowOf(agreement.whole));
        for (const LayerAgreement& layer : agreement.layers) {
            rows.push_back(rowOf(layer));
        }
    }
    return rows;
}

qint64 GradientFigures::globalBatch() const
{
    if (!m_newest || m_newest->parameters.empty()) {
        return 0;
    }
    return m_newest->batchPerTower * std::ssize(m_newest->parameters.front().towers);
}

} // namespace lockstep::ui
