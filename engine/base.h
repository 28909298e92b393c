// SPDX-License-Identifier: Apache-2.0
#pragma once

// What everything else rests on: errors, names that are spelt alike, shapes.
#include "base/clock.h"
#include "base/error.h"
#include "base/nearest_name.h"
#include "base/overloaded.h"
#include "base/shape.h"
#include "base/text_bytes.h"
#include "base/this_program.h"
#include "session/config/version.h"
