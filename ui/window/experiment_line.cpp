// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/experiment_line.h"

#include "bridge/session/live_run.h"
#include "panels/shared/run_text.h"

namespace lockstep::ui {
namespace {

constexpr QMargins kMargins(10, 4, 10, 2);

} // namespace

ExperimentLine::ExperimentLine(LiveRun& run, QWidget* parent) : NoteLabel(Tone::Alert, parent)
{
    setObjectName(QStringLiteral("experiment_line"));
    setContentsMargins(kMargins);
    setWordWrap(false);
    setForegroundRole(QPalette::WindowText); // a tool bar's own would be that of buttons
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setRetainSizeWhenHidden(true);
    setSizePolicy(policy);
    connect(&run, &LiveRun::begun, this, [this, &run] {
        setNote(run.series() == nullptr ? QString() : experimentText(run.config()));
        setToolTip(note());
        elide();
    });
}

void ExperimentLine::resizeEvent(QResizeEvent* event)
{
    NoteLabel::resizeEvent(event);
    elide();
}

void ExperimentLine::elide()
{
    setText(fontMetrics().elidedText(note(), Qt::ElideRight, contentsRect().width()));
}

} // namespace lockstep::ui
