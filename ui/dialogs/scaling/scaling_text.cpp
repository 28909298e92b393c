// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/scaling/scaling_view.h"
#include "models/engine_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

struct ScalingText
{
    Q_DECLARE_TR_FUNCTIONS(ScalingDialog)
};

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
        {loss.input, ScalingText::tr("waiting for data")},
        {loss.averaging.value_or(0.0), ScalingText::tr("averaging")},
        {loss.update.value_or(0.0), ScalingText::tr("the update")},
        {loss.waiting.value_or(0.0), ScalingText::tr("waiting for the slowest tower")},
        {loss.rest, ScalingText::tr("towers that compute more slowly than one alone")}};
    std::stable_sort(
        parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
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
    QString text = ScalingText::tr("%1 towers are as fast as %2 (%3 % efficient).")
                       .arg(
                           QLocale().toString(line.towers), figure(line.speedUp, 2),
                           figure(100.0 * line.efficiency, 0));
    const QStringList losses = lossesOf(line.loss);
    if (line.loss.total >= kLeastLoss && !losses.isEmpty()) {
        text += QLatin1Char(' ')
                + ScalingText::tr("The rest is lost, in towers: %1.")
                      .arg(losses.join(ScalingText::tr(", ", "between losses")));
    }
    return text;
}

QString amdahlText(double share)
{
    return share > 0.0 ? ScalingText::tr("Amdahl's law fits best with a serial share of %1 %: more "
                                         "towers can reach at most %2 times the speed of one.")
                             .arg(figure(100.0 * share, 1), figure(1.0 / share, 1))
                       : ScalingText::tr("No serial share can be seen.");
}

QString turnsText(const ScalingReport& report)
{
    const auto first = std::ranges::find_if(
        report.lines, [](const ScalingLine& line) { return line.turn.sharesDevices; });
    if (first == report.lines.end()) {
        return {};
    }
    const QLocale locale;
    return report.processors > 0
               ? ScalingText::tr("More than %1 towers can't bring more here: they take turns on %2 "
                                 "processors.")
                     .arg(
                         locale.toString(
                             std::max(1, report.processors / std::max(1, report.threadsPerTower))),
                         locale.toString(report.processors))
               : ScalingText::tr("From %1 towers on they share GPUs.")
                     .arg(locale.toString(first->towers));
}

QString leftOutText(const ScalingReport& report)
{
    const QLocale locale;
    QStringList numbers;
    for (const int towers : report.leftOut) {
        numbers.append(locale.toString(towers));
    }
    return ScalingText::tr("Left out are %1 towers: %2 examples can't be split evenly among them.")
        .arg(
            numbers.join(ScalingText::tr(", ", "between numbers")),
            locale.toString(static_cast<qlonglong>(report.batch)));
}

} // namespace

QString scalingSubject(const ScalingReport& report)
{
    const QLocale locale;
    const QString batch = (report.fix == ScalingFix::GlobalBatch
                               ? ScalingText::tr("%1 examples a step for all towers together")
                               : ScalingText::tr("%1 examples a step for each tower"))
                              .arg(locale.toString(static_cast<qlonglong>(report.batch)));
    QString text =
        ScalingText::tr("%1 on %2, %3: %4")
            .arg(
                QString::fromStdString(report.model), QString::fromStdString(report.device),
                QString::fromStdString(report.precision), batch);
    if (report.processors == 0) {
        return text;
    }
    return report.threadsPerTower == 1 ? ScalingText::tr("%1, 1 thread each").arg(text)
                                       : ScalingText::tr("%1, %2 threads each")
                                             .arg(text, locale.toString(report.threadsPerTower));
}

QString othersText(double load)
{
    constexpr double kMuch = 0.1;
    return load < kMuch
               ? QString()
               : ScalingText::tr(" Other programs use %1 % of the processors: more towers bring "
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
    const QString turns = turnsText(report);
    if (!turns.isEmpty()) {
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

} // namespace lockstep::ui
