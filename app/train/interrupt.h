// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep::train {

/// From now on the first SIGINT or SIGTERM only raises a flag, so that a run can end in good order;
/// the second one ends the program at once.
void catchInterrupts();

/// Whether a signal came since catchInterrupts().
bool isInterrupted();

} // namespace lockstep::train
