// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run is told: its configuration, key by key.
#include "network/objective_names.h"
#include "session/config/best_checkpoint.h"
#include "session/config/config_overlay.h"
#include "session/config/run_config.h"
