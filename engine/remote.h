// SPDX-License-Identifier: Apache-2.0
#pragma once

// A run that another process trains, as it is watched and steered from here.
#include "session/control/run_remote.h"
