// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts/phase_text.h"

#include "bridge/preview/batch_text.h"
#include "engine/config.h"
#include "engine/storage.h"
#include "plots/axes/number_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace lockstep::ui {
namespace {

struct PhaseText
{
    Q_DECLARE_TR_FUNCTIONS(PhaseWords)
};

QString nameOf(const RunPhase& phase)
{
    return phase.objective.empty() ? PhaseText::tr("all objectives")
                                   : QString::fromStdString(phase.objective);
}

QString textOf(const RunPhase& phase)
{
    QStringList frozen;
    for (const std::string& group : phase.frozen) {
        frozen << QString::fromStdString(group);
    }
    const QString rate = phase.learningRate
                             ? PhaseText::tr("learning rate %1").arg(rateText(*phase.learningRate))
                             : PhaseText::tr("learning rate by the schedule");
    const QString text =
        PhaseText::tr("Steps %1 to %2: %3, %4")
            .arg(
                countText(phase.firstStep), countText(std::max(phase.firstStep, phase.endStep - 1)),
                nameOf(phase), rate);
    return frozen.isEmpty()
               ? text
               : PhaseText::tr("%1; frozen: %2").arg(text, frozen.join(QStringLiteral(", ")));
}

} // namespace

std::vector<PhaseBand> phaseBands(const RunConfig& config)
{
    std::vector<PhaseBand> bands;
    const RunPhase* before = nullptr;
    const std::vector<RunPhase> plan = phasePlan(config.trainedPhases());
    for (const RunPhase& phase : plan) {
        const bool isSame = before != nullptr && before->objective == phase.objective
                            && before->frozen == phase.frozen;
        if (isSame) {
            bands.back().endStep = phase.endStep;
            bands.back().text += QLatin1Char('\n') + textOf(phase);
        } else {
            bands.push_back({phase.firstStep, phase.endStep, nameOf(phase), textOf(phase)});
        }
        before = &phase;
    }
    return bands;
}

} // namespace lockstep::ui
