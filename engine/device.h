// SPDX-License-Identifier: Apache-2.0
#pragma once

// Devices: which there are, what was measured on them, and what a tower takes of one.
#include "device/algorithm_store.h"
#include "device/host_meter.h"
#include "device/registry/device_registry.h"
#include "device/registry/host_ceilings.h"
#include "session/training/tower_memory.h"
#include "tower/placement.h"
