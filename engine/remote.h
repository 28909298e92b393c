// SPDX-License-Identifier: Apache-2.0
#pragma once

// A run that another process trains, as it is started, watched and steered from here.
#include "session/control/run_remote.h"
#include "session/launch/launched_training.h"
#include "session/launch/run_request_text.h"
#include "session/launch/training_launch.h"
