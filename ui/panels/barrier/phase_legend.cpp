// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/barrier/phase_legend.h"

#include "engine/records.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr int kSwatch = 10;
constexpr int kLegendGap = 6;
constexpr int kBetweenColumns = 14;
constexpr int kMostColumns = 4;

} // namespace

PhaseLegend::PhaseLegend(QWidget* parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void PhaseLegend::setStep(const StepRecord& step)
{
    std::array<double, kStepPhases.size()> sums{};
    for (const TowerRecord& tower : step.towers) {
        for (const PhaseSpan& span : phasesOf(step, tower)) {
            sums[static_cast<std::size_t>(span.phase)] += span.seconds;
        }
    }
    const bool isUnknown = sums[static_cast<std::size_t>(StepPhase::Unknown)] > 0.0;
    const std::size_t entries = m_entries.size();
    m_entries.clear();
    m_widest = 0;
    QStringList spoken;
    for (const StepPhase phase : kStepPhases) {
        const bool isOfTowers = phase >= StepPhase::Turn && phase <= StepPhase::Barrier;
        if (phase == StepPhase::Unknown ? !isUnknown : isUnknown && isOfTowers) {
            continue;
        }
        const double towers = std::max<double>(1.0, static_cast<double>(step.towers.size()));
        m_entries.push_back({phase, sums[static_cast<std::size_t>(phase)] / towers});
        m_widest = std::max(m_widest, fontMetrics().horizontalAdvance(phaseName(phase)));
        spoken.append(
            phaseName(phase) + QLatin1Char(' ') + millisecondsText(m_entries.back().seconds));
    }
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    if (entries != m_entries.size()) {
        updateGeometry();
    }
    update();
}

int PhaseLegend::rowHeight() const
{
    return fontMetrics().height() + 1;
}

int PhaseLegend::columnsIn(int width) const
{
    const int column = kSwatch + kLegendGap + m_widest + kLegendGap
                       + fontMetrics().horizontalAdvance(QStringLiteral("0,000 ms"))
                       + kBetweenColumns;
    return std::clamp((width + kBetweenColumns) / column, 1, kMostColumns);
}

int PhaseLegend::heightForWidth(int width) const
{
    const int columns = columnsIn(width);
    return (static_cast<int>(m_entries.size()) + columns - 1) / columns * rowHeight();
}

QSize PhaseLegend::sizeHint() const
{
    return {width(), heightForWidth(width())};
}

QSize PhaseLegend::minimumSizeHint() const
{
    return {1, rowHeight()};
}

/// Column by column, so that time goes downwards.
QRect PhaseLegend::placeOf(int entry) const
{
    const int columns = columnsIn(width());
    const int rows = heightForWidth(width()) / rowHeight();
    const int pitch = (width() + kBetweenColumns) / columns;
    return {entry / rows * pitch, entry % rows * rowHeight(), pitch - kBetweenColumns, rowHeight()};
}

void PhaseLegend::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const ThemeColors theme = themeColors(palette());
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const Entry& entry = m_entries[i];
        const QRect place = placeOf(static_cast<int>(i));
        const QRect swatch(place.left(), place.center().y() - kSwatch / 2 + 1, kSwatch, kSwatch);
        painter.fillRect(swatch, phaseBrush(entry.phase, theme));
        painter.setPen(theme.mutedText);
        painter.drawText(
            place.adjusted(kSwatch + kLegendGap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            phaseName(entry.phase));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, millisecondsText(entry.seconds));
    }
}

bool PhaseLegend::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* const help = static_cast<QHelpEvent*>(event);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (placeOf(static_cast<int>(i)).contains(help->pos())) {
            QToolTip::showText(
                help->globalPos(),
                phaseMeaning(m_entries[i].phase) + QLatin1Char('\n')
                    + tr("The figure is the mean over the towers in the last step."),
                this);
            return true;
        }
    }
    QToolTip::hideText();
    return true;
}

} // namespace lockstep::ui
