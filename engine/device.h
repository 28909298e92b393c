// SPDX-License-Identifier: Apache-2.0
#pragma once

// Devices: which there are, what was measured on them, and what a tower takes of one.
#include "device/algorithm_store.h"
#include "device/device_registry.h"
#include "session/replica_plan.h"
#include "tower/placement.h"
