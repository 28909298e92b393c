// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/experiment_line.h"

#include "bridge/live_run.h"
#include "plots/number_text.h"

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

} // namespace

ExperimentLine::ExperimentLine(LiveRun& run, QWidget* parent) : NoteLabel(Tone::Alert, parent)
{
    setObjectName(QStringLiteral("experiment_line"));
    setContentsMargins(kMargins);
    setNote({});
    connect(&run, &LiveRun::begun, this, [this, &run] {
        const RunConfig& config = run.config();
        setNote(
            run.series() == nullptr ? QString()
                                    : shardsText(config.experiment.shardSettings(config.towers)));
    });
}

} // namespace lockstep::ui
