// SPDX-License-Identifier: Apache-2.0
#pragma once

// What happens in a run that trains, as its observer is told.
#include "session/run/training_event.h"
