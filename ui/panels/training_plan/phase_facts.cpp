// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/training_plan/phase_facts.h"

#include "engine/config.h"
#include "engine/network.h"
#include "plots/axes/number_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace lockstep::ui {
namespace {

struct PhaseFactsText
{
    Q_DECLARE_TR_FUNCTIONS(PhaseFacts)
};

} // namespace

PhaseChoices phaseChoices(const RunConfig& config)
{
    PhaseChoices choices;
    try {
        const NetworkSpec network = makeNetwork(config.model);
        for (const std::string& name : objectiveNames(network)) {
            choices.objectives << QString::fromStdString(name);
        }
        if (choices.objectives.size() > 1) {
            choices.objectives << QStringLiteral("joint");
        }
        for (const std::string& group : network.groups()) {
            choices.groups << QString::fromStdString(group);
        }
    } catch (const std::exception&) { // RunValidator says why
        return {};
    }
    return choices;
}

QString phaseNote(const RunConfig& config)
{
    const std::int64_t given = stepsOf(config.phases);
    if (config.phases.empty() || given == config.steps) {
        return {};
    }
    const QString text =
        given > config.steps
            ? PhaseFactsText::tr("%1 steps in all, but the run has %2: the last are cut")
            : PhaseFactsText::tr("%1 steps in all, but the run has %2: the last phase "
                                 "is extended");
    return text.arg(countText(given), countText(config.steps));
}

QString phaseProblem(const QString& message)
{
    static const QRegularExpression ofPhase(QStringLiteral(R"(^phase\.(\d+)\.(\w+) (.*)$)"));
    const QRegularExpressionMatch match = ofPhase.match(message);
    if (!match.hasMatch()) {
        return {};
    }
    const QString name = match.captured(2).replace(QLatin1Char('_'), QLatin1Char(' '));
    return PhaseFactsText::tr("Phase %1: %2 %3")
        .arg(match.captured(1).toInt() + 1)
        .arg(name, match.captured(3));
}

} // namespace lockstep::ui
