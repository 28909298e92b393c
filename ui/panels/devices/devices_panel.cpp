// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/devices/devices_panel.h"

#include "models/engine_text.h"
#include "models/figures/tower_table_model.h"
#include "plots/charts/line_plot.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QGridLayout>
#include <QStringList>

#include <algorithm>
#include <iterator>
#include <vector>

namespace lockstep::ui {
namespace {

constexpr int kChartWidth = 230;
constexpr std::array kCharts{
    DeviceTrace::Load, DeviceTrace::Memory, DeviceTrace::Temperature, DeviceTrace::Power};
constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;
/// Between the colours of a device and of what is only a part of its figure.
constexpr int kColorsApart = 4;

/// What its curve of a quantity is divided by.
double unitOf(DeviceTrace::Quantity quantity)
{
    return quantity == DeviceTrace::Memory || quantity == DeviceTrace::ProcessMemory ? kGibi : 1.0;
}

/// In the unit of its curve; below 0: not known.
double newestOf(const DeviceTrace& trace, DeviceTrace::Quantity quantity)
{
    const DeviceReadingRecord& newest = trace.newest;
    const std::array<double, DeviceTrace::QuantityCount> figures{
        newest.load, static_cast<double>(newest.memoryUsedBytes),
        static_cast<double>(newest.processMemoryBytes), newest.temperature, newest.powerWatts};
    return figures[quantity] / unitOf(quantity);
}

/// As in charts and captions.
ValueFormat deviceValueFormat(DeviceTrace::Quantity quantity)
{
    const ValueFormat bytes{1.0, 2, DevicesPanel::tr(" GiB")};
    return std::array<ValueFormat, DeviceTrace::QuantityCount>{
        {{100.0, 0, DevicesPanel::tr(" %")},
         bytes,
         bytes,
         {1.0, 0, DevicesPanel::tr(" °C")},
         {1.0, 0, DevicesPanel::tr(" W")}}}[quantity];
}

LineCurve curveOf(const DeviceTrace& trace, DeviceTrace::Quantity quantity)
{
    LineCurve curve{deviceTitle(trace.device), 0, trace.lines[quantity].points()};
    for (QPointF& point : curve.points) {
        point.setY(point.y() / unitOf(quantity));
    }
    return curve;
}

/// Its newest value in words: "cuda:0 97 %", without the name where it is the only one.
QString valueText(const DeviceTrace& trace, DeviceTrace::Quantity quantity, bool isOnly)
{
    const double newest = newestOf(trace, quantity);
    if (newest < 0.0) {
        return DevicesPanel::tr("%1 not known").arg(deviceTitle(trace.device));
    }
    const ValueFormat format = deviceValueFormat(quantity);
    QString text = numberText(newest, format);
    if (quantity == DeviceTrace::Memory && trace.newest.memoryTotalBytes > 0) {
        const auto total = static_cast<double>(trace.newest.memoryTotalBytes) / kGibi;
        text = DevicesPanel::tr("%1 of %2")
                   .arg(numberText(newest, {1.0, format.decimals, {}}), numberText(total, format));
    }
    if (quantity == DeviceTrace::Power && trace.wattHours) {
        text = DevicesPanel::tr("%1, %2 so far")
                   .arg(text, numberText(*trace.wattHours, {1.0, 1, DevicesPanel::tr(" Wh")}));
    }
    return isOnly ? text : deviceTitle(trace.device) + QLatin1Char(' ') + text;
}

/// In per cent, GiB, °C, W, of the devices that tell it; memory has the process that trains as
/// further curves. A device has the colour of the first tower that sits on it; one without towers,
/// the first that no tower has.
void showDevices(
    LinePlot& chart, DeviceTrace::Quantity quantity, const DeviceTraces& traces,
    const std::vector<TowerPlacement>& seats)
{
    std::vector<LineCurve> curves;
    QStringList captions;
    const auto tells = [&](const DeviceTrace& trace) { return !trace.lines[quantity].isEmpty(); };
    const bool isOnly = std::ranges::count_if(traces.devices(), tells) == 1;
    for (const DeviceTrace& trace : traces.devices()) {
        if (!tells(trace)) {
            continue;
        }
        LineCurve curve = curveOf(trace, quantity);
        const auto seat = std::ranges::find(seats, trace.device, &TowerPlacement::device);
        curve.color = static_cast<int>(seat - seats.begin());
        captions.append(valueText(trace, quantity, isOnly));
        if (quantity == DeviceTrace::Memory && !trace.lines[DeviceTrace::ProcessMemory].isEmpty()) {
            LineCurve part = curveOf(trace, DeviceTrace::ProcessMemory);
            part.name = DevicesPanel::tr("this training");
            part.color = curve.color + kColorsApart;
            curve.name = DevicesPanel::tr("%1, all programs").arg(deviceTitle(trace.device));
            curves.push_back(std::move(curve));
            curve = std::move(part);
            if (const double newest = newestOf(trace, DeviceTrace::ProcessMemory); newest >= 0.0) {
                captions.append(DevicesPanel::tr("this training %1")
                                    .arg(numberText(newest, deviceValueFormat(quantity))));
            }
        }
        curves.push_back(std::move(curve));
    }
    chart.setVisible(!curves.empty());
    chart.setCurves(std::move(curves), captions.join(QStringLiteral(" · ")));
}

/// When and why clocks were lowered, of all devices, by ascending time.
std::vector<LineMark> throttleMarks(const DeviceTraces& traces)
{
    std::vector<LineMark> marks;
    for (const DeviceTrace& trace : traces.devices()) {
        for (const DeviceTrace::Throttling& throttling : trace.throttlings) {
            marks.push_back(
                {throttling.seconds, DevicesPanel::tr("%1 is slowed: %2")
                                         .arg(deviceTitle(trace.device), throttling.reason)});
        }
    }
    std::ranges::stable_sort(marks, {}, &LineMark::position);
    return marks;
}

/// Which quantities no reading told, device by device; empty: all were told.
QString untoldText(const DeviceTraces& traces)
{
    QStringList sentences;
    for (const DeviceTrace& trace : traces.devices()) {
        QStringList untold;
        const std::array names{
            DevicesPanel::tr("load"), DevicesPanel::tr("memory"), DevicesPanel::tr("temperature"),
            DevicesPanel::tr("power")};
        for (std::size_t i = 0; i < kCharts.size(); ++i) {
            if (trace.lines[kCharts[i]].isEmpty()) {
                untold.append(names[i]);
            }
        }
        if (!untold.isEmpty()) {
            sentences.append(
                DevicesPanel::tr("%1 doesn't report here: %2.")
                    .arg(deviceTitle(trace.device), untold.join(QStringLiteral(", "))));
        }
    }
    return sentences.join(QLatin1Char(' '));
}

} // namespace

DevicesPanel::DevicesPanel(LiveRun& run, QWidget* parent)
    : Panel(parent), m_run(run), m_history(run), m_grid(new QGridLayout),
      m_note(new NoteLabel(NoteLabel::Tone::Muted, this))
{
    makeCharts();
    m_grid->setSpacing(6);
    columnIn(this, {6, 4, 6, 4}, 4, {{m_grid, 1}, m_note});
    connect(&m_refresh, &RefreshTimer::due, this, &DevicesPanel::inSightChanged);
    connect(&m_history, &DeviceHistory::changed, this, &DevicesPanel::refreshSoon);
    connect(&run, &LiveRun::towersPlaced, this, &DevicesPanel::refreshSoon);
    refresh();
}

void DevicesPanel::makeCharts()
{
    const QString slowed = QLatin1Char('\n') + tr("Triangles: its clocks were lowered.");
    const std::array titles{tr("Load"), tr("Memory"), tr("Temperature"), tr("Power")};
    const std::array meanings{
        tr("Share of the last second in which the device computed; of the processors, all of "
           "them\ntogether, whatever program used them.")
            + slowed,
        tr("Memory in use by all programs, and of it by the process that trains."),
        tr("Of the device; of processors the hottest package.") + slowed,
        tr("Power that the device takes, and the energy that it took in this run, in "
           "watt-hours;\n"
           "of processors that of their packages.")
            + slowed};
    const std::array names{"load", "memory", "temperature", "power"};
    for (std::size_t i = 0; i < m_charts.size(); ++i) {
        const bool isLoad = kCharts[i] == DeviceTrace::Load;
        m_charts[i] = new LinePlot(
            {.title = titles[i],
             .meaning = meanings[i],
             .format = deviceValueFormat(kCharts[i]),
             .ceiling = isLoad ? std::optional(1.0) : std::nullopt},
            this);
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
        LinePlot& chart = *m_charts[i];
        chart.setSpan(0.0, traces.seconds());
        chart.setMarks(kCharts[i] == DeviceTrace::Memory ? std::vector<LineMark>() : marks);
        showDevices(chart, kCharts[i], traces, m_run.seats());
    }
    m_note->setNote(noteText());
    arrange();
}

QString DevicesPanel::noteText() const
{
    if (!m_history.problem().isEmpty()) {
        return m_history.problem();
    }
    if (!m_history.traces().devices().empty()) {
        return untoldText(m_history.traces());
    }
    if (m_run.isRecorded()) {
        QStringList devices;
        std::ranges::transform(
            m_run.seats(), std::back_inserter(devices),
            [](const TowerPlacement& seat) { return deviceTitle(seat.device); });
        return tr("Nothing is recorded of what the devices do. The towers are on: %1.")
            .arg(devices.join(QStringLiteral(" · ")));
    }
    return tr("Nothing is known yet: devices are asked once a second while a run is trained or "
              "paused.");
}

/// As many beside each other as have room.
void DevicesPanel::arrange()
{
    const auto count = static_cast<int>(
        std::ranges::count_if(m_charts, [](const LinePlot* chart) { return !chart->isHidden(); }));
    const int columns = std::clamp(width() / kChartWidth, 1, std::max(1, count));
    for (int place = 0; LinePlot* const chart : m_charts) {
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
