// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/forms/note_label.h"

namespace lockstep::ui {

class LiveRun;

/// A line above the charts while the run that is shown is one with a fault on purpose
/// (ExperimentSettings), so that nobody takes its figures for those of a proper training.
class ExperimentLine : public NoteLabel
{
    Q_OBJECT

public:
    /// The run must outlive the line.
    explicit ExperimentLine(LiveRun& run, QWidget* parent = nullptr);
};

} // namespace lockstep::ui
