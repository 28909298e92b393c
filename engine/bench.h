// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measuring: how fast a step is, what more towers bring, what links would leave of it, and whether
// a device computes rightly.
#include "session/bench/bench.h"
#include "session/bench/scaling_run.h"
#include "session/bench/simulation_run.h"
#include "session/bench/step_graph.h"
#include "session/selftest/selftest.h"
