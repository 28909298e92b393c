// SPDX-License-Identifier: GPL-3.0-or-later
// What a chart says of itself, in words and in the keys of its curves.
#include "plots/curves/curve_style.h"
#include "plots/curves/plot_marks.h"
#include "plots/view/plot_view.h"

#include <QStringList>

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

QString PlotView::summary() const
{
    if (hasRun()) {
        const ChartStatus status =
            m_isStale ? chartStatus(m_curves, scale(), isValuesZoomed()) : m_status;
        return captionText() + QStringLiteral(" · ") + statusText(status);
    }
    return isEmpty() ? emptyStateSummary(m_empty) : QString();
}

void PlotView::describe()
{
    QStringList parts{summary()};
    const auto [pins, markers, phases, highlight] = shared();
    parts << (pins != nullptr ? pins->summary() : QString());
    parts << (markers != nullptr ? markers->summary() : QString());
    parts << (phases != nullptr && hasRun() ? phases->summary() : QString());
    parts.removeAll(QString());
    const QString text = parts.join(QLatin1Char(' '));
    if (text != accessibleDescription()) {
        setAccessibleDescription(text);
    }
}

QString PlotView::toolTipAt(QPointF point) const
{
    const PlotLayout places = m_room->layout();
    const QString status = statusText(m_status) + QStringLiteral("\n\n") + statusExplanation();
    if (m_room->foldMark().contains(point)) {
        return m_room->isFolded() ? tr("Opens this chart (F)")
                                  : tr("Folds this chart to its title (F)");
    }
    if (const LegendKey* const key = m_legend->keyAt(point)) {
        const QString gestures =
            tr("Click: hides this, or shows it again. Shift and click: only this.");
        const QString colors = key->owners.empty() ? QString() : tr("Right click: another colour.");
        const bool isCut = key->shownText != key->text;
        return (isCut ? key->text + QStringLiteral("\n\n") : QString())
               + QStringList{gestures, colors}.join(QLatin1Char('\n')).trimmed();
    }
    if (places.notes.contains(point)) {
        return hasRun() ? status : QString();
    }
    if (!places.header.contains(point)) {
        const QString mark = markText({m_marks, m_curves, scale(), m_format}, point);
        const PhaseBand* const phase =
            hasPhaseNames() ? m_shared.phases->bandNamedAt(xScale(), m_room->axisFont(), point)
                            : nullptr;
        return mark.isEmpty() && phase != nullptr ? phase->text : mark;
    }
    QStringList parts{explanation()};
    if (m_isCaptionCut) {
        parts.prepend(m_header.caption);
    }
    if (hasRun() && !places.hasNotes()) {
        parts.append(statusText(m_status));
    }
    return parts.join(QStringLiteral("\n\n"));
}

} // namespace lockstep::ui
