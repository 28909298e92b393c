// SPDX-License-Identifier: Apache-2.0
#pragma once

// Trainings that another program makes, and that its ranks record: as runs.
#include "session/gather/log_sources.h"
#include "session/gather/run_gatherer.h"
