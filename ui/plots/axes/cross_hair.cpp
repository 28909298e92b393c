// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/axes/cross_hair.h"

#include "plots/axes/x_range.h"

#include <algorithm>
#include <utility>

namespace lockstep::ui {

std::optional<Moment> CrossHair::moment() const
{
    const Timeline* const timeline = m_range.timeline();
    const bool isThere = m_row && timeline != nullptr && *m_row < timeline->size();
    return isThere ? std::optional(timeline->momentAt(*m_row)) : std::nullopt;
}

void CrossHair::setRow(std::optional<std::int64_t> row)
{
    if (row != m_row) {
        m_row = row;
        m_reader = row ? m_reader : nullptr;
        emit changed();
    }
}

void CrossHair::setReader(const QObject* chart)
{
    if (chart != std::exchange(m_reader, chart) && m_row) {
        emit changed();
    }
}

void CrossHair::setAt(double position)
{
    if (const Timeline* const timeline = m_range.timeline()) {
        setRow(timeline->nearestRow(m_range.axis(), position));
    }
}

void CrossHair::move(std::int64_t rows)
{
    if (const Timeline* const timeline = m_range.timeline()) {
        const std::int64_t newest = timeline->size() - 1;
        setRow(m_row ? std::clamp<std::int64_t>(*m_row + rows, 0, newest) : newest);
    }
}

} // namespace lockstep::ui
