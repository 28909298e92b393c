// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/layers/layer_pages.h"

#include "panels/shared/layouts.h"
#include "plots/axes/number_text.h"
#include "plots/cards/histogram_plot.h"
#include "widgets/forms/wheel_guard.h"
#include "widgets/pictures/tile_view.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>

namespace lockstep::ui {

FilterPage::FilterPage(QWidget* parent)
    : QWidget(parent), m_view(new TileView(tr("Filters of the first convolution"), this)),
      m_slider(new QSlider(Qt::Horizontal, this)), m_caption(new QLabel(this))
{
    m_view->setObjectName(QStringLiteral("filters_view"));
    m_view->setToolTip(
        tr("Each square is a filter of the first convolution, all to one scale:\ngrey is 0, the "
           "weight that is furthest from 0 is black or white"));
    m_slider->setObjectName(QStringLiteral("filters_step"));
    m_slider->setAccessibleName(tr("Recorded step whose filters are shown"));
    m_slider->setToolTip(m_slider->accessibleName());
    new WheelGuard(m_slider);
    connect(m_slider, &QSlider::valueChanged, this, [this](int place) {
        m_isNewest = place == m_slider->maximum();
        emit wantedStepChanged();
    });
    columnIn(this, {}, 4, {{m_view, 1}, rowOf({{m_slider, 1}, m_caption})});
}

std::optional<std::int64_t> FilterPage::wantedStep() const
{
    return m_isNewest || m_steps.empty()
               ? std::nullopt
               : std::optional(m_steps[static_cast<std::size_t>(m_slider->value())]);
}

void FilterPage::setSteps(const std::vector<std::int64_t>& steps)
{
    const auto wanted = wantedStep();
    const QSignalBlocker blocker(m_slider);
    m_steps = steps;
    m_slider->setMaximum(std::max(0, static_cast<int>(steps.size()) - 1));
    const auto place = wanted ? std::ranges::find(steps, *wanted) : steps.end();
    m_isNewest = place == steps.end();
    m_slider->setValue(m_isNewest ? m_slider->maximum() : static_cast<int>(place - steps.begin()));
    m_slider->setEnabled(steps.size() > 1);
    showStep();
}

void FilterPage::setFilters(const std::vector<QImage>& filters, std::int64_t step)
{
    m_shown = filters.empty() ? std::nullopt : std::optional(step);
    m_view->setTiles(
        filters, m_steps.empty() ? QString()
                                 : tr("The first convolution reads neither 1 nor 3 channels: its "
                                      "filters are not pictures."));
    showStep();
}

void FilterPage::showStep()
{
    const bool isNewest = m_shown && !m_steps.empty() && *m_shown == m_steps.back();
    m_caption->setText(
        !m_shown   ? QString()
        : isNewest ? tr("after step %1, the newest").arg(countText(*m_shown))
                   : tr("after step %1").arg(countText(*m_shown)));
}

HistogramPage::HistogramPage(QWidget* parent) : QWidget(parent)
{
    const std::array titles{tr("Parameters"), tr("Gradients"), tr("Activations")};
    const std::array meanings{
        tr("Weights or biases of the layer, after the step"),
        tr("The mean gradient of all towers, without weight decay"),
        tr("What comes out of the layer for the first 16 rows of the last tower's batch,\n"
           "in float32, with the weights after the step")};
    for (std::size_t i = 0; i < m_plots.size(); ++i) {
        m_plots[i] = new HistogramPlot(titles[i], meanings[i], this);
        m_plots[i]->setObjectName(QStringLiteral("histogram_%1").arg(i));
    }
    rowIn(this, {}, 6, {{m_plots[0], 1}, {m_plots[1], 1}, {m_plots[2], 1}});
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
