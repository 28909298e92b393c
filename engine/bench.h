// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measuring: how fast a step is, what more towers bring, and whether a device computes rightly.
#include "session/bench.h"
#include "session/scaling_run.h"
#include "session/selftest.h"
