// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/scaling/scaling_view.h"

#include "models/engine_text.h"
#include "plots/axes/number_text.h"
#include "plots/charts/line_plot.h"
#include "widgets/bars/quiet_table.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QHeaderView>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kMostRows = 5;       ///< more have to be scrolled to
constexpr double kRowHeight = 1.5; ///< of that of the font
constexpr int kAmdahlPoints = 64;

/// Less than this of a tower is not worth a word.
constexpr double kLeastLoss = 0.01;

QString figure(double value, int decimals)
{
    return QLocale().toString(value, 'f', decimals);
}

/// What the towers lost most to, with figures, the most first.
QStringList lossesOf(const ScalingLoss& loss)
{
    std::vector<std::pair<double, QString>> parts{
        {loss.input, ScalingView::tr("waiting for data")},
        {loss.averaging.value_or(0.0), ScalingView::tr("averaging")},
        {loss.update.value_or(0.0), ScalingView::tr("the update")},
        {loss.waiting.value_or(0.0), ScalingView::tr("waiting for the slowest tower")},
        {loss.rest, ScalingView::tr("towers that compute more slowly than one alone")}};
    std::ranges::stable_sort(parts, std::greater(), &std::pair<double, QString>::first);
    QStringList words;
    for (const auto& [towers, what] : parts) {
        if (towers >= kLeastLoss) {
            words.append(QStringLiteral("%1 %2").arg(figure(towers, 2), what));
        }
    }
    return words;
}

QString workText(const ScalingLine& line)
{
    QString text = ScalingView::tr("%1 towers are as fast as %2 (%3 % efficient).")
                       .arg(
                           countText(line.towers), figure(line.speedUp, 2),
                           figure(100.0 * line.efficiency, 0));
    const QStringList losses = lossesOf(line.loss);
    if (line.loss.total >= kLeastLoss && !losses.isEmpty()) {
        text += QLatin1Char(' ')
                + ScalingView::tr("The rest is lost, in towers: %1.")
                      .arg(losses.join(ScalingView::tr(", ", "between losses")));
    }
    return text;
}

QString amdahlText(double share)
{
    return share > 0.0 ? ScalingView::tr("Amdahl's law fits best with a serial share of %1 %: more "
                                         "towers can reach at most %2 times the speed of one.")
                             .arg(figure(100.0 * share, 1), figure(1.0 / share, 1))
                       : ScalingView::tr("No serial share can be seen.");
}

QString turnsText(const ScalingReport& report)
{
    const auto first = std::ranges::find_if(
        report.lines, [](const ScalingLine& line) { return line.turn.sharesDevices; });
    if (first == report.lines.end()) {
        return {};
    }
    return report.processors > 0
               ? ScalingView::tr("More than %1 towers can't bring more here: they take turns on %2 "
                                 "processors.")
                     .arg(
                         countText(
                             std::max(1, report.processors / std::max(1, report.threadsPerTower))),
                         countText(report.processors))
               : ScalingView::tr("From %1 towers on they share GPUs.")
                     .arg(countText(first->towers));
}

QString leftOutText(const ScalingReport& report)
{
    QStringList numbers;
    for (const int towers : report.leftOut) {
        numbers.append(countText(towers));
    }
    return ScalingView::tr("Left out are %1 towers: %2 examples can't be split evenly among them.")
        .arg(numbers.join(ScalingView::tr(", ", "between numbers")), countText(report.batch));
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

LineCurve measuredCurve(const ScalingReport& report)
{
    const double one = report.lines.front().examplesPerSecond;
    LineCurve curve{ScalingView::tr("measured"), 0, {}, KeyShape::Dot, Ink::Accent};
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

QString scalingSubject(const ScalingReport& report)
{
    const QString batch = (report.fix == ScalingFix::GlobalBatch
                               ? ScalingView::tr("%1 examples a step for all towers together")
                               : ScalingView::tr("%1 examples a step for each tower"))
                              .arg(countText(report.batch));
    QString text =
        ScalingView::tr("%1 on %2, %3: %4")
            .arg(
                QString::fromStdString(report.model), QString::fromStdString(report.device),
                QString::fromStdString(report.precision), batch);
    if (report.processors == 0) {
        return text;
    }
    return report.threadsPerTower == 1 ? ScalingView::tr("%1, 1 thread each").arg(text)
                                       : ScalingView::tr("%1, %2 threads each")
                                             .arg(text, countText(report.threadsPerTower));
}

QString othersText(double load)
{
    constexpr double kMuch = 0.1;
    return load < kMuch
               ? QString()
               : ScalingView::tr(" Other programs use %1 % of the processors: more towers bring "
                                 "less than they would alone.")
                     .arg(figure(100.0 * load, 0));
}

QString scalingSummary(const ScalingReport& report)
{
    QStringList sentences;
    const auto most =
        std::find_if(report.lines.rbegin(), report.lines.rend(), [](const ScalingLine& line) {
            return line.failure.empty() && line.towers > 1;
        });
    if (most != report.lines.rend()) {
        sentences.append(workText(*most));
    }
    if (report.serialShare) {
        sentences.append(amdahlText(*report.serialShare));
    }
    if (const QString turns = turnsText(report); !turns.isEmpty()) {
        sentences.append(turns);
    }
    if (!report.leftOut.empty()) {
        sentences.append(leftOutText(report));
    }
    return sentences.join(QLatin1Char(' '));
}

std::vector<ScalingRow> scalingRows(const ScalingReport& report)
{
    std::vector<ScalingRow> rows;
    for (const ScalingLine& line : report.lines) {
        rows.push_back(
            {line.towers, line.examplesPerSecond, line.least, line.greatest, line.speedUp,
             line.loss.total, line.loss.input, line.loss.averaging, line.loss.update,
             line.loss.waiting, line.loss.rest, scalingNoise(line, report.lines.front()),
             line.turn.sharesDevices, engineText(line.failure)});
    }
    return rows;
}

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
    columnIn(this, {}, 10, {m_subject, {m_chart, 1}, m_table, m_summary});
}

void ScalingView::setResult(const KeptScaling& result)
{
    m_subject->setText(tr("Measured on %1. %2")
                           .arg(
                               QLocale().toString(result.time, QLocale::ShortFormat),
                               scalingSubject(result.report)));
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
        {tr("ideal"), 0, {{1.0, 1.0}, {double(most), double(most)}}, KeyShape::Dashes, Ink::Muted}};
    if (report.serialShare) {
        curves.push_back(
            {tr("Amdahl, %1 % serial").arg(QLocale().toString(100.0 * *report.serialShare, 'f', 1)),
             0, amdahlCurve(*report.serialShare, mostOwnTowers(report.lines)), KeyShape::Line,
             Ink::Text});
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
    return QStringList{m_subject->text(), m_rows.toPlainText().trimmed(), m_summary->text()}.join(
               QLatin1Char('\n'))
           + QLatin1Char('\n');
}

} // namespace lockstep::ui
