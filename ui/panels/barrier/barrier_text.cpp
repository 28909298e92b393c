// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/barrier/barrier_text.h"

#include "engine/records.h"
#include "panels/barrier/barrier_phases.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace lockstep::ui {
namespace {

/// Of the time: less is not worth a sentence.
constexpr double kWorthSaying = 0.01;
constexpr double kTurns = 0.1; // threads that wake up late are no turns
constexpr double kPercent = 100.0;
constexpr double kWholePercents = 9.95; // from here on without decimals

struct BarrierText
{
    Q_DECLARE_TR_FUNCTIONS(BarrierText)
};

/// Of all towers together.
double costShare(const BarrierSummary& summary)
{
    double sum = 0.0;
    for (const TowerBarrierShare& tower : summary.towers) {
        sum += tower.costShare;
    }
    return sum;
}

QString arrivalSentence(const BarrierSummary& summary, bool takesTurns)
{
    if (const auto tower = clearStraggler(summary, kWorthSaying)) {
        const TowerBarrierShare& share = summary.towers[static_cast<std::size_t>(*tower)];
        return BarrierText::tr("Tower %1 makes everyone wait %2 of the time: %3 a step.")
            .arg(
                QString::number(*tower), shareText(share.costShare),
                millisecondsText(share.costSeconds));
    }
    if (costShare(summary) >= kWorthSaying) {
        return BarrierText::tr(
                   "The towers wait for each other %1 of the time; none is consistently slow.")
            .arg(shareText(costShare(summary)));
    }
    if (takesTurns) {
        return BarrierText::tr("No tower makes the others wait.");
    }
    return BarrierText::tr("The towers arrive within %1 of each other, on average.")
        .arg(millisecondsText(summary.spreadSeconds));
}

} // namespace

QString shareText(double share)
{
    const double percent = kPercent * share;
    return BarrierText::tr("%1 %").arg(
        QLocale().toString(percent, 'f', percent > 0.0 && percent < kWholePercents ? 1 : 0));
}

QString barrierSentences(const BarrierSummary& summary)
{
    if (summary.steps == 0 || summary.stepSeconds <= 0.0) {
        return {};
    }
    double turn = 0.0;
    for (const TowerBarrierShare& share : summary.towers) {
        turn = std::max(turn, share.turnSeconds);
    }
    const bool takesTurns = turn >= kTurns * summary.stepSeconds;
    QStringList sentences{arrivalSentence(summary, takesTurns)};
    if (takesTurns) {
        sentences.append(
            BarrierText::tr(
                "The towers share processors: one of them waits %1 of each step for its turn.")
                .arg(shareText(turn / summary.stepSeconds)));
    }
    const double data = summary.inputSeconds / summary.stepSeconds;
    if (data >= kWorthSaying) {
        sentences.append(BarrierText::tr("All wait %1 of the time for data.").arg(shareText(data)));
    }
    return sentences.join(QLatin1Char(' '));
}

Judgement barrierJudgement(const BarrierSummary& summary)
{
    return summary.steps == 0 || summary.towers.size() < 2 ? Judgement::None
           : clearStraggler(summary, kWorthSaying)         ? Judgement::Doubtful
                                                           : Judgement::Good;
}

} // namespace lockstep::ui
