// SPDX-License-Identifier: Apache-2.0
#pragma once

// Networks, as they are described, and what they cost.
#include "network/cost.h"
#include "network/model_file.h"
#include "network/models/catalog.h"
#include "network/objective_limit.h"
#include "network/primary_objective.h"
