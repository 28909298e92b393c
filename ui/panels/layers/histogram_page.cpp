// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/layers/histogram_page.h"

#include "plots/cards/histogram_plot.h"

#include <QHBoxLayout>

namespace lockstep::ui {

HistogramPage::HistogramPage(QWidget* parent) : QWidget(parent)
{
    const std::array titles{tr("Parameters"), tr("Gradients"), tr("Activations")};
    const std::array meanings{
        tr("Weights or biases of the layer, after the step"),
        tr("The mean gradient of all towers, without weight decay"),
        tr("What comes out of the layer for the first 16 rows of the last tower's batch,\n"
           "in float32, with the weights after the step")};
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    for (std::size_t i = 0; i < m_plots.size(); ++i) {
        m_plots[i] = new HistogramPlot(titles[i], meanings[i], this);
        m_plots[i]->setObjectName(QStringLiteral("histogram_%1").arg(i));
        row->addWidget(m_plots[i], 1);
    }
    for (HistogramPlot* const moved : m_plots) {
        for (HistogramPlot* const other : m_plots) {
            if (other != moved) {
                connect(moved, &CardChart::crossHairMoved, other, &CardChart::setCrossHair);
            }
        }
    }
}

void HistogramPage::setPicture(const LayerPicture& picture)
{
    const std::array<const HistogramRow*, 3> rows{
        &picture.values, &picture.gradients, &picture.activations};
    const QString none = tr("Nothing of this kind is recorded for %1").arg(picture.layer);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        m_plots[i]->setEmptyText(none);
        m_plots[i]->setHistograms(*rows[i]);
    }
}

} // namespace lockstep::ui
