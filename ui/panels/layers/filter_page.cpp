// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/layers/filter_page.h"

#include "plots/axes/number_text.h"
#include "widgets/forms/wheel_guard.h"
#include "widgets/pictures/tile_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

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
    auto* const line = new QHBoxLayout;
    line->addWidget(m_slider, 1);
    line->addWidget(m_caption);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_view, 1);
    layout->addLayout(line);
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
    if (!m_shown) {
        m_caption->clear();
        return;
    }
    const bool isNewest = !m_steps.empty() && *m_shown == m_steps.back();
    m_caption->setText(
        isNewest ? tr("after step %1, the newest").arg(countText(*m_shown))
                 : tr("after step %1").arg(countText(*m_shown)));
}

} // namespace lockstep::ui
