// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/scaling/scaling_view.h"

#include "plots/axes/number_text.h"
#include "plots/charts/line_plot.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/note_label.h"

#include <QHeaderView>
#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr int kMostRows = 5;       ///< more have to be scrolled to
constexpr double kRowHeight = 1.5; ///< of that of the font
constexpr int kAmdahlPoints = 64;

/// The speed-up that Amdahl's law gives from one tower to `most`: no further than it was measured.
std::vector<QPointF> amdahlCurve(double share, int most)
{
    std::vector<QPointF> points;
    for (int i = 0; i <= kAmdahlPoints; ++i) {
        const double towers = 1.0 + (most - 1.0) * i / kAmdahlPoints;
        points.emplace_back(towers, amdahlSpeedUp(share, towers));
    }
    return points;
}

LineCurve measuredCurve(const ScalingReport& report)
{
    const double one = report.lines.front().examplesPerSecond;
    LineCurve curve{ScalingView::tr("measured"), 0, {}, LineCurve::Style::Dots, Ink::Accent};
    for (const ScalingLine& line : report.lines) {
        if (line.failure.empty()) {
            curve.points.emplace_back(line.towers, line.speedUp);
            curve.ranges.emplace_back(line.least / one, line.greatest / one);
        }
    }
    return curve;
}

LinePlot* makeChart()
{
    LinePlot::Settings settings;
    settings.title = ScalingView::tr("Speed-up");
    settings.meaning = ScalingView::tr(
        "Examples/s with that many towers ÷ examples/s with one. A dot: the median of what was "
        "measured, a line through it:\nfrom the least to the greatest.");
    settings.format = {1.0, 2, {}};
    settings.axis = XAxis::Step;
    settings.xName = ScalingView::tr("towers");
    settings.placeText = [](double towers) {
        return ScalingView::tr("%1 towers").arg(countText(std::llround(towers)));
    };
    auto* const chart = new LinePlot(settings);
    chart->setMinimumHeight(14 * chart->fontMetrics().height());
    return chart;
}

} // namespace

ScalingView::ScalingView(QWidget* parent)
    : QWidget(parent), m_subject(selectableLabel()), m_chart(makeChart()),
      m_table(new QuietTable(QStringLiteral("scaling_table"), tr("Towers and losses"))),
      m_summary(selectableLabel())
{
    m_summary->setAccessibleName(tr("What it means"));
    m_table->setModel(&m_rows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->verticalHeader()->setDefaultSectionSize(qRound(kRowHeight * fontMetrics().height()));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    for (const int wide : {ScalingModel::Speed, ScalingModel::SpeedUp, ScalingModel::Averaging}) {
        m_table->horizontalHeader()->setSectionResizeMode(wide, QHeaderView::ResizeToContents);
    }
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(m_subject);
    layout->addWidget(m_chart, 1);
    layout->addWidget(m_table);
    layout->addWidget(m_summary);
}

QString ScalingView::subject() const
{
    return tr("Measured on %1. %2")
        .arg(
            QLocale().toString(m_result->time, QLocale::ShortFormat),
            scalingSubject(m_result->report));
}

void ScalingView::setResult(const KeptScaling& result)
{
    m_result = result;
    m_subject->setText(subject());
    showChart(result.report);
    m_rows.setRows(scalingRows(result.report));
    const int rows = std::min(kMostRows, m_rows.rowCount());
    m_table->setFixedHeight(
        m_table->horizontalHeader()->sizeHint().height()
        + rows * m_table->verticalHeader()->defaultSectionSize() + 2);
    m_summary->setText(scalingSummary(result.report));
}

void ScalingView::showChart(const ScalingReport& report)
{
    constexpr double kRoom = 1.06; // beyond the last tower
    const int most = report.lines.back().towers;
    std::vector<LineCurve> curves{
        {tr("ideal"),
         0,
         {{1.0, 1.0}, {double(most), double(most)}},
         LineCurve::Style::Dashes,
         Ink::Muted}};
    if (report.serialShare) {
        curves.push_back(
            {tr("Amdahl, %1 % serial").arg(QLocale().toString(100.0 * *report.serialShare, 'f', 1)),
             0, amdahlCurve(*report.serialShare, mostOwnTowers(report.lines)),
             LineCurve::Style::Line, Ink::Text});
    }
    curves.push_back(measuredCurve(report));
    const QString reached = curves.back().points.empty()
                                ? QString()
                                : tr("%1 with %2 towers")
                                      .arg(
                                          numberText(curves.back().points.back().y(), {1.0, 2, {}}),
                                          countText(std::llround(curves.back().points.back().x())));
    m_chart->setSpan(0.0, kRoom * most);
    m_chart->setCurves(std::move(curves), reached);
}

QString ScalingView::toPlainText() const
{
    if (!m_result) {
        return {};
    }
    return QStringList{subject(), m_rows.toPlainText().trimmed(), scalingSummary(m_result->report)}
               .join(QLatin1Char('\n'))
           + QLatin1Char('\n');
}

} // namespace lockstep::ui
