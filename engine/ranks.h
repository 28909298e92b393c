// SPDX-License-Identifier: Apache-2.0
#pragma once

// The processes of a training, on one machine or several.
#include "ranks/open_ranks.h"
