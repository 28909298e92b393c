// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/experiment_line.h"

#include "bridge/session/live_run.h"
#include "panels/shared/experiment_text.h"

namespace lockstep::ui {
namespace {

constexpr QMargins kMargins(10, 4, 10, 2);

} // namespace

ExperimentLine::ExperimentLine(LiveRun& run, QWidget* parent) : NoteLabel(Tone::Alert, parent)
{
    setObjectName(QStringLiteral("experiment_line"));
    setContentsMargins(kMargins);
    setNote({});
    connect(&run, &LiveRun::begun, this, [this, &run] {
        setNote(run.series() == nullptr ? QString() : experimentText(run.config()));
    });
}

} // namespace lockstep::ui
