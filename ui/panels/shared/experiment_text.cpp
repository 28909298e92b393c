// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/shared/experiment_text.h"

#include "engine/base.h"
#include "engine/config.h"
#include "engine/data.h"
#include "plots/axes/number_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockstep::ui {
namespace {

struct ExperimentText
{
    Q_DECLARE_TR_FUNCTIONS(ExperimentText)
};

QString shardsText(const ShardSettings& shards)
{
    switch (shards.kind) {
    case ShardKind::Same:
        return ExperimentText::tr("Experiment: all towers get the same rows");
    case ShardKind::Skewed:
        return ExperimentText::tr("Experiment: tower %1 gets only examples of class %2")
            .arg(countText(shards.tower), countText(shards.exampleClass));
    case ShardKind::Poisoned:
        return ExperimentText::tr("Experiment: the labels of tower %1 are random")
            .arg(countText(shards.tower));
    case ShardKind::Distinct:
        break;
    }
    return {};
}

QString delayText(const RunConfig& config)
{
    const int tower = config.experiment.delayedTower(config.towers);
    return tower < 0 ? QString()
                     : ExperimentText::tr("Experiment: tower %1 sleeps %2 in every backward pass")
                           .arg(
                               countText(tower), numberText(
                                                     config.experiment.delayMilliseconds,
                                                     {1.0, 1, ExperimentText::tr(" ms")}));
}

} // namespace

QString experimentText(const RunConfig& config)
{
    try {
        config.experiment.validate(config.towers);
    } catch (const Error&) { // said where it is typed
        return {};
    }
    QStringList texts{
        delayText(config), shardsText(config.experiment.shardSettings(config.towers))};
    texts.removeAll(QString());
    return texts.join(QStringLiteral(" · "));
}

} // namespace lockstep::ui
