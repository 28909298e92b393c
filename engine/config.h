// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run is told: its configuration, key by key.
#include "session/best_checkpoint.h"
#include "session/objective_names.h"
#include "session/run_config.h"
