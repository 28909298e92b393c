// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/experiment_line.h"

#include "bridge/live_run.h"
#include "plots/number_text.h"

#include <QStringList>

namespace lockstep::ui {
namespace {

constexpr QMargins kMargins(10, 4, 10, 2);

QString shardsText(const ShardSettings& shards)
{
    switch (shards.kind) {
    case ShardKind::Same:
        return ExperimentLine::tr("Experiment: all towers get the same rows");
    case ShardKind::Skewed:
        return ExperimentLine::tr("Experiment: tower %1 gets only examples of class %2")
            .arg(countText(shards.tower), countText(shards.exampleClass));
    case ShardKind::Poisoned:
        return ExperimentLine::tr("Experiment: the labels of tower %1 are random")
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
                     : ExperimentLine::tr("Experiment: tower %1 sleeps %2 in every backward pass")
                           .arg(
                               countText(tower), numberText(
                                                     config.experiment.delayMilliseconds,
                                                     {1.0, 1, ExperimentLine::tr(" ms")}));
}

} // namespace

ExperimentLine::ExperimentLine(LiveRun& run, QWidget* parent) : NoteLabel(Tone::Alert, parent)
{
    setObjectName(QStringLiteral("experiment_line"));
    setContentsMargins(kMargins);
    setNote({});
    connect(&run, &LiveRun::begun, this, [this, &run] {
        const RunConfig& config = run.config();
        QStringList texts{
            delayText(config), shardsText(config.experiment.shardSettings(config.towers))};
        texts.removeAll(QString());
        setNote(run.series() == nullptr ? QString() : texts.join(QStringLiteral(" · ")));
    });
}

} // namespace lockstep::ui
