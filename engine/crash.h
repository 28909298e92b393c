// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a process leaves that crashes.
#include "base/thread_team.h"
#include "session/control/crash_trace.h"
