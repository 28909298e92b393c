// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/devices/devices_panel.h"

#include "panels/devices/device_curves.h"
#include "widgets/forms/note_label.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr int kChartWidth = 230;
constexpr std::array kCharts{
    DeviceTrace::Load, DeviceTrace::Memory, DeviceTrace::Temperature, DeviceTrace::Power};

} // namespace

DevicesPanel::DevicesPanel(LiveRun& run, QWidget* parent)
    : Panel(parent), m_run(run), m_history(run), m_grid(new QGridLayout),
      m_note(new NoteLabel(NoteLabel::Tone::Muted, this))
{
    makeCharts();
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    m_grid->setSpacing(6);
    layout->addLayout(m_grid, 1);
    layout->addWidget(m_note);
    connect(&m_refresh, &RefreshTimer::due, this, &DevicesPanel::inSightChanged);
    connect(&m_history, &DeviceHistory::changed, this, &DevicesPanel::refreshSoon);
    connect(&run, &LiveRun::towersPlaced, this, &DevicesPanel::refreshSoon);
    refresh();
}

void DevicesPanel::makeCharts()
{
    const QString slowed = QLatin1Char('\n') + tr("Triangles: its clocks were lowered.");
    const std::array<LinePlot::Settings, 4> settings{
        {{tr("Load"),
          tr("Share of the last second in which the device computed; of the processors, all of "
             "them\ntogether, whatever program used them.")
              + slowed,
          deviceValueFormat(DeviceTrace::Load), XAxis::WallTime, 1.0},
         {tr("Memory"), tr("Memory in use by all programs, and of it by the process that trains."),
          deviceValueFormat(DeviceTrace::Memory), XAxis::WallTime, std::nullopt},
         {tr("Temperature"), tr("Of the device; of processors the hottest package.") + slowed,
          deviceValueFormat(DeviceTrace::Temperature), XAxis::WallTime, std::nullopt},
         {tr("Power"),
          tr("Power that the device takes, and the energy that it took in this run, in "
             "watt-hours;\n"
             "of processors that of their packages.")
              + slowed,
          deviceValueFormat(DeviceTrace::Power), XAxis::WallTime, std::nullopt}}};
    const std::array names{"load", "memory", "temperature", "power"};
    for (std::size_t i = 0; i < m_charts.size(); ++i) {
        m_charts[i] = new LinePlot(settings[i], this);
        m_charts[i]->setObjectName(QStringLiteral("device_") + QLatin1String(names[i]));
    }
    for (LinePlot* const moved : m_charts) {
        for (LinePlot* const other : m_charts) {
            if (other != moved) {
                connect(moved, &CardChart::crossHairMoved, other, &CardChart::setCrossHair);
            }
        }
    }
}

/// All charts side by side, the note below.
QSize DevicesPanel::minimumSizeHint() const
{
    return {kChartWidth, 96};
}

void DevicesPanel::inSightChanged()
{
    if (isInSight() && m_isStale) {
        refresh();
    }
}

void DevicesPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void DevicesPanel::refreshSoon()
{
    m_isStale = true;
    if (isInSight()) {
        m_refresh.request();
    }
}

void DevicesPanel::refresh()
{
    m_isStale = false;
    const DeviceTraces& traces = m_history.traces();
    const std::vector<LineMark> marks = throttleMarks(traces);
    for (std::size_t i = 0; i < m_charts.size(); ++i) {
        DeviceCurves shown = deviceCurves(kCharts[i], traces, m_run.seats());
        LinePlot& chart = *m_charts[i];
        chart.setVisible(!shown.curves.empty());
        chart.setSpan(0.0, traces.seconds());
        chart.setMarks(kCharts[i] == DeviceTrace::Memory ? std::vector<LineMark>() : marks);
        chart.setCurves(std::move(shown.curves), shown.caption);
    }
    m_note->setNote(noteText());
    arrange();
}

QString DevicesPanel::noteText() const
{
    if (!m_history.problem().isEmpty()) {
        return m_history.problem();
    }
    if (m_history.traces().devices().empty()) {
        return tr("Nothing is known yet: devices are asked once a second while a run is trained or "
                  "paused.");
    }
    return untoldText(m_history.traces());
}

/// As many beside each other as have room.
void DevicesPanel::arrange()
{
    const auto count = static_cast<int>(
        std::ranges::count_if(m_charts, [](const LinePlot* chart) { return !chart->isHidden(); }));
    const int columns = std::clamp(width() / kChartWidth, 1, std::max(1, count));
    int place = 0;
    for (LinePlot* const chart : m_charts) {
        if (!chart->isHidden()) {
            m_grid->addWidget(chart, place / columns, place % columns);
            ++place;
        }
    }
    for (int column = 0; column < static_cast<int>(m_charts.size()); ++column) {
        m_grid->setColumnStretch(column, column < columns ? 1 : 0);
    }
}

} // namespace lockstep::ui
