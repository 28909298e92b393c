// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/scaling_view.h"

#include "dialogs/scaling_words.h"
#include "plots/small_chart.h"
#include "widgets/quiet_table.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr int kMostRows = 5;       ///< more have to be scrolled to
constexpr double kRowHeight = 1.5; ///< of that of the font
constexpr int kAmdahlPoints = 64;

QLabel* makeWords()
{
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

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

SmallCurve measuredCurve(const ScalingReport& report)
{
    const double one = report.lines.front().examplesPerSecond;
    SmallCurve curve{
        ScalingView::tr("measured"), {}, SmallCurve::Style::Dots, SmallCurve::Ink::Accent};
    for (const ScalingLine& line : report.lines) {
        if (line.failure.empty()) {
            curve.points.emplace_back(line.towers, line.speedUp);
            curve.ranges.emplace_back(line.least / one, line.greatest / one);
        }
    }
    return curve;
}

} // namespace

ScalingView::ScalingView(QWidget* parent)
    : QWidget(parent), m_subject(makeWords()), m_chart(new SmallChart),
      m_table(new QuietTable(QStringLiteral("scaling_table"), tr("Towers and losses"))),
      m_summary(makeWords())
{
    m_chart->setAccessibleName(tr("Speed-up against towers"));
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
    const QString summary = scalingSummary(result.report);
    m_summary->setText(summary);
    m_chart->setAccessibleDescription(summary);
}

void ScalingView::showChart(const ScalingReport& report)
{
    constexpr double kRoom = 1.06; // beyond the last tower
    const int most = report.lines.back().towers;
    SmallAxis towers{0.0, kRoom * most, false, true, {1.0, 0, {}}, tr("towers")};
    SmallAxis speedUp = towers;
    speedUp.title = tr("speed-up");
    m_chart->setAxes(towers, speedUp);
    std::vector<SmallCurve> curves{
        {tr("ideal"),
         {{1.0, 1.0}, {double(most), double(most)}},
         SmallCurve::Style::Dashes,
         SmallCurve::Ink::Muted}};
    if (report.serialShare) {
        curves.push_back(
            {tr("Amdahl, %1 % serial").arg(QLocale().toString(100.0 * *report.serialShare, 'f', 1)),
             amdahlCurve(*report.serialShare, mostOwnTowers(report.lines)), SmallCurve::Style::Line,
             SmallCurve::Ink::Text});
    }
    curves.push_back(measuredCurve(report));
    m_chart->setCurves(std::move(curves));
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
