// SPDX-License-Identifier: Apache-2.0
#pragma once

// Training: a run from its start to its end, and several of them.
#include "session/rate_finder/rate_finder.h"
#include "session/run/cross_validation.h"
#include "session/run/initial_weights.h"
#include "session/run/rank_worker.h"
#include "session/run/run_facts.h"
#include "session/run/run_start.h"
#include "session/run/training_run.h"
