// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/barrier/barrier_phases.h"

#include "engine/records.h"
#include "plots/axes/number_text.h"

#include <QCoreApplication>

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

constexpr std::array<PhaseWords, kStepPhases.size()> kWords{{
    {QT_TRANSLATE_NOOP("StepPhase", "data"),
     QT_TRANSLATE_NOOP("StepPhase", "Waiting for the batch: the input was not ready.")},
    {QT_TRANSLATE_NOOP("StepPhase", "queued"),
     QT_TRANSLATE_NOOP(
         "StepPhase",
         "Waiting for its turn: there are more towers than processors, or another program has "
         "them.")},
    {QT_TRANSLATE_NOOP("StepPhase", "copy"),
     QT_TRANSLATE_NOOP("StepPhase", "Copying the tower's rows of the batch to its device.")},
    {QT_TRANSLATE_NOOP("StepPhase", "forward"),
     QT_TRANSLATE_NOOP("StepPhase", "The network forward, to the loss.")},
    {QT_TRANSLATE_NOOP("StepPhase", "backward"),
     QT_TRANSLATE_NOOP("StepPhase", "The network backward, to the gradient.")},
    {QT_TRANSLATE_NOOP("StepPhase", "waiting"),
     QT_TRANSLATE_NOOP(
         "StepPhase", "Waiting at the barrier: this tower is done, the last one is not.")},
    {QT_TRANSLATE_NOOP("StepPhase", "averaging"),
     QT_TRANSLATE_NOOP("StepPhase", "Averaging the gradients of all towers, and checking them.")},
    {QT_TRANSLATE_NOOP("StepPhase", "update"),
     QT_TRANSLATE_NOOP("StepPhase", "One update of the weights, for all towers.")},
    {QT_TRANSLATE_NOOP("StepPhase", "unknown"),
     QT_TRANSLATE_NOOP(
         "StepPhase", "The tower's device does not report what it does in this time.")},
}};

const PhaseWords& wordsOf(StepPhase phase)
{
    return kWords[static_cast<std::size_t>(phase)];
}

QString translated(const char* text)
{
    return QCoreApplication::translate("StepPhase", text);
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
                          {StepPhase::Barrier, *waiting}});
    } else {
        const double rest = step.stepSeconds - step.inputSeconds - averaging - update;
        spans.push_back({StepPhase::Unknown, std::max(0.0, rest)});
    }
    spans.push_back({StepPhase::Averaging, averaging});
    spans.push_back({StepPhase::Update, update});
    spans.erase(
        std::remove_if(
            spans.begin(), spans.end(), [](const PhaseSpan& span) { return span.seconds <= 0.0; }),
        spans.end());
    return spans;
}

QString phaseName(StepPhase phase)
{
    return translated(wordsOf(phase).name);
}

QString phaseMeaning(StepPhase phase)
{
    return translated(wordsOf(phase).meaning);
}

QString millisecondsText(double seconds)
{
    if (seconds >= 1.0) {
        return durationText(seconds);
    }
    const double value = seconds < kLeastShown ? 0.0 : kMilliseconds * seconds;
    const int decimals =
        value > 0.0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(value))), 0, 3) : 0;
    return numberText(value, {1.0, decimals, translated(QT_TRANSLATE_NOOP("StepPhase", " ms"))});
}

} // namespace lockstep::ui
