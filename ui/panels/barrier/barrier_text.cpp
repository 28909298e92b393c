// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/barrier/barrier_text.h"

#include "models/engine_text.h"
#include "plots/axes/number_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kMilliseconds = 1e3;
constexpr double kLeastShown = 0.5e-6; // of seconds: less is nothing in milliseconds

struct PhaseWords
{
    const char* name;
    const char* meaning;
};

struct PhaseText
{
    Q_DECLARE_TR_FUNCTIONS(StepPhase)

public:
    static constexpr PhaseWords kWords[]{
        {QT_TR_NOOP("data"), QT_TR_NOOP("Waiting for the batch: the input was not ready.")},
        {QT_TR_NOOP("queued"),
         QT_TR_NOOP("Waiting for its turn: there are more towers than processors, or another "
                    "program has them, or the tower's GPU has not begun yet.")},
        {QT_TR_NOOP("copy"), QT_TR_NOOP("Copying the tower's rows of the batch to its device.")},
        {QT_TR_NOOP("forward"), QT_TR_NOOP("The network forward, to the loss.")},
        {QT_TR_NOOP("backward"), QT_TR_NOOP("The network backward, to the gradient.")},
        {QT_TR_NOOP("shared"),
         QT_TR_NOOP("This tower is done, others that share its GPU or its processors are not: none "
                    "of them waits.")},
        {QT_TR_NOOP("waiting"),
         QT_TR_NOOP("Waiting at the barrier: this tower is done, the last one is not.")},
        {QT_TR_NOOP("averaging"),
         QT_TR_NOOP("Averaging the gradients of all towers, and checking them.")},
        {QT_TR_NOOP("update"), QT_TR_NOOP("One update of the weights, for all towers.")},
        {QT_TR_NOOP("unknown"),
         QT_TR_NOOP("The tower's device does not report what it does in this time.")}};
    static_assert(std::size(kWords) == kStepPhases.size());

    static constexpr PhaseWords kLate{
        QT_TR_NOOP("late"),
        QT_TR_NOOP("It began later than the first one: it was not yet done with the step before.")};
    static constexpr PhaseWords kOwnData{
        QT_TR_NOOP("own data"),
        QT_TR_NOOP("Waiting for its own batch: others had theirs already.")};

    static const PhaseWords& of(StepPhase phase, bool isRecorded)
    {
        return isRecorded && phase == StepPhase::Turn   ? kLate
               : isRecorded && phase == StepPhase::Copy ? kOwnData
                                                        : kWords[static_cast<std::size_t>(phase)];
    }
};

/// Of the time: less is not worth a sentence.
constexpr double kWorthSaying = 0.01;
constexpr double kPercent = 100.0;
constexpr double kWholePercents = 9.95; // from here on without decimals

struct BarrierText
{
    Q_DECLARE_TR_FUNCTIONS(BarrierText)
};

/// "3", "3 (rank 1 on node7)".
QString towerText(int tower, const std::vector<TowerPlacement>& seats)
{
    const auto number = static_cast<std::size_t>(tower);
    const QString rank = number < seats.size() ? rankTitle(seats[number].device) : QString();
    return rank.isEmpty() ? QString::number(tower)
                          : BarrierText::tr("%1 (%2)", "tower and rank").arg(tower).arg(rank);
}

} // namespace

std::vector<PhaseSpan> phasesOf(const StepRecord& step, const TowerRecord& tower)
{
    const double averaging = std::max(0.0, step.averagingSeconds);
    const double update = std::max(0.0, step.updateSeconds);
    std::vector<PhaseSpan> spans{{StepPhase::Data, step.inputSeconds}};
    if (const auto waiting = waitingSeconds(step, tower)) {
        spans.insert(
            spans.end(), {{StepPhase::Turn, tower.startSeconds},
                          {StepPhase::Copy, tower.copySeconds},
                          {StepPhase::Forward, tower.forwardSeconds},
                          {StepPhase::Backward, tower.backwardSeconds},
                          {StepPhase::Shared, sharedSeconds(step, tower).value_or(0.0)},
                          {StepPhase::Barrier, *waiting}});
    } else {
        const double rest = step.stepSeconds - step.inputSeconds - averaging - update;
        spans.push_back({StepPhase::Unknown, std::max(0.0, rest)});
    }
    spans.push_back({StepPhase::Averaging, averaging});
    spans.push_back({StepPhase::Update, update});
    std::erase_if(spans, [](const PhaseSpan& span) { return span.seconds <= 0.0; });
    return spans;
}

