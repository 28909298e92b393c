// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/forms/note_label.h"

namespace lockstep::ui {

class LiveRun;

/// Says in the tool bar that the run that is shown is one with a fault on purpose
/// (ExperimentSettings), so that nobody takes its figures for those of a proper training.
class ExperimentLine : public NoteLabel
{
    Q_OBJECT

public:
    /// The run must outlive the line.
    explicit ExperimentLine(LiveRun& run, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void elide();
};

} // namespace lockstep::ui
