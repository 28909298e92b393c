// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/gradient_figures.h"

namespace lockstep::ui {
namespace {

GradientRow rowOf(const LayerAgreement& layer)
{
    return {
        QString::fromStdString(layer.layer), layer.weightNorm, layer.gradientNorm,
        layer.updateToWeight, layer.cosines};
}

} // namespace

void GradientFigures::add(const GradientRecord& record)
{
    if (record.step <= step()) {
        return;
    }
    const GradientAgreement agreement = gradientAgreement(record);
    m_history.add(record.step, agreement.whole.cosines);
    m_noiseScale.add(record);
    m_outlier.add(agreement);
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
