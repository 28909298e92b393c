// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measuring: how fast a step is and what a run will take, what more towers bring, what links would
// leave of it, and whether a device computes rightly.
#include "session/bench/bench.h"
#include "session/bench/scaling_run.h"
#include "session/bench/simulation_run.h"
#include "session/bench/step_graph.h"
#include "session/estimate/measure_costs.h"
#include "session/estimate/rough_duration.h"
#include "session/estimate/run_estimate.h"
#include "session/selftest/selftest.h"
