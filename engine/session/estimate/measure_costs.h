// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/estimate/run_costs.h"

#include <functional>

namespace lockstep {

/// Makes the training of a configuration, phase by phase, and times some steps of each: a few to
/// warm up, then about a quarter of a second of them; one is enough where they take longer, and two
/// seconds more are made where other programs are in the way. Then the state is captured as for a
/// checkpoint, and some examples are scored and recorded.
///
/// On its data, where they are there and opened within some seconds, else on rows of the same
/// shape: what it takes to decode photographs is not in it then. Towers whose step would take many
/// seconds, or whose memory would be more than half of this machine's, are measured with fewer
/// rows, or fewer of them; the time grows with the rows then, and the memory as it is planned.
///
/// The memory is that of this process, so it is to be one that does nothing else. Error(Cancelled)
/// once `mayGoOn` says no, which is asked between steps. Errors else as of TrainingSession.
RunCosts measureRunCosts(const RunConfig& config, const std::function<bool()>& mayGoOn);

} // namespace lockstep
