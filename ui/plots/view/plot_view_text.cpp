// SPDX-License-Identifier: GPL-3.0-or-later
// What a chart says of itself.
#include "plots/curves/plot_marks.h"
#include "plots/view/plot_view.h"

#include <QStringList>

namespace lockstep::ui {

QString PlotView::summary() const
{
    if (hasRun()) {
        const ChartStatus status =
            m_isStale ? chartStatus(m_curves, scale(), isValuesZoomed()) : m_status;
        return captionText() + QStringLiteral(" · ") + statusText(status);
    }
    if (!isEmpty()) {
        return {};
    }
    return m_checklist.empty() ? m_emptyText : checklistSummary(m_checklist);
}

void PlotView::describe()
{
    QStringList parts{summary()};
    parts << (pins() != nullptr ? m_pins->summary() : QString());
    parts << (markers() != nullptr ? m_markers->summary() : QString());
    parts << (m_phases != nullptr && hasRun() ? m_phases->summary() : QString());
    parts.removeAll(QString());
    const QString text = parts.join(QLatin1Char(' '));
    if (text != accessibleDescription()) {
        setAccessibleDescription(text);
    }
}

QString PlotView::toolTipAt(QPointF point) const
{
    const PlotLayout places = arrangement();
    const QString status = statusText(m_status) + QStringLiteral("\n\n") + statusExplanation();
    if (foldMark().contains(point)) {
        return m_isFolded ? tr("Opens this chart (F)") : tr("Folds this chart to its title (F)");
    }
    if (places.notes.contains(point)) {
        return hasRun() ? status : QString();
    }
    if (!places.header.contains(point)) {
        const QString mark = markText({m_marks, m_curves, scale(), m_format}, point);
        const PhaseBand* const phase =
            hasPhaseNames() ? m_phases->bandNamedAt(xScale(), axisFont(), point) : nullptr;
        return mark.isEmpty() && phase != nullptr ? phase->text : mark;
    }
    if (keyAt(m_header, places.header, font(), point) >= 0) {
        return tr("Click: hides this, or shows it again. Shift and click: only this.");
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
