// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a process leaves that crashes.
#include "session/control/crash_trace.h"