QString phaseName(StepPhase phase, bool isRecorded)
{
    return PhaseText::tr(PhaseText::of(phase, isRecorded).name);
}

QString phaseMeaning(StepPhase phase, bool isRecorded)
{
    return PhaseText::tr(PhaseText::of(phase, isRecorded).meaning);
}

QString millisecondsText(double seconds)
{
    if (seconds >= 1.0) {
        return durationText(seconds);
    }
    const double value = seconds < kLeastShown ? 0.0 : kMilliseconds * seconds;
    const int decimals =
        value > 0.0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(value))), 0, 3) : 0;
    return numberText(value, {1.0, decimals, PhaseText::tr(" ms")});
}

QString shareText(double share)
{
    const double percent = kPercent * share;
    return BarrierText::tr("%1 %").arg(
        QLocale().toString(percent, 'f', percent > 0.0 && percent < kWholePercents ? 1 : 0));
}

QString barrierSentences(
    const BarrierSummary& summary, const std::vector<TowerPlacement>& seats, bool isRecorded)
{
    if (summary.steps == 0 || summary.stepSeconds <= 0.0) {
        return {};
    }
    const auto turns = isRecorded ? std::nullopt : turnShare(summary);
    QStringList sentences;
    if (!turns) {
        sentences.append(BarrierText::tr("The towers arrive within %1 of each other, on average.")
                             .arg(millisecondsText(summary.spreadSeconds)));
    }
    double clocks = 0.0;
    for (const TowerPlacement& seat : seats) {
        clocks = std::max(clocks, seat.clockSeconds);
    }
    if (clocks > 0.0) {
        const bool hasRanks = !rankTitle(seats.front().device).isEmpty();
        sentences.append((hasRanks ? BarrierText::tr("The clocks of the ranks agree within %1.")
                                   : BarrierText::tr("The clocks of the GPUs agree within %1."))
                             .arg(millisecondsText(clocks)));
    }
    if (turns) {
        sentences.append(
            BarrierText::tr(
                "The towers share processors: one of them waits %1 of each step for its turn.")
                .arg(shareText(*turns)));
    }
    const double data = summary.inputSeconds / summary.stepSeconds;
    if (data >= kWorthSaying) {
        sentences.append(BarrierText::tr("All wait %1 of the time for data.").arg(shareText(data)));
    }
    return sentences.join(QLatin1Char(' '));
}

QString backwardSentence(const BarrierSummary& summary, const std::vector<TowerPlacement>& seats)
{
    const auto rangeText = [&](double TowerBarrierShare::*seconds) {
        const auto [least, most] = std::ranges::minmax_element(summary.towers, {}, seconds);
        return BarrierText::tr("%1 to %2", "durations")
            .arg(millisecondsText((*least).*seconds), millisecondsText((*most).*seconds));
    };
    const auto slowest =
        std::ranges::max_element(summary.towers, {}, &TowerBarrierShare::backwardSeconds);
    return BarrierText::tr("From outside the backward passes take %1, whoever is slow. By "
                           "themselves they take %2, that of tower %3 the longest.")
        .arg(
            rangeText(&TowerBarrierShare::outsideSeconds),
            rangeText(&TowerBarrierShare::backwardSeconds),
            towerText(static_cast<int>(slowest - summary.towers.begin()), seats));
}

} // namespace lockstep::ui
