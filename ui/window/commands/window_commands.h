// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that nobody talks to once they are there: they connect themselves to actions and panels,
// and are their owner's. GUI thread.
#pragma once

#include "window/commands/window_parts.h"

namespace lockstep::ui {

class AlertDesk;
class OpenCommands;
class SetUpCommands;
class StartCommands;

/// What a person changes in a run while it trains, here or in another process: asks for the value
/// beside the window, and sends it.
void addChangeCommands(const WindowParts& parts, StartCommands& starts, AlertDesk& alerts);

/// What a person does with pictures of the charts: all of them or one, as a file or on the
/// clipboard, by the File menu, by a chart's own menu, or by Ctrl+C in a chart.
void addChartCommands(const WindowParts& parts);

/// What a person does with a checkpoint of the run that is shown, from its pin on a chart or from
/// the table: nothing here waits, and an error becomes a message. Destroyed, they give up an
/// evaluation that is going on, and wait for it.
void addCheckpointCommands(const WindowParts& parts, SetUpCommands& setUps, StartCommands& starts);

/// What a person reads and writes by the File menu: asks for the file beside the window, and hands
/// what was read to OpenCommands. Destroyed, they wait for what is being written.
void addFileCommands(const WindowParts& parts, OpenCommands& opens);

/// The runs of another machine in place of those of this one: connects, shows how the line stands,
/// and leaves it.
void addMachineCommands(const WindowParts& parts, OpenCommands& opens);

/// What a person does with the runs of the table, whichever is shown: compares two, shows the
/// folder of one, takes one off the list or moves it to the trash.
void addLibraryCommands(const WindowParts& parts);

} // namespace lockstep::ui
