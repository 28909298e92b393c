// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/chart_legend.h"

#include "plots/curves/curve_style.h"

#include <algorithm>

namespace lockstep::ui {

void ChartLegend::markHidden(std::vector<LegendKey>& keys) const
{
    for (LegendKey& key : keys) {
        key.isOff = isHidden(key.text);
    }
}

std::vector<Curve> ChartLegend::shown(const std::vector<Curve>& curves) const
{
    return shownCurves(curves, m_hidden);
}

bool ChartLegend::toggle(QPointF point, bool isAlone)
{
    const LegendKey* const key = keyAt(point);
    if (key == nullptr) {
        return false;
    }
    if (isAlone) {
        QStringList others;
        for (const LegendKey& other : m_keys) {
            if (other.text != key->text) {
                others.append(other.text);
            }
        }
        m_hidden = others == m_hidden ? QStringList() : others;
    } else if (!m_hidden.removeOne(key->text)) {
        m_hidden.append(key->text);
    }
    emit changed();
    return true;
}

const LegendKey* ChartLegend::keyAt(QPointF point) const
{
    const auto found = std::ranges::find_if(
        m_keys, [&](const LegendKey& key) { return key.place.contains(point); });
    return found == m_keys.end() ? nullptr : &*found;
}

std::optional<ColorOwner> ChartLegend::ownerAt(QPointF point) const
{
    const LegendKey* const key = keyAt(point);
    return key == nullptr ? std::nullopt : lockstep::ui::ownerAt(*key, point);
}

} // namespace lockstep::ui
