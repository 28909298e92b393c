// SPDX-License-Identifier: Apache-2.0
#pragma once

// Training: a run from its start to its end, and several of them.
#include "session/cross_validation.h"
#include "session/initial_weights.h"
#include "session/run_facts.h"
#include "session/run_start.h"
#include "session/training_run.h"
